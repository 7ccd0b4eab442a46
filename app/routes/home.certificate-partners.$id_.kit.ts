import { type LoaderFunctionArgs } from "@remix-run/node";
import { readOwnKit } from "~/domain/certificates/partners/partner-kit.server";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { fileResponse } from "~/http/files.server";
import { redirectWithToast } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";

/**
 * Returns the archive with what partners find on their page. When the certificate cannot be downloaded, redirects to the page of the partners,
 * which says why.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  try {
    const file = await readOwnKit(user, id, { isTaken: request.method !== "HEAD" });
    return file ? fileResponse(file) : noSuchCertificate(request, user, id);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return redirectWithToast(request, certificatePaths.partners(id), { kind: "warn", text: error.message });
  }
}
