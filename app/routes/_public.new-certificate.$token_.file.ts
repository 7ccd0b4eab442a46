import { type LoaderFunctionArgs } from "@remix-run/node";
import { readPartnerFile } from "~/domain/certificates/partners/partner-page.service.server";
import { clientOf } from "~/http/client.server";
import { fileResponse } from "~/http/files.server";
import { errorResponse } from "~/http/responses.server";
import { notFound } from "~/lib/errors";

/** Returns a file of the certificate to a partner who has a link. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const form = new URL(request.url).searchParams.get("form");
  const file = await readPartnerFile(params.token ?? "", form, clientOf(request));
  if (!file) throw errorResponse(notFound());
  return fileResponse(file);
}
