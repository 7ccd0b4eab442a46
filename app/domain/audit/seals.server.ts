import { createHash, createHmac, sign, timingSafeEqual, verify } from "node:crypto";
import { type AuditHead, type AuditRow, type Checkpoint } from "~db/repositories/audit-chain.server";
import { type ChainKey } from "./chain-keys.server";

type Sealed = Omit<AuditRow, "mac" | "searchText" | "salt" | "erasedSeal">;
/** The personal data of an entry, which can be erased. */
type Personal = Pick<AuditRow, "actorName" | "message" | "address">;
type Stands = Pick<AuditHead, "sequence" | "entryId" | "mac" | "keyId">;

/**
 * Serialises values as JSON without spaces, so that the same values always give the same text. The first value names the kind and its
 * version, so that a text of one kind is never valid as another.
 */
const octets = (kind: string, values: readonly (string | number | null)[], version = 1) =>
  JSON.stringify([`marque.audit.${kind}.${version}`, ...values]);

const hex = (value: Buffer | null) => value?.toString("hex") ?? null;

const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text, "utf8").digest();

const isEqual = (a: Buffer | null, b: Buffer) => a !== null && a.length === b.length && timingSafeEqual(a, b);

/** Returns the last values of a plain entry. They are omitted where there are none, because entries were sealed before they existed. */
const addedLater = ({ address, apiClientId }: Sealed) =>
  apiClientId === null ? (address === null ? [] : [address]) : [address, apiClientId];

/**
 * Returns the commitment to the personal data of an entry: their HMAC-SHA-256 with a random salt as the key. While the salt exists, it
 * proves the data. Without the salt, nobody can find the data by trying values, not even with the keys of the chain.
 */
export const commitmentTo = (salt: Buffer, { actorName, message, address }: Personal): Buffer =>
  hmac(salt, octets("personal", [actorName, message, address]));

/** Returns what the seal of an entry from before 0016-personal-data covers. */
const plainOctets = (row: Sealed) =>
  octets("entry", [
    row.sequence,
    row.id,
    row.at,
    row.actorId,
    row.actorName,
    row.impersonatorId,
    row.event,
    row.message,
    row.userId,
    row.orderId,
    row.certificateId,
    row.codeId,
    row.reference,
    row.keyId,
    hex(row.previous),
    ...addedLater(row),
  ]);

/** Returns what the seal of an entry covers whose personal data has a commitment. */
const committedOctets = (row: Sealed) =>
  octets(
    "entry",
    [
      row.sequence,
      row.id,
      row.at,
      row.actorId,
      row.impersonatorId,
      row.event,
      row.userId,
      row.orderId,
      row.certificateId,
      row.codeId,
      row.reference,
      row.keyId,
      hex(row.previous),
      hex(row.commitment),
      ...(row.apiClientId === null ? [] : [row.apiClientId]),
    ],
    2,
  );

/**
 * Returns the HMAC-SHA-256 of an entry, with its position in the chain and the seal of the previous entry. It covers the commitment in
 * place of the personal data; the seals of older entries, which have no commitment, cover the data itself.
 */
export const entryMac = (key: ChainKey, row: Sealed): Buffer =>
  hmac(key.entries, row.commitment === null ? plainOctets(row) : committedOctets(row));

/**
 * Returns the hash of an entry as a leaf of the tree of its checkpoint (RFC 9162 §2.1.1). It covers what the seal covers, so that it proves
 * the entry to whoever has no key of the chain. Of an entry from before 0016-personal-data it covers the seal, because the text itself could
 * be found by trying.
 */
export const leafOf = (row: Sealed & Pick<AuditRow, "mac">): Buffer =>
  createHash("sha256")
    .update("\0")
    .update(row.commitment === null ? octets("leaf", [row.sequence, row.id, hex(row.mac)]) : committedOctets(row))
    .digest();

/** Returns whether an entry of which nothing is erased is what was sealed. */
export const isEntryGenuine = (key: ChainKey, row: AuditRow): boolean =>
  isEqual(row.mac, entryMac(key, row)) && (row.commitment === null || isCommitted(row, row.commitment));

const isCommitted = (row: AuditRow, commitment: Buffer) =>
  row.salt !== null && isEqual(commitment, commitmentTo(row.salt, row));

/** Returns the seal of an entry as an erasure leaves it. It covers every column, and the former seal that the next entry names. */
export const erasedSealOf = (key: ChainKey, row: Sealed & Pick<AuditRow, "mac">): Buffer =>
  hmac(key.entries, octets("erased", [plainOctets(row), hex(row.mac), hex(row.commitment)]));

/**
 * Returns whether an entry is what an erasure left. An entry with a commitment still has the seal with which it was recorded; of an older
 * entry that seal covers what was erased, so that only the seal of the erasure can be verified.
 */
export const isErasedEntryGenuine = (sealedWith: ChainKey, keys: readonly ChainKey[], row: AuditRow): boolean =>
  row.salt === null &&
  keys.some((key) => isEqual(row.erasedSeal, erasedSealOf(key, row))) &&
  (row.commitment === null || isEqual(row.mac, entryMac(sealedWith, row)));

/** Returns the SHA-256 of a list of entries, as the entry of an erasure states it. `sequences` are in the order of the chain. */
export function listDigest(sequences: Iterable<number>): string {
  const hash = createHash("sha256");
  for (const sequence of sequences) hash.update(`${sequence}\n`);
  return `sha256:${hash.digest("hex")}`;
}

/** Returns the seal of the head. The null stands for a value that heads no longer have; without it, stored seals would not verify. */
export const headSeal = (key: ChainKey, { sequence, entryId, mac, keyId }: Stands): Buffer =>
  hmac(key.head, octets("head", [sequence, entryId, hex(mac), null, keyId]));

export const isHeadGenuine = (key: ChainKey, head: AuditHead): boolean => isEqual(head.seal, headSeal(key, head));

type Statement = Omit<Checkpoint, "signature">;

const statementText = ({ sequence, at, mac, keyId, firstSequence, root }: Statement) =>
  Buffer.from(
    root === null
      ? octets("checkpoint", [sequence, at, hex(mac), keyId])
      : octets("checkpoint", [sequence, at, hex(mac), keyId, firstSequence, hex(root)], 2),
  );

/** Returns the Ed25519 signature (RFC 8032) of the state of the chain. */
export const signCheckpoint = (key: ChainKey, statement: Statement): Buffer =>
  sign(null, statementText(statement), key.checkpoints.privateKey);

export const isCheckpointGenuine = (key: ChainKey, { signature, ...statement }: Checkpoint): boolean =>
  verify(null, statementText(statement), key.checkpoints.publicKey, signature);
