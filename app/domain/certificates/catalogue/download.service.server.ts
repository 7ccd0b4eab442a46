import { toPem } from "~/ca/pem.server";
import { certificatesOnly } from "~/ca/pkcs7.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { type Authority, findRoot, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { roleRefused } from "~/domain/companies/roles.policy";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type CertificateRow, changeCertificate } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { whyMayNotDownload, whyNotDownload } from "../certificates.policy";
import { findScheduledBy, supersedeAtOnce } from "../succession/superseding.server";
import { findVisibleCertificate } from "../visible.server";
import { choiceProblem, type DownloadChoice } from "./download-choice";
import { FIRST_DOWNLOAD, inForm, LATER_DOWNLOAD } from "./download-record";
import { fileNameOf } from "./file-name";
import { keyFileFor } from "./pkcs12/command";
import { usualFilesOf } from "./usual-files.server";

/**
 * Returns the certificate when this user may download it. Returns null when it is missing or belongs to somebody else. Throws a PortalError
 * (403) when the role of the user does not allow a download, and one with the reason when its status does not.
 */
export async function findDownload(user: SessionUser, id: number): Promise<(CertificateRow & { der: Buffer }) | null> {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row) return null;
  const missingRole = whyMayNotDownload(user, row);
  if (missingRole !== null) throw roleRefused(missingRole);
  const barrier = whyNotDownload(row.status);
  if (barrier || !row.der)
    throw new PortalError(barrier ?? "There is no certificate to download.", { code: "certificate.download" });
  return { ...row, der: row.der };
}

/** Returns the facts about the certificate on the download page. Returns null or throws in the same cases as `findDownload`. */
export async function findDownloadPanel(user: SessionUser, id: number) {
  const row = await findDownload(user, id);
  if (!row) return null;
  const { status, commonName } = row;
  const revoked = row.companyId === user.companyId ? await findScheduledBy(getDb(), row) : null;
  const revokes = revoked && { id: revoked.id, by: revoked.revocationDate };
  const facts = { status, commonName, serialNumber: colonHex(row.serialNumber ?? ""), revokes };
  return { ...facts, files: usualFilesOf(id), keyFile: row.authorityId === null ? null : await keyFileOf(row) };
}

/** Returns what the browser makes a PKCS #12 file of. */
async function keyFileOf(row: CertificateRow & { der: Buffer }) {
  const { certificates, name } = await contentOf(row, { certificateType: "chain" });
  const chain = certificates.map((der) => toPem("CERTIFICATE", der)).join("");
  return keyFileFor({ chain, chainName: name, name: fileNameOf(row) });
}

export interface CertificateFile {
  bytes: Buffer;
  mediaType: string;
  fileName: string;
}

/**
 * Returns the chosen file. Unless `isTaken` is false, the download of a file that contains the certificate is recorded. The first one by
 * its owner changes the status from Issued to Downloaded. Returns null when the certificate is missing or belongs to somebody else. Throws a PortalError
 * when the role of the user (403), its status or the choice does not allow the download.
 */
export async function readCertificateFile(
  user: SessionUser,
  id: number,
  choice: DownloadChoice,
  { isTaken = true, now = new Date() }: { isTaken?: boolean; now?: Date } = {},
): Promise<CertificateFile | null> {
  const row = await findDownload(user, id);
  if (!row) return null;
  requireMatching(choice);
  const file = await makeCertificateFile(row, choice);
  if (isTaken && OWN.includes(choice.certificateType))
    await noteDownload(row, user, { form: inForm(choice), supersedes: true }, now);
  return file;
}

/** Returns the chosen file of a certificate, without asking whether it may be downloaded and without recording that. */
export async function makeCertificateFile(
  row: CertificateRow & { der: Buffer },
  choice: DownloadChoice,
): Promise<CertificateFile> {
  const { certificates, name } = await contentOf(row, choice);
  return choice.certificateType === "bundle"
    ? bundleOf(certificates, name, choice)
    : fileOf(certificates, name, choice);
}

/**
 * Returns a file with the root certificate of the hierarchy in which new certificates are issued, or null when there is none. Throws a
 * PortalError when the choice is not possible.
 */
export async function readRootFile(choice: Omit<DownloadChoice, "certificateType">): Promise<CertificateFile | null> {
  const root = await findRoot(getDb(), getConfig().certificates.hierarchy);
  requireMatching({ ...choice, certificateType: "root" });
  return root && fileOf([root.certificate], `ca-${root.name}`, choice);
}

function requireMatching(choice: DownloadChoice): void {
  const problem = choiceProblem(choice);
  if (problem) throw new PortalError(problem.message, { code: "certificate.file", field: problem.field });
}

function fileOf(
  certificates: readonly Uint8Array[],
  name: string,
  { encoding, fileExtension }: Omit<DownloadChoice, "certificateType">,
): CertificateFile {
  const fileName = `${name}.${fileExtension.toLowerCase()}`;
  if (encoding === "DER") return { bytes: Buffer.concat(certificates), mediaType: "application/pkix-cert", fileName };
  const pem = certificates.map((der) => toPem("CERTIFICATE", der)).join("");
  return { bytes: Buffer.from(pem), mediaType: "application/x-pem-file", fileName };
}

/** The certificate types whose file contains the customer's certificate. */
const OWN: readonly DownloadChoice["certificateType"][] = ["own", "chain", "bundle"];

function bundleOf(certificates: readonly Uint8Array[], name: string, { encoding }: DownloadChoice): CertificateFile {
  const der = certificatesOnly(certificates);
  const bytes = Buffer.from(encoding === "DER" ? der : toPem("PKCS7", der));
  return { bytes, mediaType: "application/x-pkcs7-certificates", fileName: `${name}.p7b` };
}

/** Returns the DER certificates of the file, and a name that describes its content. */
async function contentOf(
  row: CertificateRow & { der: Buffer },
  { certificateType }: Pick<DownloadChoice, "certificateType">,
) {
  const own = fileNameOf(row);
  if (certificateType === "own") return { certificates: [row.der], name: own };
  const issuer = await issuerOf(row);
  if (certificateType === "chain") return { certificates: [row.der, issuer.certificate], name: `${own}-full-chain` };
  if (certificateType === "issuing") return { certificates: [issuer.certificate], name: `ca-${issuer.name}` };
  const root = await findRoot(getDb(), issuer.hierarchy);
  if (!root) throw new Error(`There is no root of the hierarchy '${issuer.hierarchy}'.`);
  if (certificateType === "bundle")
    return { certificates: [row.der, issuer.certificate, root.certificate], name: `${own}-bundle` };
  return { certificates: [root.certificate], name: `ca-${root.name}` };
}

async function issuerOf({ id, authorityId }: CertificateRow): Promise<Authority> {
  const issuer = (await listAuthorities(getDb())).find((authority) => authority.id === authorityId);
  if (!issuer) throw new Error(`The issuer of certificate ${id} is not known.`);
  return issuer;
}

/**
 * Records a download. The first one by the owner changes the status from Issued to Downloaded. Of two downloads at the same time, only one is
 * the first.
 *
 * @param form The end of the audit message, which says in which form it was downloaded (`inForm`).
 * @param supersedes Whether a download by the owner makes the revocation due of a certificate that this one corrects. Whoever takes an archive
 * does not install the certificate yet.
 */
export const noteDownload = (
  row: CertificateRow,
  user: SessionUser,
  { form, supersedes }: { form: string; supersedes: boolean },
  now: Date,
): Promise<void> =>
  inTransaction(async (trx) => {
    const isOwn = row.companyId === user.companyId;
    const change = { status: "Downloaded", downloadedAt: now } as const;
    const isFirst = isOwn && row.status === "Issued" && (await changeCertificate(trx, row.id, ["Issued"], change, now));
    if (isOwn && supersedes) await supersedeAtOnce(trx, row, now);
    const message = `The certificate for ${row.commonName} was downloaded by ${isOwn ? "its owner" : "staff"}${form}`;
    const { userId, orderId, id: certificateId, serialNumber: reference } = row;
    const event = isFirst ? FIRST_DOWNLOAD : LATER_DOWNLOAD;
    await recordAudit(trx, { actor: user.actor, event, message, userId, orderId, certificateId, reference }, now);
  });
