import { type LoaderFunctionArgs } from "@remix-run/node";
import { findSubmittedCsr } from "~/domain/certificates/catalogue/details.service.server";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";

/** Returns the CSR as it was submitted, as a file. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  const file = await findSubmittedCsr(user, id);
  return file ? fileResponse(file) : noSuchCertificate(request, user, id);
}
