import { createHmac, sign, timingSafeEqual, verify } from "node:crypto";
import { type AuditHead, type AuditRow, type Checkpoint } from "~db/repositories/audit-chain.server";
import { type ChainKey } from "./chain-keys.server";

type Sealed = Omit<AuditRow, "mac" | "searchText">;
type Stands = Pick<AuditHead, "sequence" | "entryId" | "mac" | "keyId">;

/**
 * Serialises values as JSON without spaces, so that the same values always give the same text. The first value names the kind, so that a
 * text of one kind is never valid as another.
 */
const octets = (kind: string, values: readonly (string | number | null)[]) =>
  JSON.stringify([`marque.audit.${kind}.1`, ...values]);

const hex = (value: Buffer | null) => value?.toString("hex") ?? null;

const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text, "utf8").digest();

const isEqual = (a: Buffer | null, b: Buffer) => a !== null && a.length === b.length && timingSafeEqual(a, b);

const addedLater = ({ address, apiClientId }: Sealed) =>
  apiClientId === null ? (address === null ? [] : [address]) : [address, apiClientId];

/**
 * Returns the HMAC-SHA-256 over all columns of an entry except the search text. They include its position in the chain and the seal of the
 * previous entry. The address and the API client are the last values. They are omitted when there is neither, and the client alone when
 * there is none, because entries were sealed before there were addresses and clients.
 */
export const entryMac = (key: ChainKey, row: Sealed): Buffer =>
  hmac(
    key.entries,
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
    ]),
  );

export const isEntryGenuine = (key: ChainKey, row: AuditRow): boolean => isEqual(row.mac, entryMac(key, row));

/** Returns the seal of the head. The null stands for a value that heads no longer have; without it, stored seals would not verify. */
export const headSeal = (key: ChainKey, { sequence, entryId, mac, keyId }: Stands): Buffer =>
  hmac(key.head, octets("head", [sequence, entryId, hex(mac), null, keyId]));

export const isHeadGenuine = (key: ChainKey, head: AuditHead): boolean => isEqual(head.seal, headSeal(key, head));

type Statement = Omit<Checkpoint, "signature">;

const statementText = ({ sequence, at, mac, keyId }: Statement) =>
  Buffer.from(octets("checkpoint", [sequence, at, hex(mac), keyId]));

/** Returns the Ed25519 signature (RFC 8032) of the state of the chain. */
export const signCheckpoint = (key: ChainKey, statement: Statement): Buffer =>
  sign(null, statementText(statement), key.checkpoints.privateKey);

export const isCheckpointGenuine = (key: ChainKey, { signature, ...statement }: Checkpoint): boolean =>
  verify(null, statementText(statement), key.checkpoints.publicKey, signature);
