import { describeCertificate } from "~/ca/certificate/describe.server";
import { fromPem } from "~/ca/pem.server";
import { type TransferFile } from "~/domain/ceremony/transfer-file.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findAuthority } from "./authorities.service.server";
import { isAuthorityName, isRootName, issuingHierarchy, rootOf } from "./catalogue";
import { listNewlyRevoked } from "./crl-transfer.service.server";
import { authorityUrls } from "./urls.server";

/** RFC 5280 §4.2.1.4. A CA with this policy may issue under every policy. */
const ANY_POLICY = "2.5.29.32.0";

/** Returns a sentence for each thing in the certificate of an issuing CA that is not as this portal has it. */
function noticesOf(name: string, der: Uint8Array): string[] {
  const hierarchy = issuingHierarchy(name);
  if (!hierarchy) return []; // it is refused
  const root = rootOf(hierarchy);
  const { policies, crlUrls, caIssuersUrls } = describeCertificate(der);
  const { crl, caIssuers } = authorityUrls(root);
  const { policyOid } = getConfig().certificates;
  const notices: string[] = [];
  const note = (isRight: boolean, sentence: string) => void (isRight || notices.push(`'${name}' ${sentence}`));
  const named = policies.map(({ oid }) => oid);
  note(
    named.includes(policyOid) || named.includes(ANY_POLICY),
    `may issue under the policy ${named.join(", ") || "none"}, but its certificates will name ${policyOid} (certificates.policyOid).`,
  );
  note(
    crlUrls.includes(crl),
    `sends programs to ${crlUrls.join(", ") || "no address"} for the CRL of its root, but the portal publishes it at ${crl}.`,
  );
  note(
    caIssuersUrls.includes(caIssuers),
    `sends programs to ${caIssuersUrls.join(", ") || "no address"} for the certificate of its root, but the portal publishes it at ${caIssuers}.`,
  );
  return notices;
}

/**
 * Returns a sentence for each consequence of an installation that people should know before, because it cannot be undone: a CA that is
 * revoked, and a new CA whose certificate does not fit this portal. What is installed already is passed over.
 */
export async function listInstallNotices({ certificates, crls }: TransferFile): Promise<string[]> {
  const notices: string[] = [];
  for (const { kind, name, pem } of certificates)
    if (kind === "issuing" && isAuthorityName(name) && !(await findAuthority(getDb(), name)))
      notices.push(...noticesOf(name, fromPem("CERTIFICATE", pem)));
  for (const { issuer, pem } of crls) {
    const root = isRootName(issuer) ? await findAuthority(getDb(), issuer) : null;
    if (!root) continue; // it is installed first, or the CRL is refused
    for (const name of await listNewlyRevoked(root, fromPem("X509 CRL", pem)))
      notices.push(`The CRL of '${issuer}' revokes '${name}': nothing more is ever issued with it.`);
  }
  return notices;
}
