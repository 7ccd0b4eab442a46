import { Zip, ZipPassThrough } from "fflate";
import { type SessionUser } from "~/domain/accounts/session-user";
import { roleRefused } from "~/domain/companies/roles.policy";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { listCertificateIdsAfter } from "~db/repositories/certificate-list.server";
import { listCertificatesById } from "~db/repositories/certificates.server";
import { USABLE, whyMayNotDownload } from "../certificates.policy";
import { type CertificateListParams } from "./certificate-list";
import { IN_ARCHIVE } from "./download-record";
import { makeCertificateFile, noteDownload } from "./download.service.server";
import { fileNameOf } from "./file-name";
import { certificateFilterFor } from "./list.service.server";
import { USUAL_CHOICES } from "./usual-files.server";

/** The maximum number of certificates in an archive. */
export const MOST_IN_ARCHIVE = 200;

const NOTHING = "None of these certificates can be downloaded.";
const TOO_MANY = `More than ${MOST_IN_ARCHIVE} of these certificates can be downloaded. Search for fewer of them.`;

/** Returns the certificates of the list that this user may download. Throws what `archiveCertificates` throws. */
async function listDownloadable(user: SessionUser, params: CertificateListParams, now: Date) {
  const filter = await certificateFilterFor(user, params, now);
  const statuses = USABLE.filter((status) => filter.statuses?.includes(status) ?? true);
  const window = { after: 0, limit: MOST_IN_ARCHIVE + 1 };
  const ids = statuses.length === 0 ? [] : await listCertificateIdsAfter(getDb(), { ...filter, statuses }, window);
  const refusal = (message: string) => new PortalError(message, { code: "certificate.archive" });
  if (ids.length > MOST_IN_ARCHIVE) throw refusal(TOO_MANY);
  const rows = ids.length === 0 ? [] : await listCertificatesById(getDb(), ids);
  const missingRole = rows.map((row) => whyMayNotDownload(user, row)).find((reason) => reason !== null);
  if (missingRole) throw roleRefused(missingRole);
  const withFiles = rows.flatMap(({ der, ...row }) => (der === null ? [] : [{ ...row, der }]));
  if (withFiles.length === 0) throw refusal(NOTHING);
  return withFiles;
}

/** Yields the bytes of the archive, certificate by certificate. Certificates are random bytes: compressing them would save nothing. */
async function* archiveOf(rows: Awaited<ReturnType<typeof listDownloadable>>, user: SessionUser, now: Date) {
  const bytes: Uint8Array[] = [];
  const archive = new Zip((error, part) => {
    if (error) throw error;
    bytes.push(part);
  });
  for (const row of rows) {
    const folder = fileNameOf(row);
    for (const choice of USUAL_CHOICES) {
      const file = await makeCertificateFile(row, choice);
      const entry = new ZipPassThrough(`${folder}/${file.fileName}`);
      entry.mtime = now;
      archive.add(entry);
      entry.push(file.bytes, true);
    }
    await noteDownload(row, user, { form: IN_ARCHIVE, supersedes: false }, now);
    yield* bytes.splice(0);
  }
  archive.end();
  yield* bytes;
}

/**
 * Returns a ZIP archive of the certificates that the list shows this user, on all its pages, and that can be downloaded. Each has a folder
 * with its usual files: full chain as PEM, certificate as DER, and PKCS#7. The archive is made while it is sent, and the download of each
 * certificate is recorded as that of a single one. Throws a PortalError when there are none or more than `MOST_IN_ARCHIVE`, and one (403)
 * when the role of the user does not allow downloads.
 */
export async function archiveCertificates(
  user: SessionUser,
  params: CertificateListParams,
  now = new Date(),
): Promise<AsyncIterable<Uint8Array>> {
  return archiveOf(await listDownloadable(user, params, now), user, now);
}
