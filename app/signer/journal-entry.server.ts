import { sha256Hex } from "~/ca/thumbprint.server";

/** What was signed. `issuer` notes that the signer holds the key of a CA from then on. */
export type EntryKind = "issuer" | "certificate" | "responder" | "crl" | "delta-crl";

/** What a line says, before it is placed in the journal. */
export interface EntryContent {
  kind: EntryKind;
  /** The name of the CA. */
  issuer: string;
  /** The serial number in upper-case hex, or the number of the CRL. */
  serial: string;
  subject: string;
  /** SHA-256 of the bytes that were signed, lower-case hex. For an issuer, that of its certificate. */
  sha256: string;
  /** ISO 8601. CRLs only. */
  thisUpdate?: string;
  /** How many entries a CRL has. */
  entries?: number;
  /** On whose word it was signed. */
  authority: string;
}

/** A line of the journal. */
export interface JournalEntry extends EntryContent {
  /** The first line has the number 1. */
  number: number;
  /** ISO 8601, UTC. */
  time: string;
  /** The hash of the line before. */
  previous: string;
  /** SHA-256 of the line without this member, lower-case hex. */
  hash: string;
}

/** The place after a line. */
export interface JournalHead {
  number: number;
  hash: string;
  time: string | null;
}

/** The place before the first line. */
export const JOURNAL_START: JournalHead = { number: 0, hash: "0".repeat(64), time: null };

const hashOf = (entry: Omit<JournalEntry, "hash">): string => sha256Hex(Buffer.from(JSON.stringify(entry)));

/** Returns the line that follows `head`, without its line end, and the head after it. */
export function sealLine(head: JournalHead, content: EntryContent, now: Date): { line: string; head: JournalHead } {
  const [number, time] = [head.number + 1, now.toISOString()];
  const entry = { number, time, ...content, previous: head.hash };
  const hash = hashOf(entry);
  return { line: JSON.stringify({ ...entry, hash }), head: { number, hash, time } };
}

/**
 * Reads the line that follows `head`.
 *
 * @throws Error with a sentence that names the line when it is damaged, edited, or not the next one.
 */
export function readLine(head: JournalHead, line: string): JournalEntry {
  const place = `Line ${head.number + 1} of the journal`;
  let entry: JournalEntry;
  try {
    entry = JSON.parse(line) as JournalEntry;
  } catch {
    throw new Error(`${place} is damaged.`);
  }
  const { hash, ...others } = entry;
  if (hash !== hashOf(others) || JSON.stringify({ ...others, hash }) !== line)
    throw new Error(`${place} was edited: its hash is another one.`);
  if (entry.number !== head.number + 1 || entry.previous !== head.hash)
    throw new Error(`${place} does not follow the line before: lines are missing or were exchanged.`);
  return entry;
}
