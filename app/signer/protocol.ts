import { type UsageFlags } from "~/ca/certificate/usage.server";

/**
 * What the portal and the signer say to each other: HTTP over a Unix socket, or between machines over TLS with client certificates.
 *
 * - `GET /state` answers a `SignerState`.
 * - `POST /sign/NAME` takes the bytes to be signed by the CA of this name and answers the bare signature octets. With `?standing=N`, a
 *   certificate that nobody has granted by itself is signed when the grant of the standing authorisation N covers it.
 * - `GET /journal?after=N` answers a `JournalPage` with the lines after number N.
 * - `GET /factors` answers a `SignerFactors`.
 * - `POST /factors` takes a `PasskeyOffer` and answers the id of the factor. It counts when an operator has accepted it.
 * - `POST /factors/ID/remove` takes a `FactorRemoval`.
 * - `POST /keys/NAME` takes a `NewKeyRequest` and answers the SubjectPublicKeyInfo of a key that waits for the certificate of a CA.
 * - `POST /requests/NAME?key=SHA256&hash=HASH` takes the CertificationRequestInfo for a waiting key and answers the signature octets.
 * - `POST /issuers/NAME` takes the certificate of a waiting key. From then on the signer signs for this CA.
 * - `POST /grants` takes a `GrantRequest`. Whatever it covers is signed when it is sent to `/sign/NAME` within twelve hours.
 * - `GET /standing-grants` answers a `StandingGrants`.
 * - `POST /standing-grants` takes a `StandingGrantRequest`. It takes the place of the former grant of the same standing authorisation.
 * - `POST /standing-grants/N/withdraw` takes a `FactorRemoval` for the grant of the standing authorisation N.
 *
 * On the socket of its operators, which only the user of the signer can reach, the signer answers `GET /factors` and `GET /standing-grants`,
 * takes a `FactorRemoval`, and only there `POST /factors/ID/accept` with a `FactorAcceptance` and `POST /apps` with an `AppAddition`. An error is a `SignerProblem`.
 */

/** On whose word something is signed when the signer asks for no grants. Every line of the journal has it. */
export const WORD_OF_PORTAL = "small-office: the word of the portal";

/** On whose word CRLs and responder certificates are signed when certificates need a grant. */
export const RULES_ONLY = "the word of the portal, within the rules for CRLs and responders";

/** On whose word certificates are signed when the signer asks for grants. The lines of the journal name the grant. */
export const GRANTS = "the grants of approvers, by passkey or authenticator app";

/** The largest request in bytes. A CRL with 1,000,000 entries has 40 MB. */
export const LARGEST_REQUEST = 128 * 1024 * 1024;

/** Why the signer refuses, with the status of the answer. */
export const PROBLEM_STATUS = {
  /** The bytes are nothing that a CA signs. */
  malformed: 400,
  /** A rule of the signer is broken. It will be broken at the next try, too. */
  refused: 403,
  /** Nobody whose factor the signer accepts has granted the certificate. It will be signed when somebody has. */
  "no-grant": 409,
  /** The signer has signed a CRL with a higher number. A CRL with the next number will be signed. */
  "older-crl": 409,
  /** The passkey or the code does not count. */
  factor: 422,
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
  /** Whether certificates need a grant. */
  needsGrants: boolean;
  /** Where the addresses in certificates must lead and the policy that they must name, or null where the operators have not said it. */
  pinned: { repositoryUrl: string | null; policyOid: string | null };
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

/** A factor of a person. */
export interface SignerFactor {
  /** For a passkey, what its person reads out to whoever accepts it. */
  id: string;
  person: string;
  name: string;
  kind: "passkey" | "app";
  /** The id of a passkey in base64url, otherwise null. */
  credential: string | null;
  /** Whether it waits for an operator's consent, counts, or has had too many wrong codes. */
  state: "waiting" | "accepted" | "locked";
  /** ISO 8601. */
  since: string;
}

export interface SignerFactors {
  factors: SignerFactor[];
}

/** How a person confirms something: with the code of the app for the signer, or what `startAuthentication` of a browser returned as JSON. */
export type FactorAnswer = { code: string } | { passkey: string };

/** Who confirms something, when the person was asked (ISO 8601), and how. */
export interface Confirmation {
  person: string;
  askedAt: string;
  answer: FactorAnswer;
}

/** A passkey that its person has used to confirm its own id (`passkeyId`). */
export interface PasskeyOffer extends Omit<Confirmation, "answer"> {
  name: string;
  /** The id and the COSE public key in base64url. */
  credential: string;
  publicKey: string;
  answer: { passkey: string };
}

export interface FactorRemoval {
  /** Who removes it. In the journal, `the portal:` or `operator` precedes it. */
  by: string;
}

export interface FactorAcceptance {
  operator: string;
}

/** An authenticator app whose person has typed a code of it on the console of the signer. */
export interface AppAddition {
  person: string;
  name: string;
  /** Base32. */
  secret: string;
  code: string;
  operator: string;
}

export interface GrantRequest extends Confirmation {
  /** The SHA-256 of each TBS certificate, lower-case hex. */
  digests: string[];
}

/** What a standing grant covers: the certificates of one company that are signed without a grant of their own. */
export interface StandingScope {
  /** The number of the standing authorisation in the portal, and the id of its company. */
  authorisation: number;
  company: number;
  /** The subject. A certificate may leave out the unit, the locality and the state. Its common name is the organisation or a granted name. */
  organisation: string;
  organisationUnit: string | null;
  locality: string | null;
  state: string | null;
  country: string;
  domains: { name: string; isHostOnly: boolean }[];
  /** In upper case. */
  oftpIds: string[];
  usages: (keyof UsageFlags)[];
  /** The names of the CAs that may issue. */
  issuers: string[];
  longestYears: number;
  /** How many days of the certificate before it a renewal may take over in addition. */
  renewalDays: number;
  /** How many certificates at most, with those that were signed on former grants of the same standing authorisation. */
  certificates: number;
  /** ISO 8601. */
  endsAt: string;
}

export interface StandingGrantRequest extends Confirmation {
  scope: StandingScope;
}

/** A standing grant that is neither withdrawn nor replaced. */
export interface SignerStandingGrant {
  /** SHA-256 of what the factor confirmed, lower-case hex. */
  sha256: string;
  person: string;
  /** What it was given with, or null when that was removed. */
  kind: SignerFactor["kind"] | null;
  /** ISO 8601. */
  since: string;
  scope: StandingScope;
  /** How many certificates were signed for the standing authorisation. */
  used: number;
  /** Why nothing is signed on it any more, as a sentence, or null. */
  problem: string | null;
}

export interface StandingGrants {
  grants: SignerStandingGrant[];
}

/** A key for a future CA. */
export interface NewKeyRequest {
  bits: number;
}

/** How many certificates a grant may cover. */
export const LARGEST_GRANT = 200;

/** How many certificates a standing grant may cover, how many names of each kind, and how far away its end may be, in days. */
export const LARGEST_STANDING_GRANT = { certificates: 10_000, names: 10_000, days: 400 } as const;

/** What a signer that the portal has started reports to it as its child: that it listens, or why it ends. */
export type ChildReport =
  | { state: "listening" }
  /** Another signer has its folder. */
  | { state: "in-use" }
  | { state: "failed"; problem: string };
