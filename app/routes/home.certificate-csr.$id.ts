import { type LoaderFunctionArgs } from "@remix-run/node";
import { findSubmittedCsr } from "~/domain/certificates/catalogue/details.service.server";
import { fileResponse } from "~/http/files.server";
import { noSuchCertificate } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";

/** Returns the CSR as it was submitted, as a file. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const file = await findSubmittedCsr(user, readId(params.id));
  return file ? fileResponse(file) : noSuchCertificate(request);
}
