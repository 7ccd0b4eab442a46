import { type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

export const CERTIFICATE_STATUSES = [
  "Pending",
  "Issued",
  "Downloaded",
  "Revoked",
  "RequestRevoke",
  "Expired",
  "Renewed",
  "Cancelled",
  "Rejected",
  "Unknown",
] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];
export type CertificateOrderType = "Initial" | "Renewal";

/** Order types as tables show them. An initial order with a previous certificate is a reissue. */
export const SHOWN_ORDER_TYPES = ["Initial", "Renewal", "Reissue"] as const;
export type ShownOrderType = (typeof SHOWN_ORDER_TYPES)[number];

/** How far a pending order has come. Each order is at exactly one stage. */
export const QUEUE_STAGES = ["ready", "new", "begun", "contact", "customer", "refused", "issuing"] as const;
export type QueueStage = (typeof QUEUE_STAGES)[number];
export type HierarchyName = "sha2" | "g3";

/**
 * The contacts of certificates whose persons have been erased while the certificate was in force. A job replaces each by the pseudonym when
 * the certificate has ended.
 */
export interface ErasedContactTable {
  certificateId: number;
  contact: "technical" | "authentication";
  /** The account that was erased. */
  userId: number;
}

/** What staff have written about an order for each other. The database refuses changes of a comment and its deletion. */
export interface OrderCommentTable {
  id: Generated<number>;
  certificateId: number;
  writtenBy: number;
  writtenAt: Timestamp;
  text: string;
}

/** The checks of an order that staff record. */
export type CheckedPart = "contact" | "organisation" | "csr";

/**
 * What a program or a person found out for a check of an order. It records no check. The database refuses changes and deletions.
 */
export interface CheckEvidenceTable {
  id: Generated<number>;
  certificateId: number;
  checkName: CheckedPart;
  text: string;
  /** Where it was found: the number or the address of a document. Empty when none was given. */
  reference: string;
  /** The person, or whoever answers for the API client. */
  addedBy: number;
  apiClientId: Maybe<number>;
  addedAt: Timestamp;
}

/** What the company of a certificate notes about it. A certificate about which nothing was ever noted has no row. */
export interface CertificateNotesTable {
  certificateId: number;
  notes: string;
  /** JSON array of the tags, in the order in which they were given. */
  tags: string;
  /** 1 for the first notes, and one more with each change. */
  version: number;
  changedBy: number;
  changedAt: Timestamp;
}

/** A tag that the company of a certificate has given it. It repeats `CertificateNotesTable.tags` for the list, which is filtered by it. */
export interface CertificateTagTable {
  certificateId: number;
  companyId: number;
  tag: string;
  /** Folded (`foldForSearch`). */
  folded: string;
}

/** What a partner has answered on the page of a new certificate. `stopped` means that the partner wants no more messages. */
export type PartnerAnswer = "imported" | "question" | "not-ours" | "stopped";

/**
 * Somebody who has to trust a certificate: an address, or an entity of the register, whose owner's address is read when a message is sent
 * and never shown.
 */
export interface CertificatePartnerTable {
  id: Generated<number>;
  certificateId: number;
  companyId: number;
  /** In lower case. Null for an entity of the register. */
  email: Maybe<string>;
  codeId: Maybe<number>;
  /** "" when none was given. */
  name: string;
  addedBy: number;
  addedAt: Timestamp;
  sentAt: MaybeTimestamp;
  openedAt: MaybeTimestamp;
  answer: Maybe<PartnerAnswer>;
  answeredAt: MaybeTimestamp;
  /** What the partner asked, or null. */
  question: Maybe<string>;
  /** How often the partner was reminded of this certificate, and when last. */
  reminders: Generated<number>;
  remindedAt: MaybeTimestamp;
}

/** The links to the page of a partner. Only the SHA-256 hashes of their tokens are stored. */
export interface CertificatePartnerLinkTable {
  linkHash: string;
  partnerId: number;
  createdAt: Timestamp;
}

/** When a certificate was published to its partners last, and the day on which the company plans to use it. */
export interface CertificatePublicationTable {
  certificateId: number;
  publishedBy: number;
  publishedAt: Timestamp;
  /** `yyyy-MM-dd`, or null. */
  cutOverOn: Maybe<string>;
}

/** The choice of a company that renewals of a certificate are published to its partners by themselves. It moves to each renewal. */
export interface CertificatePartnerSettingsTable {
  certificateId: number;
  /** How many days after the issue of a renewal the switch is planned. */
  switchDays: number;
  setBy: number;
  setAt: Timestamp;
  /** When it moved to a renewal that is still to be published; otherwise null. */
  dueAt: MaybeTimestamp;
}

export interface CertificateTable {
  id: Generated<number>;
  orderId: number;
  /** Who ordered it. */
  userId: number;
  companyId: number;
  status: CertificateStatus;
  orderType: CertificateOrderType;
  previousCertificateId: Maybe<number>;
  /** Whether the owner ordered it to correct the previous certificate, which is then revoked as superseded. */
  isCorrection: Generated<boolean>;
  requestedAt: Timestamp;
  updatedAt: Timestamp;

  // The CSR (RFC 2986) and the choices made with it.
  csr: Buffer;
  csrSha256: string;
  /** SHA-256 of the SubjectPublicKeyInfo, shown as the fingerprint. */
  publicKeySha256: string;
  /** The identity of the key (Csr.keyIdentity), which is equal for two encodings of the same key. Keys are blocked and looked up by it. */
  keyIdentity: string;
  commonName: string;
  organisation: string;
  organisationUnit: Maybe<string>;
  locality: Maybe<string>;
  state: Maybe<string>;
  country: string;
  email: Maybe<string>;
  /** JSON array of { type, value }. */
  subjectAlternateName: string;
  ssid: Maybe<string>;
  isManualSsid: boolean;
  hasSecureSession: boolean;
  hasEmail: boolean;
  hasEncryption: boolean;
  hasFileSigning: boolean;
  validityYears: number;
  hierarchy: HierarchyName;
  /** JSON copies of the two contacts at the time of the order. */
  technicalContact: string;
  authenticationContact: string;
  authenticationEmail: string;
  /** Folded common name (`foldForSearch`), used for sorting. */
  sortName: string;
  /** Folded common name, names, SSID and serial number, for the search. */
  searchText: string;
  /**
   * Folded name and email address of the authentication contact, for the search. It is a column of its own because it has to be erased, and so
   * that an approval, which changes `searchText`, leaves its index alone. Of an erased person it has the pseudonym.
   */
  contactSearchText: string;

  // Identity checks. `contactAnswer` comes from the contact's link or is entered by staff.
  contactAnswer: Maybe<"authorised" | "refused">;
  contactAnsweredAt: MaybeTimestamp;
  contactAnswerBy: Maybe<string>;
  contactNote: Maybe<string>;
  organisationCheckedAt: MaybeTimestamp;
  organisationCheckedBy: Maybe<string>;
  organisationNote: Maybe<string>;
  csrCheckedAt: MaybeTimestamp;
  csrCheckedBy: Maybe<string>;
  csrNote: Maybe<string>;
  decidedAt: MaybeTimestamp;
  decidedBy: Maybe<number>;
  decisionReason: Maybe<string>;
  /** Who of staff works on the pending order, and since when. It keeps nobody from deciding the order. */
  assignedTo: Maybe<number>;
  assignedAt: MaybeTimestamp;

  // Issuing. The serial number and the TBS certificate are stored before the signature, `der` after it.
  authorityId: Maybe<number>;
  serialNumber: Maybe<string>;
  tbsCertificate: Maybe<Buffer>;
  /** JSON of what the certificate must contain (CertificateProfile of app/ca), stored with the TBS certificate. */
  certificateProfile: Maybe<string>;
  der: Maybe<Buffer>;
  /** SHA-1 and SHA-256 of `der` in upper-case hex. */
  thumbprint: Maybe<string>;
  thumbprintSha256: Maybe<string>;
  issuedAt: MaybeTimestamp;
  startDate: MaybeTimestamp;
  expiryDate: MaybeTimestamp;
  downloadedAt: MaybeTimestamp;
  /** The last expiry reminder that was sent, as the number of days before the expiry. */
  remindedDays: Maybe<number>;

  // Revocation. `revocationDate` is when the revocation takes or took effect.
  revocationDate: MaybeTimestamp;
  invalidityDate: MaybeTimestamp;
  revocationReason: Maybe<number>;
  revocationDescription: Maybe<string>;
  revokedBy: Maybe<number>;
  revokedCertificateDer: Maybe<Buffer>;
  /** Number of the first CRL that contains the entry. A delta CRL on base b contains the entries above b. */
  firstCrlNumber: Maybe<number>;

  /** The product that contains the modulus of the key. 0 when the key is not an RSA key, null until a job has checked it. */
  modulusProductId: Maybe<number>;
}
