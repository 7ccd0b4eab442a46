import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

/** A customer. It owns what its members order and register. */
export interface CompanyTable {
  id: Generated<number>;
  name: string;
  companyRegistrationNumber: Maybe<string>;
  taxNumber: Maybe<string>;
  vatNumber: Maybe<string>;
  /** Whether the VAT service has confirmed the number. Null when no check is due. */
  vatNumberChecked: Maybe<boolean>;
  companyAddressId: Maybe<number>;
  invoicingAddressId: Maybe<number>;
  mailingAddressId: Maybe<number>;
  /** The company of which this one became part by a merge of accounts. */
  partOf: Maybe<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** The folded name (`foldForSearch`), for the list of companies. It is filled in when the name is stored. */
  sortName: ColumnType<string, string | undefined, string>;
}

/** What staff have noted about a company. The database refuses changes of a note and its deletion. */
export interface CompanyNoteTable {
  id: Generated<number>;
  companyId: number;
  writtenBy: number;
  writtenAt: Timestamp;
  text: string;
}

/** What members may do in their company. */
export type CompanyRole = "owner" | "purchaser" | "technical" | "reader";

/** The members of companies. A person can belong to several. */
export interface MembershipTable {
  companyId: number;
  userId: number;
  role: CompanyRole;
  joinedAt: Timestamp;
}

/** Invitations of people to a company. Only the SHA-256 hash of the token in the link is stored. */
export interface InvitationTable {
  id: Generated<number>;
  companyId: number;
  /** The address to which the link was sent. Only an account with this address can use it. */
  email: string;
  role: CompanyRole;
  tokenHash: string;
  invitedBy: number;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  /** When it was accepted, withdrawn or replaced by a later one. Null while it can be used. */
  endedAt: MaybeTimestamp;
  /** The account that accepted it. */
  acceptedBy: Maybe<number>;
}

/** What a company is called: its name, and its registration number. */
type CompanyDetailKind = "company" | "company-number";

/**
 * What a person and the companies in which they worked are and were called, as it was typed. Each change of a detail adds the text before it
 * and the one after it. The four-eyes principle compares them, so that nobody becomes somebody else by a new name.
 * `confirmed-email` is an address that was confirmed at the time. What is found by such an address alone belongs to the person.
 */
export interface FormerUserDetailTable {
  userId: number;
  kind: "name" | "email" | "confirmed-email" | CompanyDetailKind;
  text: string;
  notedAt: Timestamp;
}

/** What a company is and was called, like `FormerUserDetailTable`. */
export interface FormerCompanyDetailTable {
  companyId: number;
  kind: CompanyDetailKind;
  text: string;
  notedAt: Timestamp;
}

/** How the control of a domain or mailbox was shown. */
export type DomainMethod = "dns" | "http" | "mail";

/** A domain or mailbox that a company confirms or has confirmed. A row that has ended stays as evidence when it was confirmed. */
export interface CompanyDomainTable {
  id: Generated<number>;
  companyId: number;
  /** A DNS name in ASCII and lower case, or a mailbox in lower case. */
  name: string;
  createdBy: number;
  createdAt: Timestamp;
  /** The random value of the challenge, which DNS or a file must show. */
  token: string;
  challengeEndsAt: Timestamp;
  /** The address to which the link was sent last. */
  mailedTo: Maybe<string>;
  /** The SHA-256 hash of the token in that link. */
  mailTokenHash: Maybe<string>;
  confirmedAt: MaybeTimestamp;
  method: Maybe<DomainMethod>;
  /** The value with which DNS or a file confirmed it. The nightly check looks for it again. */
  confirmedToken: Maybe<string>;
  validUntil: MaybeTimestamp;
  /** The last reminder: the number of days before `validUntil`. */
  remindedDays: Maybe<number>;
  /** When the nightly check was made last. */
  recheckedAt: MaybeTimestamp;
  /** How many nightly checks in a row have failed. */
  failedNights: ColumnType<number, number | undefined, number>;
  /** When the company checked last. */
  checkedAt: MaybeTimestamp;
  /** Why the last check failed, as a sentence. */
  problem: Maybe<string>;
  endedAt: MaybeTimestamp;
  /** Why it ended, as a sentence. */
  endedWhy: Maybe<string>;
}
