import { certificateKeyIdentity } from "~/ca/certificate/parse.server";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr } from "~/ca/csr/read.server";
import { brokenRule, refuseIf } from "~/ca/csr/refusal.server";
import { type RequestRefusal } from "~/ca/csr/rules/catalogue";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type Authority, listAuthorities } from "~db/repositories/authorities.server";
import { isKeyBlocked, listBlocked } from "~db/repositories/blocked-keys.server";
import { listHoldersOfKeys } from "~db/repositories/key-holders.server";
import { findListOfKey, listListsOfKeys } from "~db/repositories/listed-keys.server";
import { listResponderCertificates } from "~db/repositories/ocsp-responders.server";
import { blockBrokenKeys } from "./broken-keys.service.server";
import { compareKey } from "./key-comparison.service.server";
import { isCertifiedForAnother, isOfOtherSubject } from "./key-use.policy";
import { withSmallFactor } from "./small-factors.server";

/** Who asks for a certificate, and for whom. */
export interface Requester {
  /** The account that orders the certificate. */
  userId: number;
  /** The company that will own it. */
  companyId: number;
  actor: Actor;
}

/** Returns the account against which the requests are counted: that of the person who makes them. */
export const accountOf = ({ actor, userId }: Requester): number => actor.id ?? userId;

export const requesterOf = ({ id, companyId, actor }: Omit<Requester, "userId"> & { id: number }): Requester => ({
  userId: id,
  companyId,
  actor,
});

/** This message reveals nothing about the other account, not even that there is one, because the requester may have obtained its CSR. */
export const KEY_OF_ANOTHER = "This key cannot be used; create a new one.";

/** What the database knows about a key. */
export interface KeyFacts {
  /** Every order and certificate of the key, whoever owns it. */
  holders: Awaited<ReturnType<typeof listHoldersOfKeys>>;
  isBlocked: boolean;
  /** The name of the list of known bad keys that contains the key, or null. */
  list: string | null;
}

type Key = Pick<Csr, "keyIdentity" | "publicKey" | "spkiDer" | "spkiSha256">;

/** Returns what the database knows about these keys, at least one, by identity, in as many statements as for one. */
export async function readKeyFacts(db: DbOrTrx, keys: readonly Key[]): Promise<Map<string, KeyFacts>> {
  const identities = keys.map(({ keyIdentity }) => keyIdentity);
  const fingerprints = new Map(keys.map((key) => [key.keyIdentity, listFingerprints(key)]));
  const holders = await listHoldersOfKeys(db, identities);
  const blocked = await listBlocked(db, identities);
  const lists = await listListsOfKeys(db, [...fingerprints.values()].flat());
  const listOf = (identity: string) =>
    fingerprints.get(identity)?.flatMap((fingerprint) => lists.get(fingerprint.toString("hex")) ?? [])[0] ?? null;
  return new Map(
    identities.map((identity) => [
      identity,
      {
        holders: holders.filter(({ keyIdentity }) => keyIdentity === identity),
        isBlocked: blocked.has(identity),
        list: listOf(identity),
      },
    ]),
  );
}

/** Returns a refusal when the key is blocked or on a list of known bad keys. */
function badKeyRefusals({ isBlocked, list }: Pick<KeyFacts, "isBlocked" | "list">): RequestRefusal[] {
  if (isBlocked)
    return [
      brokenRule("key-blocked", "Public key: this key is blocked, because its private key is known to be compromised."),
    ];
  return refuseIf(
    list !== null,
    "key-listed",
    `Public key: this key is on the list '${list}' of known bad keys: others have its private key.`,
  );
}

/**
 * Returns a refusal when the key belongs to another account, is blocked, is on a list of known bad keys, or is used by another subject.
 * An open order of another account with the same subject is not refused: staff find out whose key it is, and the order that is approved
 * second is refused.
 */
export function refusalsByFacts(
  { holders, isBlocked, list }: KeyFacts,
  { subject }: Pick<Csr, "subject">,
  companyId: number,
): RequestRefusal[] {
  const { commonName = "", organisation = "", country = "" } = subject;
  const others = holders.filter((holder) => isOfOtherSubject(holder, { commonName, organisation, country }));
  if (
    holders.some((holder) => isCertifiedForAnother(holder, companyId)) ||
    others.some((holder) => holder.companyId !== companyId)
  )
    return [brokenRule("key-of-another", KEY_OF_ANOTHER)];
  const bad = badKeyRefusals({ isBlocked, list });
  if (bad.length > 0) return bad;
  if (others.length > 0)
    return [brokenRule("key-in-use", "Public key: this key belongs to a certificate or an order of another subject.")];
  return [];
}

/**
 * Reads what the database knows about a key and returns what `refusalsByFacts` does. These facts can change between two checks, so the
 * transaction that decides checks them again. It only looks keys up by index and calculates nothing.
 */
export async function keyRefusals(
  db: DbOrTrx,
  csr: Key & Pick<Csr, "subject">,
  companyId: number,
): Promise<RequestRefusal[]> {
  const facts = await readKeyFacts(db, [csr]);
  return refusalsByFacts(facts.get(csr.keyIdentity) as KeyFacts, csr, companyId);
}

const identities = new Map<string, string>();

/** Returns the identities of the keys of these authorities and of all OCSP responders. Each process parses a certificate only once. */
export async function authorityKeys(authorities: readonly Pick<Authority, "certificate">[]): Promise<string[]> {
  return [...authorities.map(({ certificate }) => certificate), ...(await listResponderCertificates(getDb()))].map(
    (certificate) => {
      const name = sha256Hex(certificate);
      const identity = identities.get(name) ?? certificateKeyIdentity(certificate);
      identities.set(name, identity);
      return identity;
    },
  );
}

const authorityKeyRefusals = async (keyIdentity: string): Promise<RequestRefusal[]> =>
  refuseIf(
    (await authorityKeys(await listAuthorities(getDb()))).includes(keyIdentity),
    "key-of-authority",
    "Public key: this is the key of a certificate authority or of its OCSP responder, which certifies no customer.",
  );

const smallFactor = () =>
  brokenRule("key-small-factor", "RSA key strength: the modulus has a prime factor below 2^24.");

/**
 * Returns a refusal for what anybody may know about a key: that it is blocked, listed, one of this CA, or has a small prime factor. Reads
 * nothing about certificates and orders, and compares the key with no other key, so that the answer and its time tell nothing about
 * customers. The signature of the CSR must have been verified. Records nothing.
 */
export async function publicKeyRefusals(key: Key): Promise<RequestRefusal[]> {
  const isBlocked = await isKeyBlocked(getDb(), key.keyIdentity);
  const bad = badKeyRefusals({ isBlocked, list: await findListOfKey(getDb(), listFingerprints(key)) });
  const known = [...bad, ...(await authorityKeyRefusals(key.keyIdentity))];
  if (known.length > 0 || key.publicKey.algorithm !== "RSA") return known;
  return (await withSmallFactor([key.publicKey])).length > 0 ? [smallFactor()] : [];
}

export const SHARED_PRIME =
  "RSA key strength: the key shares a prime factor with another key, because the device or program that made it had too little randomness; both can be broken.";

/**
 * Returns a refusal when the key belongs to one of this portal's authorities, has a small prime factor, or shares a prime with another key.
 * In the last case, both keys are blocked. The signature of the CSR must have been verified, so that nobody can get keys of others blocked
 * without having broken them. Runs outside transactions.
 */
export async function relatedKeyRefusals(
  { keyIdentity, publicKey }: Csr,
  requester: Requester,
  now = new Date(),
): Promise<RequestRefusal[]> {
  const ofAuthority = await authorityKeyRefusals(keyIdentity);
  if (ofAuthority.length > 0) return ofAuthority;
  if (publicKey.algorithm !== "RSA") return [];
  const found = await compareKey({ keyIdentity, modulus: publicKey.modulus }, now);
  if (found === null) return [];
  if (found === "small-factor") return [smallFactor()];
  await blockBrokenKeys([keyIdentity, ...found.keyIdentities], requester, now);
  return [brokenRule("key-shared-factor", SHARED_PRIME)];
}
