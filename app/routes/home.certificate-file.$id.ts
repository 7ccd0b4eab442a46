import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { readDownloadChoice } from "~/domain/certificates/catalogue/download-choice";
import { readCertificateFile } from "~/domain/certificates/catalogue/download.service.server";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/**
 * Returns the chosen certificate as a file. When the choice or the certificate's state does not allow it, redirects to the download page,
 * which says why.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const { search, searchParams } = new URL(request.url);
  const id = readId(params.id);
  try {
    const isTaken = request.method !== "HEAD"; // a HEAD request does not download the certificate
    const file = await readCertificateFile(user, id, readDownloadChoice(searchParams), { isTaken });
    return file ? fileResponse(file) : noSuchCertificate(request, user, id);
  } catch (error) {
    if (error instanceof PortalError) return redirect(paths.certificateDownload(id) + search);
    throw error;
  }
}
