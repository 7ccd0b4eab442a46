import { sha256Hex } from "~/ca/thumbprint.server";
import { type StandingScope } from "./protocol";

/** What was signed. `issuer` notes that the signer holds the key of a CA from then on. */
export interface SignedContent {
  kind: "issuer" | "certificate" | "responder" | "crl" | "delta-crl";
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
  /** The standing authorisation on whose grant it was signed. Certificates only. */
  standing?: number;
}

/** A person's passkey or authenticator app, with which the person grants certificates. */
export interface FactorContent {
  /** A passkey is offered by its person and accepted by an operator. `factor-wrong` notes a wrong code of an app. */
  kind: "factor-offered" | "factor-accepted" | "factor-removed" | "factor-wrong";
  /** Identifies the factor. */
  factor: string;
  /** The user name of its person. */
  person: string;
  /** What the person calls it, when it is offered or, for an app, accepted. */
  name?: string;
  /** The id and the COSE public key of a passkey in base64url, when it is offered. */
  credential?: string;
  publicKey?: string;
  /** Who accepted or removed it. */
  by?: string;
}

/** A person's word for certificates, given with a factor. */
export interface GrantContent {
  kind: "grant";
  /** SHA-256 of what the factor confirmed (`statement.server.ts`), lower-case hex. It identifies the grant. */
  sha256: string;
  person: string;
  factor: string;
  /** ISO 8601. */
  askedAt: string;
  /** The SHA-256 of each TBS certificate that may be signed, lower-case hex. */
  digests: string[];
}

/** A person's word for the certificates of a standing authorisation, given with a factor, and its end before its time. */
export interface StandingContent {
  kind: "standing-grant";
  /** SHA-256 of what the factor confirmed (`statement.server.ts`), lower-case hex. It identifies the grant. */
  sha256: string;
  person: string;
  factor: string;
  /** ISO 8601. */
  askedAt: string;
  scope: StandingScope;
}

export interface WithdrawnContent {
  kind: "standing-withdrawn";
  /** The number of the standing authorisation, and the grant that ends. */
  standing: number;
  sha256: string;
  /** Who withdrew it. */
  by: string;
}

/** A change of the passphrase of the keys. */
interface PassphraseContent {
  kind: "passphrase-changed";
  by: string;
  /** The names of the CAs. */
  names: string[];
}

/** The use of a factor that a line is the result of, so that the same code or a copied passkey does not count again. */
export interface FactorUse {
  factor: string;
  /** The time step of a code. */
  step?: number;
  /** The counter of a passkey. */
  counter?: number;
}

/** What a line says about a person. */
export type PersonContent = (FactorContent | GrantContent | StandingContent | WithdrawnContent) & { use?: FactorUse };

/** What a line says, before it is placed in the journal. */
export type EntryContent = SignedContent | PassphraseContent | PersonContent;

/** A line of the journal. */
export type JournalEntry = EntryContent & LinePlace;

/** Where a line is in the journal. */
interface LinePlace {
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

const hashOf = (entry: EntryContent & Omit<LinePlace, "hash">): string => sha256Hex(Buffer.from(JSON.stringify(entry)));

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
