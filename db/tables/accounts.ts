import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

export interface CountryTable {
  /** ISO 3166-1 numeric code. */
  id: number;
  iso: string;
  name: string;
  /** Folded name (`foldForSearch`), used for sorting. */
  sortName: string;
  euMember: boolean;
}

export interface UserTable {
  id: Generated<number>;
  username: string;
  email: string;
  passwordHash: string;
  passwordChangedAt: Timestamp;
  /** True when somebody else set the password or nobody knows it. The password counts as expired. */
  mustChangePassword: ColumnType<boolean, boolean | undefined, boolean>;
  firstName: string;
  lastName: string;
  /** The company in which the person works until they choose another one. They are a member of it. */
  companyId: number;
  position: string;
  telephoneNumber: string;
  securityQuestion: Maybe<string>;
  securityAnswerHash: Maybe<string>;
  isApplicant: boolean;
  isAdmin: boolean;
  isDisabled: boolean;
  mergedInto: Maybe<number>;
  sessionEpoch: ColumnType<number, number | undefined, number>;
  /** Consecutive wrong passwords from browsers and networks in which the account was not logged in before. */
  failedLogins: ColumnType<number, number | undefined, number>;
  /** When the last wrong password was entered. Wrong passwords are forgotten after a day. */
  lastFailureAt: MaybeTimestamp;
  /** How many times in a row the account was locked. Each lock lasts longer than the one before. */
  lockCount: ColumnType<number, number | undefined, number>;
  /** When the lock because of wrong passwords ends. It does not apply where the account was logged in before. */
  lockedUntil: MaybeTimestamp;
  /** When an administrator locked the account. This lock applies everywhere and until an administrator unlocks the account. */
  adminLockedAt: MaybeTimestamp;
  lastLoginAt: MaybeTimestamp;
  /** When a member of staff without a second factor was first asked to add one at a login. The days of grace begin then. */
  factorAskedAt: MaybeTimestamp;
  emailVerifiedAt: MaybeTimestamp;
  /** Until when a member of staff may log in with the password although staff log in by single sign-on. The command line sets it. */
  passwordAllowedUntil: MaybeTimestamp;
  /** When the person asked for the erasure of their data. */
  erasureRequestedAt: MaybeTimestamp;
  /** When the data of the person was erased. The account stays as a pseudonym. */
  erasedAt: MaybeTimestamp;
  /**
   * Folded (`foldForSearch`) names, company, email and user name, for the search on the list page. The repository maintains this column and
   * the next three.
   */
  searchText: ColumnType<string, string | undefined, string>;
  /** Folded last and first name, used for sorting. */
  sortName: ColumnType<string, string | undefined, string>;
  sortCompany: ColumnType<string, string | undefined, string>;
  /** Folded user name, by which other tables are filtered. */
  sortUsername: ColumnType<string, string | undefined, string>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** An address with the field names of the forms (`addressSchema`). Missing texts are stored as "". */
export interface AddressTable {
  id: Generated<number>;
  userId: number;
  company: Maybe<string>;
  addressLine1: string;
  addressLine2: ColumnType<string, string | undefined, string>;
  addressLine3: ColumnType<string, string | undefined, string>;
  city: string;
  postalCode: string;
  region: ColumnType<string, string | undefined, string>;
  /** The id of the country. */
  country: number;
}

/**
 * The purpose of a token. `verify-email` confirms the address of the account, and `change-email` replaces it. `reset-password` is the code
 * that is sent by email, and `change-password` is the permit after the code was entered correctly. `login-as-user` is an authString,
 * `partner-login` is the remote login of a framed form. `registered-form` recognises a registration
 * form that is sent twice. `second-factor` is a login whose password was right and whose factor is missing. `passkey-add` and `passkey-use`
 * are challenges for authenticators. `sign-on` is the state of a request to the identity provider, `sign-on-factor` a login through it whose
 * own factor is missing. `stop-contact` ends the messages to a contact and can be used more than once.
 */
export type TokenPurpose =
  | "verify-email"
  | "change-email"
  | "authorise-order"
  | "reset-password"
  | "change-password"
  | "login-as-user"
  | "partner-login"
  | "registered-form"
  | "second-factor"
  | "passkey-add"
  | "passkey-use"
  | "sign-on"
  | "sign-on-factor"
  | "stop-contact";

/** Tokens of single-use links. Only the SHA-256 hash of the token is stored. */
export interface TokenTable {
  id: Generated<number>;
  tokenHash: string;
  purpose: TokenPurpose;
  userId: Maybe<number>;
  certificateId: Maybe<number>;
  email: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  usedAt: MaybeTimestamp;
  /** Wrong tries. The fifth ends a reset code. */
  failures: ColumnType<number, number | undefined, number>;
  /** For `login-as-user`, the administrator who may use the token. For `partner-login`, the administrator who acts as the user. */
  adminId: Maybe<number>;
  /** For `stop-contact`, the order that the message is about. */
  orderId: Maybe<number>;
  /** For `login-as-user` and `partner-login`, the session in which the token was made. The partner's login ends with this session. */
  sessionId: Maybe<string>;
}

/**
 * Where an account was logged in before. `place` is `network:` and a hash, `device:` and the number in the cookie of the browser, or
 * `session` for all open sessions. Devices and sessions have a row only if wrong passwords were entered there.
 */
export interface LoginPlaceTable {
  userId: number;
  place: string;
  /** Consecutive wrong passwords from this network, device or session. */
  failures: ColumnType<number, number | undefined, number>;
  expiresAt: Timestamp;
}

/**
 * Why a session ended before its time. `continued` means that the browser goes on under another id, `owner` that the user ended it
 * elsewhere, `groups` that no group of the identity provider gives a right any more, `factor` that the account got its first second
 * factor.
 */
export type SessionEnd =
  | "logout"
  | "new-login"
  | "continued"
  | "expired"
  | "owner"
  | "administrator"
  | "groups"
  | "password"
  | "email"
  | "factor"
  | "disabled"
  | "locked"
  | "merged"
  | "restored";

/**
 * One row for each login: a browser's session or a program's access token. Rows of ended sessions are kept for a few days.
 *
 * `id` is the id in the browser's signed cookie, or the hash of the access token. Neither is enough to use the session: the cookie needs
 * the portal's signature, and the token cannot be computed from its hash.
 */
export interface SessionTable {
  id: string;
  kind: "browser" | "program";
  userId: number;
  /** The session epochs of the user and the administrator at the login. Raising one of them ends the session. */
  epoch: number;
  /** The administrator who acts as the user in this session. */
  impersonatorId: Maybe<number>;
  impersonatorEpoch: Maybe<number>;
  startedAt: Timestamp;
  /** Written at most every five minutes, with the address and browser of that request. */
  lastUsedAt: Timestamp;
  address: string;
  userAgent: string;
  endedAt: MaybeTimestamp;
  endReason: Maybe<SessionEnd>;
  /** When the session ends even if it is in use. */
  expiresAt: Timestamp;
  /** When the user last proved in this session who they are, and with what. */
  provedAt: MaybeTimestamp;
  provedBy: Maybe<Proof>;
  /** For a session that single sign-on started, how the identity provider recognised the user. Null for every other session. */
  signedOnWith: Maybe<SignOnStrength>;
}

/** How an identity provider says that it recognised a user: with one factor only, or with two. */
export type SignOnStrength = "one-factor" | "two-factors";

/**
 * With what users prove who they are. `single-sign-on` is a login at the identity provider with a second factor, `sign-on` one without.
 */
export type Proof = "password" | "totp" | "passkey" | "recovery-code" | "single-sign-on" | "sign-on";

/**
 * The second factors of accounts. An authenticator app (`totp`) has `secret`, encrypted by `secret-box.server.ts`, and `lastStep`, the time
 * step of the last code, which is accepted once only. A passkey has the other columns, in base64url.
 */
export interface SecondFactorTable {
  id: Generated<number>;
  userId: number;
  kind: "totp" | "passkey";
  /** What the user calls it. */
  name: string;
  createdAt: Timestamp;
  lastUsedAt: MaybeTimestamp;
  secret: Maybe<string>;
  lastStep: Maybe<number>;
  credentialId: Maybe<string>;
  /** The COSE public key (RFC 9052). */
  publicKey: Maybe<string>;
  /** The signature counter of the authenticator. One that does not grow shows a copy, unless it is always 0. */
  counter: Maybe<number>;
  /** How browsers reach the authenticator, separated by commas. */
  transports: Maybe<string>;
}

/** The recovery codes of accounts, as argon2id hashes. Each works once. */
export interface RecoveryCodeTable {
  id: Generated<number>;
  userId: number;
  codeHash: string;
  usedAt: MaybeTimestamp;
}

/** Access tokens of the JSON calls, and tickets for one download each. Only their SHA-256 hash is stored. */
export interface ApiTokenTable {
  tokenHash: string;
  userId: number;
  /**
   * The epoch of the user when the token was made; `impersonatorEpoch` is that of the administrator. The token ends when either account's
   * epoch is raised.
   */
  epoch: number;
  impersonatorId: Maybe<number>;
  impersonatorEpoch: Maybe<number>;
  /**
   * Set while an administrator acts as the user: `sessionId` is the session in which this was allowed, `parentHash` is the hash of the
   * administrator's own token.
   */
  sessionId: Maybe<string>;
  parentHash: Maybe<string>;
  kind: "bearer" | "ticket";
  expiresAt: Timestamp;
}

/**
 * The rights of staff. The right Admin (`users.isAdmin`) contains all of them. What each of them allows is in `rights.policy.ts`.
 */
export type StaffRight =
  | "registration-officer"
  | "approver"
  | "finance"
  | "user-administrator"
  | "auditor"
  | "operator";

/** The rights of staff that were granted to an account one by one. */
export interface UserRightTable {
  userId: number;
  right: StaffRight;
  grantedAt: Timestamp;
  /** The name of the actor in the audit trail: an email, or `command line`. */
  grantedBy: string;
}

/** The rights that groups of the identity provider gave to accounts. A right that somebody granted by hand has no row here. */
export interface GroupRightTable {
  userId: number;
  right: StaffRight | "admin";
  grantedAt: Timestamp;
}

/** Who an account is at the identity provider. Issuer and subject together never change and are never given to somebody else. */
export interface SignOnIdentityTable {
  issuer: string;
  subject: string;
  userId: number;
  linkedAt: Timestamp;
}

export type DualControlKind = "grant-right" | "reset-factors" | "erase" | "grant-scopes";

/**
 * What one user administrator has requested and a second one decides. `outcome` is null while the request is open. An open request can be
 * decided until `expiresAt`.
 */
export interface DualControlRequestTable {
  id: Generated<number>;
  kind: DualControlKind;
  /** The account that the request is about. */
  userId: number;
  /** The right to grant; null for other kinds of requests. */
  right: Maybe<StaffRight | "admin">;
  /** For `grant-scopes`, the API client of staff and all scopes that it is to have. */
  apiClientId: Maybe<number>;
  scopes: Maybe<string>;
  reason: string;
  requestedBy: number;
  requestedAt: Timestamp;
  expiresAt: Timestamp;
  decidedBy: Maybe<number>;
  decidedAt: MaybeTimestamp;
  outcome: Maybe<"approved" | "refused">;
}
