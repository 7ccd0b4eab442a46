import { writeCsr } from "~/ca/csr/write.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { keyFingerprint } from "~/ca/key-text.server";
import { spkiDerOf } from "~/ca/keys.server";
import { toPem } from "~/ca/pem.server";
import { distinguishedName, encodeName, formatName, readName } from "~/ca/x509/name.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { findAuthority } from "./authorities.service.server";
import { ISSUING_NAME_RULE, issuingHierarchy } from "./catalogue";
import { keyStoreOf } from "./key-stores.server";
import { authoritySubject } from "./subject.server";

export interface AuthorityRequest {
  /** The PEM of the certificate signing request. */
  pem: string;
  /** The SHA-256 of the public key in lower-case hex. */
  keySha256: string;
  /** The subject as in RFC 4514. */
  subjectName: string;
}

/**
 * Makes the key of a future issuing CA in its key store, where it waits for its certificate, and a request for that certificate. Can be
 * repeated: each time makes another key, and `install` removes those that got no certificate.
 *
 * @param typed The name of the CA, such as `issuing-sha2-2031`.
 * @param caption What people will call it. The organisation precedes it in the subject.
 * @param bits The modulus length of the key.
 * @throws Error when the name breaks its rule, or belongs to a CA or a key already.
 */
export async function requestAuthority(
  typed: string,
  caption: string,
  actor: Actor,
  { bits = 4096, now = new Date() }: { bits?: number; now?: Date } = {},
): Promise<AuthorityRequest> {
  const hierarchy = issuingHierarchy(typed);
  if (!hierarchy) throw new Error(`The name ${ISSUING_NAME_RULE}.`);
  if (caption.trim() === "" || caption.length > 64)
    throw new Error("--caption must have 1 to 64 characters: what people call the CA.");
  const name = typed as AuthorityName;
  if (await findAuthority(getDb(), name)) throw new Error(`There is a CA '${name}' already. Choose another name.`);
  const store = keyStoreOf(name);
  const whyTaken = await store.whyTaken(name);
  if (whyTaken) throw new Error(whyTaken);
  const key = await store.make(name, bits);
  const keySha256 = keyFingerprint(key.publicKey);
  const subject = authoritySubject(caption.trim());
  const csr = await writeCsr(subject, spkiDerOf(key.publicKey), key.signer(HIERARCHIES[hierarchy].hash));
  const message = `A certificate for the CA '${name}' was requested; SHA-256 of its public key: ${keySha256}.`;
  await inTransaction((trx) =>
    recordAudit(trx, { actor, event: "authority.requested", message, reference: name }, now),
  );
  const subjectName = formatName(readName(distinguishedName(encodeName(subject))));
  return { pem: toPem("CERTIFICATE REQUEST", csr), keySha256, subjectName };
}
