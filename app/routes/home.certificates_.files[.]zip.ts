import { type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { archiveCertificates } from "~/domain/certificates/catalogue/archive.service.server";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { streamedFile } from "~/http/files.server";
import { redirectWithToast } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { PortalError } from "~/lib/errors";

/**
 * Returns the files of the certificates that the list shows as a ZIP archive. Staff, who see those of all customers, must prove who they
 * are. When there is nothing to download or too much, redirects to the list, which says so.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  if (may(user, "see-customers")) await requireStepUp(request, user, "file");
  const params = certificateList.read(new URL(request.url).searchParams);
  try {
    const content = await archiveCertificates(user, params);
    const file = { mediaType: "application/zip", fileName: "certificates.zip" };
    // A HEAD request does not download the certificates.
    return request.method === "HEAD" ? new Response(null) : streamedFile({ content, ...file });
  } catch (error) {
    if (error instanceof PortalError)
      throw await redirectWithToast(request, certificateList.href(params), { kind: "warn", text: error.message });
    throw error;
  }
}
