import { certificateKeyIdentity } from "~/ca/certificate/key.server";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr } from "~/ca/csr/read.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listAuthorities } from "~db/repositories/authorities.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { isKeyInUse } from "~db/repositories/certificates.server";
import { listResponderCertificates } from "~db/repositories/ocsp-responders.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { hasSharedFactor } from "./shared-factor.service.server";

/** A rule about keys that the database knows of; `message` names it and says what to do. */
export interface KeyRefusal {
  code: "key-blocked" | "key-listed" | "key-of-authority" | "key-shared-factor" | "key-in-use";
  message: string;
}

const ADVICE = "Create a new key and a CSR with it.";

const refusal = (code: KeyRefusal["code"], message: string): KeyRefusal[] => [
  { code, message: `${message} ${ADVICE}` },
];

/**
 * Whether the key is blocked, on a list of known bad keys, or in use by another subject: what can change between two looks, so it is
 * asked for again in the transaction that decides. By index, nothing is calculated.
 */
export async function keyRefusals(
  db: DbOrTrx,
  csr: Pick<Csr, "keyIdentity" | "publicKey" | "spkiSha256" | "subject">,
): Promise<KeyRefusal[]> {
  if (await isKeyBlocked(db, csr.keyIdentity))
    return refusal(
      "key-blocked",
      "Public key: this key is blocked, because its private key is known to be compromised.",
    );
  const list = await findListOfKey(db, listFingerprints(csr));
  if (list !== null)
    return refusal(
      "key-listed",
      `Public key: this key is on the list '${list}' of known bad keys: others have its private key.`,
    );
  const { commonName = "", organisation = "", country = "" } = csr.subject;
  if (await isKeyInUse(db, csr.keyIdentity, { commonName, organisation, country }))
    return refusal("key-in-use", "Public key: this key belongs to a certificate or an order of another subject.");
  return [];
}

const identities = new Map<string, string>();

/** The identities of the keys of authorities and OCSP responders; each certificate is read once in a process. */
async function authorityKeys(): Promise<string[]> {
  const authorities = (await listAuthorities(getDb())).map(({ certificate }) => certificate);
  return [...authorities, ...(await listResponderCertificates(getDb()))].map((certificate) => {
    const name = sha256Hex(certificate);
    const identity = identities.get(name) ?? certificateKeyIdentity(certificate);
    identities.set(name, identity);
    return identity;
  });
}

/** Whether the key is that of one of this portal's authorities, or shares a prime factor with another one. Outside transactions. */
export async function relatedKeyRefusals({ keyIdentity, publicKey }: Csr): Promise<KeyRefusal[]> {
  if ((await authorityKeys()).includes(keyIdentity))
    return refusal(
      "key-of-authority",
      "Public key: this is the key of a certificate authority or of its OCSP responder, which certifies no customer.",
    );
  if (publicKey.algorithm === "RSA" && (await hasSharedFactor(publicKey.modulus, keyIdentity)))
    return refusal(
      "key-shared-factor",
      "RSA key strength: the key shares a prime factor with another key, because the device or program that made it had too little randomness; both can be broken.",
    );
  return [];
}
