import { certificateKeyIdentity } from "~/ca/certificate/parse.server";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr } from "~/ca/csr/read.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listAuthorities } from "~db/repositories/authorities.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { listResponderCertificates } from "~db/repositories/ocsp-responders.server";
import { blockBrokenKeys } from "./broken-keys.service.server";
import { compareKey } from "./key-comparison.service.server";
import { isCertifiedForAnother, isOfOtherSubject } from "./key-use.policy";

/** A rule about keys that the database knows of; `message` names it and says what to do. */
export interface KeyRefusal {
  code:
    | "key-of-another"
    | "key-blocked"
    | "key-listed"
    | "key-of-authority"
    | "key-small-factor"
    | "key-shared-factor"
    | "key-in-use";
  message: string;
}

/** Whose key a CSR brings, and who brings it. */
export interface Requester {
  /** The account that is to own the certificate. */
  ownerId: number;
  actor: Actor;
}

export const requesterOf = ({ id, actor }: { id: number; actor: Actor }): Requester => ({ ownerId: id, actor });

/** Says nothing about the other account, nor that there is one: whoever asks may have taken its CSR. */
export const KEY_OF_ANOTHER = "This key cannot be used; create a new one.";

const ADVICE = "Create a new key and a CSR with it.";

const refusal = (code: KeyRefusal["code"], message: string): KeyRefusal[] => [
  { code, message: `${message} ${ADVICE}` },
];

/**
 * Whether the key is another account's, blocked, on a list of known bad keys, or in use by another subject: what can change between two
 * looks, so it is asked for again in the transaction that decides. By index, nothing is calculated. Another account's open order with the
 * same subject is no reason: staff find out whose the key is, and the order that is approved second is refused.
 */
export async function keyRefusals(
  db: DbOrTrx,
  csr: Pick<Csr, "keyIdentity" | "publicKey" | "spkiDer" | "spkiSha256" | "subject">,
  ownerId: number,
): Promise<KeyRefusal[]> {
  const holders = await listKeyHolders(db, csr.keyIdentity);
  const { commonName = "", organisation = "", country = "" } = csr.subject;
  const others = holders.filter((holder) => isOfOtherSubject(holder, { commonName, organisation, country }));
  if (
    holders.some((holder) => isCertifiedForAnother(holder, ownerId)) ||
    others.some(({ userId }) => userId !== ownerId)
  )
    return [{ code: "key-of-another", message: KEY_OF_ANOTHER }];
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
  if (others.length > 0)
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

export const SHARED_PRIME =
  "RSA key strength: the key shares a prime factor with another key, because the device or program that made it had too little randomness; both can be broken.";

/**
 * Whether the key is that of one of this portal's authorities, or an RSA key with a small prime factor or one that another key has; then
 * both keys are blocked. Takes a key whose request's signature is right, so that nobody can have others' keys blocked without having broken
 * them. Outside transactions.
 */
export async function relatedKeyRefusals(
  { keyIdentity, publicKey }: Csr,
  requester: Requester,
  now = new Date(),
): Promise<KeyRefusal[]> {
  if ((await authorityKeys()).includes(keyIdentity))
    return refusal(
      "key-of-authority",
      "Public key: this is the key of a certificate authority or of its OCSP responder, which certifies no customer.",
    );
  if (publicKey.algorithm !== "RSA") return [];
  const found = await compareKey({ keyIdentity, modulus: publicKey.modulus }, now);
  if (found === null) return [];
  if (found === "small-factor")
    return refusal("key-small-factor", "RSA key strength: the modulus has a prime factor below 2^24.");
  await blockBrokenKeys([keyIdentity, ...found.keyIdentities], requester, now);
  return refusal("key-shared-factor", SHARED_PRIME);
}
