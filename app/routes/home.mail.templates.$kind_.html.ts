import { type LoaderFunctionArgs } from "@remix-run/node";
import { previewTemplate } from "~/domain/mail/preview.service.server";
import { requireUser } from "~/http/guard.server";

/** Returns the HTML part of an example, as it is sent, or in the colours of the query string. Its own Content-Security-Policy isolates it. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireUser(request, "see-mail");
  const { mail } = previewTemplate(params.kind, new URL(request.url).searchParams);
  return new Response(mail.html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}
