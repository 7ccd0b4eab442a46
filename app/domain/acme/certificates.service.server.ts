import { toPem } from "~/ca/pem.server";
import { findRoot, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { readCertificateFile } from "~/domain/certificates/catalogue/download.service.server";
import { type Client } from "~/domain/security-events/client";
import { getDb } from "~db/connection.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";
import { findAcmeCertificateById } from "~db/repositories/acme-orders.server";
import { userOfAccount } from "./acting.server";
import { AcmeProblem } from "./problem";

/**
 * Returns a certificate of the account with its chain as PEM, and records the download (RFC 8555 §7.4.2).
 *
 * @param isWithRoot Whether the chain ends with the root, and not with the issuing CA.
 * @throws AcmeProblem `unauthorized` when the account has not ordered this certificate, and PortalError when it was revoked.
 */
export async function readChain(
  account: BoundAccount,
  { id, isWithRoot, client }: { id: number; isWithRoot: boolean; client: Client },
): Promise<string> {
  const certificate = await findAcmeCertificateById(getDb(), id);
  if (certificate?.accountId !== account.id || certificate.der === null)
    throw new AcmeProblem("unauthorized", "This account has no such certificate.");
  const choice = { certificateType: "chain", encoding: "PEM", fileExtension: "PEM" } as const;
  const file = await readCertificateFile(await userOfAccount(account, client), id, choice);
  const issuer = (await listAuthorities(getDb())).find((authority) => authority.id === certificate.authorityId);
  const root = issuer && (await findRoot(getDb(), issuer.hierarchy));
  if (!file || !root) throw new Error(`The chain of certificate ${id} is not known.`);
  return file.bytes.toString("utf8") + (isWithRoot ? toPem("CERTIFICATE", root.certificate) : "");
}
