import { type LoaderFunctionArgs } from "@remix-run/node";
import { previewTemplate } from "~/domain/mail/preview.service.server";
import { requireUser } from "~/http/guard.server";

/** The HTML part of an example, as it is sent. Its own Content-Security-Policy shuts it in. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  const { mail } = previewTemplate(params.kind, new URL(request.url).searchParams.get("example"));
  return new Response(mail.html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}
