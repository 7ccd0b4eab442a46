/**
 * What the portal and the signer say to each other: HTTP over a Unix socket, or between machines over TLS with client certificates.
 *
 * - `GET /state` answers a `SignerState`.
 * - `POST /sign/NAME` takes the bytes to be signed by the CA of this name and answers the bare signature octets.
 * - `GET /journal?after=N` answers a `JournalPage` with the lines after number N.
 *
 * An error is a `SignerProblem`. A grant, by which a person's factor covers what is to be signed, will be given to the signer by a request of
 * its own, and requests to sign will name it in the header `GRANT_HEADER`. This signer knows no grants and refuses the header, so that nobody
 * believes that one was checked.
 */
export const GRANT_HEADER = "marque-grant";

/** On whose word something is signed. Every line of the journal has it. */
export const AUTHORITY = "small-office: the word of the portal";

/** The largest request in bytes. A CRL with 1,000,000 entries has 40 MB. */
export const LARGEST_REQUEST = 128 * 1024 * 1024;

/** Why the signer refuses, with the status of the answer. */
export const PROBLEM_STATUS = {
  /** The bytes are nothing that a CA signs. */
  malformed: 400,
  /** A rule of the signer is broken. It will be broken at the next try, too. */
  refused: 403,
  /** There is no such CA or no such page. */
  "not-found": 404,
  "too-large": 413,
  /** The ceiling of the day is reached. */
  ceiling: 429,
  /** The key or the journal does not work now. */
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;

export interface SignerProblem {
  code: ProblemCode;
  /** A sentence for people. */
  message: string;
}

/** A CA of the signer. */
export interface SignerIssuer {
  name: string;
  subject: string;
  /** SHA-256 of the public key, lower-case hex. */
  publicKey: string;
  /** Why the key cannot be used now, as a sentence, or null. */
  problem: string | null;
  /** How many certificates, responder certificates and CRLs the journal has. */
  signed: { certificates: number; responders: number; crls: number };
  /** The number of the last CRL, or null before the first one. */
  lastCrlNumber: string | null;
}

export interface SignerState {
  authority: string;
  /** The certificates of this day (UTC), how many it may have, and when the count begins again (ISO 8601). */
  ceiling: { perDay: number; used: number; until: string };
  issuers: SignerIssuer[];
  /** The number and the hash of the last line of the journal, and its time. */
  journal: { number: number; hash: string; time: string | null };
}

/** A page of the journal. Lines are as in the file, so that whoever reads them can verify the chain. */
export interface JournalPage {
  lines: string[];
  /** Whether lines follow this page. */
  hasMore: boolean;
}
