import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeMoment, type Moment } from "./columns";

export interface CountryTable {
  /** ISO 3166-1 numeric. */
  id: number;
  iso: string;
  name: string;
  /** Folded name (`foldForSearch`), for the order of lists. */
  sortName: string;
  euMember: boolean;
}

export interface UserTable {
  id: Generated<number>;
  username: string;
  email: string;
  passwordHash: string;
  passwordChangedAt: Moment;
  /** The password was set by somebody else or is unknown: it counts as expired. */
  mustChangePassword: ColumnType<boolean, boolean | undefined, boolean>;
  firstName: string;
  lastName: string;
  company: string;
  position: string;
  telephoneNumber: string;
  vatNumber: Maybe<string>;
  vatNumberChecked: Maybe<boolean>;
  taxNumber: Maybe<string>;
  companyRegistrationNumber: Maybe<string>;
  securityQuestion: Maybe<string>;
  securityAnswerHash: Maybe<string>;
  isApplicant: boolean;
  isAdmin: boolean;
  isDisabled: boolean;
  mergedInto: Maybe<number>;
  sessionEpoch: ColumnType<number, number | undefined, number>;
  /** Wrong passwords in a row from places where the account was not logged in before. */
  failedLogins: ColumnType<number, number | undefined, number>;
  /** When the last of them came: they are forgotten after a day. */
  lastFailureAt: MaybeMoment;
  /** How often the account was locked in a row: each lock lasts longer. */
  lockCount: ColumnType<number, number | undefined, number>;
  /** Until when wrong passwords lock the account, except where it was logged in before. */
  lockedUntil: MaybeMoment;
  /** When an administrator locked the account, everywhere and until an administrator unlocks it. */
  adminLockedAt: MaybeMoment;
  lastLoginAt: MaybeMoment;
  emailVerifiedAt: MaybeMoment;
  companyAddressId: Maybe<number>;
  invoicingAddressId: Maybe<number>;
  mailingAddressId: Maybe<number>;
  /** Folded (`foldForSearch`) names, company, e-mail and user name, for the list's search; the repository keeps it and the next three. */
  searchText: ColumnType<string, string | undefined, string>;
  /** Folded last and first name, for the list's order. */
  sortName: ColumnType<string, string | undefined, string>;
  sortCompany: ColumnType<string, string | undefined, string>;
  /** Folded user name, by which other lists are filtered. */
  sortUsername: ColumnType<string, string | undefined, string>;
  createdAt: Moment;
  updatedAt: Moment;
}

/** An address under the names of the forms (`addressSchema`); "" where there is no text. */
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
  /** Its id. */
  country: number;
}

/**
 * `verify-email` proves the account's address, `change-email` gives it another one, `reset-password` is the code in the mail,
 * `change-password` the check of it that succeeded, `login-as-user` an authString, `partner-login` the remote login of a framed form,
 * `stop-contact` ends the messages to a contact and can be used more than once.
 */
export type TokenPurpose =
  | "verify-email"
  | "change-email"
  | "authorise-order"
  | "reset-password"
  | "change-password"
  | "login-as-user"
  | "partner-login"
  | "stop-contact";

/** Single-use links; only the SHA-256 of the token is stored. */
export interface TokenTable {
  id: Generated<number>;
  tokenHash: string;
  purpose: TokenPurpose;
  userId: Maybe<number>;
  certificateId: Maybe<number>;
  email: string;
  createdAt: Moment;
  expiresAt: Moment;
  usedAt: MaybeMoment;
  /** Wrong tries: the fifth ends a reset code. */
  failures: ColumnType<number, number | undefined, number>;
  /** Of `login-as-user`: the administrator who may use it; of `partner-login`: the one who acts as the user. */
  adminId: Maybe<number>;
  /** Of `stop-contact`: the order that the message is about. */
  orderId: Maybe<number>;
  /** Of `login-as-user` and `partner-login`: the session in which it was made, with which a partner's login ends. */
  sessionId: Maybe<string>;
}

/**
 * Where an account was logged in before. `place` is `network:` and a hash, `device:` and the number in its cookie, or `session` for all that
 * are open. Of devices and sessions only those with wrong passwords have a row.
 */
export interface LoginPlaceTable {
  userId: number;
  place: string;
  /** Wrong passwords in a row from there. */
  failures: ColumnType<number, number | undefined, number>;
  expiresAt: Moment;
}

/** Sessions that were logged out: a copy of their cookie is worth nothing. */
export interface EndedSessionTable {
  id: string;
  expiresAt: Moment;
}

/** Access tokens of the JSON calls, and the tickets for one download each; only the SHA-256 of either is stored. */
export interface ApiTokenTable {
  tokenHash: string;
  userId: number;
  /** The session epochs for which it was made: it ends with either. */
  epoch: number;
  impersonatorId: Maybe<number>;
  impersonatorEpoch: Maybe<number>;
  /** While an administrator acts as the user: the session in which that was allowed, and the hash of the administrator's own token. */
  sessionId: Maybe<string>;
  parentHash: Maybe<string>;
  kind: "bearer" | "ticket";
  expiresAt: Moment;
}
