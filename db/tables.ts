import { type ColumnType, type Generated, type Insertable, type Selectable } from "kysely";

/** A moment: read as ISO text in UTC with milliseconds, written as Date or ISO text. */
export type Moment = ColumnType<string, Date | string, Date | string>;
export type MaybeMoment = ColumnType<string | null, Date | string | null | undefined, Date | string | null>;
/** Read as 0 or 1, written as boolean. */
export type Flag = ColumnType<0 | 1, boolean, boolean>;
export type MaybeFlag = ColumnType<0 | 1 | null, boolean | null | undefined, boolean | null>;
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface CountryTable {
  /** ISO 3166-1 numeric. */
  id: number;
  iso: string;
  name: string;
  euMember: Flag;
}

export interface UserTable {
  id: Generated<number>;
  username: string;
  email: string;
  passwordHash: string;
  passwordChangedAt: Moment;
  /** The password was set by somebody else or is unknown: it counts as expired. */
  mustChangePassword: ColumnType<0 | 1, boolean | undefined, boolean>;
  firstName: string;
  lastName: string;
  company: string;
  position: string;
  telephoneNumber: string;
  vatNumber: Maybe<string>;
  vatNumberChecked: MaybeFlag;
  taxNumber: Maybe<string>;
  companyRegistrationNumber: Maybe<string>;
  securityQuestion: Maybe<string>;
  securityAnswerHash: Maybe<string>;
  isApplicant: Flag;
  isAdmin: Flag;
  isDisabled: Flag;
  mergedInto: Maybe<number>;
  sessionEpoch: ColumnType<number, number | undefined, number>;
  failedLogins: ColumnType<number, number | undefined, number>;
  /** How often the account was locked since the last successful login: each lock lasts longer. */
  lockCount: ColumnType<number, number | undefined, number>;
  lockedUntil: MaybeMoment;
  lastLoginAt: MaybeMoment;
  emailVerifiedAt: MaybeMoment;
  companyAddressId: Maybe<number>;
  invoicingAddressId: Maybe<number>;
  mailingAddressId: Maybe<number>;
  /** Folded names, company, e-mail and user name, for the list's search; the repository keeps it and the next two. */
  searchText: ColumnType<string, string | undefined, string>;
  /** Folded last and first name, for the list's order. */
  sortName: ColumnType<string, string | undefined, string>;
  sortCompany: ColumnType<string, string | undefined, string>;
  createdAt: Moment;
  updatedAt: Moment;
}

export interface AddressTable {
  id: Generated<number>;
  userId: number;
  company: Maybe<string>;
  street1: string;
  street2: Maybe<string>;
  street3: Maybe<string>;
  city: string;
  region: Maybe<string>;
  postcode: string;
  countryId: number;
}

/**
 * `verify-email` proves the account's address, `change-email` gives it another one, `reset-password` is the code in the mail,
 * `change-password` the check of it that succeeded, `login-as-user` an authString, `partner-login` the remote login of a framed form.
 */
export type TokenPurpose =
  | "verify-email"
  | "change-email"
  | "authorise-order"
  | "reset-password"
  | "change-password"
  | "login-as-user"
  | "partner-login";

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
}

/** Sessions that were logged out: a copy of their cookie is worth nothing. */
export interface EndedSessionTable {
  id: string;
  expiresAt: Moment;
}

export type DraftKind = "certificate-purchase" | "certificate-renewal" | "code-purchase";

export interface DraftTable {
  /** 128 random bits, base64url; names the draft in `?draft=`. */
  id: string;
  userId: number;
  kind: DraftKind;
  /** JSON of the steps saved so far. */
  data: string;
  orderId: Maybe<number>;
  createdAt: Moment;
  updatedAt: Moment;
  expiresAt: Moment;
}

export type OrderStatus = "Open" | "Invoiced" | "Paid" | "Cancelled";
/** Purchase order type enumeration of B §3. */
export const PURCHASE_ORDER_TYPE = { code: 0, certificate: 1 } as const;

export interface OrderTable {
  id: Generated<number>;
  purchaseOrderType: 0 | 1;
  userId: number;
  /** The draft that became this order; unique, so that a draft becomes at most one order. */
  draftId: Maybe<string>;
  status: OrderStatus;
  purchaseOrderNumber: string;
  createdAt: Moment;
  updatedAt: Moment;
  priceCents: number;
  discountCents: number;
  netCents: number;
  vatRate: number;
  vatCents: number;
  totalCents: number;
  promotionCode: Maybe<string>;
  vatNumber: Maybe<string>;
  vatNumberChecked: MaybeFlag;
  /** JSON of the invoice address as it was given. */
  invoiceAddress: string;
  countryId: number;
  company: string;
  isNotified: MaybeFlag;
  remarks: Maybe<string>;
  invoiceNumber: Maybe<string>;
  invoiceCents: Maybe<number>;
  invoiceDate: MaybeMoment;
  paymentCents: Maybe<number>;
  paymentDate: MaybeMoment;
  codeType: Maybe<string>;
  numberOfCodes: Maybe<number>;
  isMaintenance: Flag;
}

export interface PromotionCodeTable {
  code: string;
  valueCents: number;
  months: number;
  validUntil: MaybeMoment;
  usedByOrderId: Maybe<number>;
  usedAt: MaybeMoment;
  createdAt: Moment;
  /** What it was created with; null for codes that came in another way. */
  batchId: Maybe<string>;
  /** An administrator took it back: it cannot be used any more. */
  withdrawnAt: MaybeMoment;
}

/** One form of an administrator that created promotion codes; its id is made with the form, so that sent twice it creates once. */
export interface PromotionBatchTable {
  /** 128 random bits, base64url. */
  id: string;
  count: number;
  createdAt: Moment;
}

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
export type HierarchyName = "sha2" | "g3";

export interface CertificateTable {
  id: Generated<number>;
  orderId: number;
  userId: number;
  status: CertificateStatus;
  orderType: CertificateOrderType;
  previousCertificateId: Maybe<number>;
  requestedAt: Moment;
  updatedAt: Moment;

  // The request (RFC 2986) and what was chosen with it.
  csr: Buffer;
  csrSha256: string;
  /** SHA-256 of the SubjectPublicKeyInfo: the fingerprint that is shown. */
  publicKeySha256: string;
  /** What makes two keys the same secret (Csr.keyIdentity): keys are blocked and found in use by it. */
  keyIdentity: string;
  commonName: string;
  organisation: string;
  organisationUnit: Maybe<string>;
  locality: Maybe<string>;
  state: Maybe<string>;
  country: string;
  email: Maybe<string>;
  /** JSON list of { type, value }. */
  subjectAlternateName: string;
  ssid: Maybe<string>;
  isManualSsid: Flag;
  hasSecureSession: Flag;
  hasEmail: Flag;
  hasEncryption: Flag;
  hasFileSigning: Flag;
  validityYears: number;
  hierarchy: HierarchyName;
  /** JSON snapshots of the two contacts at the time of the order. */
  technicalContact: string;
  authenticationContact: string;
  authenticationEmail: string;
  /** Folded common name (`foldText`), for the list's order. */
  sortName: string;
  /** Folded common name, names, SSID and serial number, for the list's search. */
  searchText: string;
  /** Folded company of the owner's account, for the staff's search; to be set anew when that changes. */
  ownerText: string;

  // Identity checks. `contactAnswer` comes from the contact's link or is recorded by staff.
  contactAnswer: Maybe<"authorised" | "refused">;
  contactAnsweredAt: MaybeMoment;
  contactAnswerBy: Maybe<string>;
  contactNote: Maybe<string>;
  organisationCheckedAt: MaybeMoment;
  organisationCheckedBy: Maybe<string>;
  organisationNote: Maybe<string>;
  csrCheckedAt: MaybeMoment;
  csrCheckedBy: Maybe<string>;
  csrNote: Maybe<string>;
  decidedAt: MaybeMoment;
  decidedBy: Maybe<number>;
  decisionReason: Maybe<string>;

  // Issuing: serial and to-be-signed are recorded before the signature, `der` after it.
  authorityId: Maybe<number>;
  serialNumber: Maybe<string>;
  tbsCertificate: Maybe<Buffer>;
  /** JSON of what the certificate must say (CertificateProfile of app/ca), recorded with the to-be-signed bytes. */
  certificateProfile: Maybe<string>;
  der: Maybe<Buffer>;
  thumbprint: Maybe<string>;
  issuedAt: MaybeMoment;
  startDate: MaybeMoment;
  expiryDate: MaybeMoment;
  downloadedAt: MaybeMoment;
  /** The last reminder of the expiry that was sent: how many days before. */
  remindedDays: Maybe<number>;

  // Revocation. `revocationDate` is when it takes (or took) effect.
  revocationDate: MaybeMoment;
  invalidityDate: MaybeMoment;
  revocationReason: Maybe<number>;
  revocationDescription: Maybe<string>;
  revokedBy: Maybe<number>;
  revokedCertificateDer: Maybe<Buffer>;
  /** Number of the first list that carries the entry: a delta since base b holds the entries above b. */
  firstCrlNumber: Maybe<number>;

  /** The product that holds the key's modulus; 0 when it is no RSA key, null until a job has looked at it. */
  modulusProductId: Maybe<number>;
}

export type AuthorityName = "root" | "issuing-sha2" | "root-g3" | "issuing-g3";

export interface AuthorityTable {
  id: Generated<number>;
  name: AuthorityName;
  hierarchy: HierarchyName;
  isRoot: Flag;
  certificate: Buffer;
  subjectName: string;
  notAfter: Moment;
  /** The last CRL number given out, base and delta together (RFC 5280 §5.2.3). */
  crlNumber: ColumnType<number, number | undefined, number>;
  createdAt: Moment;
}

export interface CrlTable {
  id: Generated<number>;
  authorityId: number;
  isDelta: Flag;
  number: number;
  baseNumber: Maybe<number>;
  thisUpdate: Moment;
  nextUpdate: Moment;
  der: Buffer;
  entryCount: number;
}

/** A delegated OCSP responder of an issuing CA. Rows stay, so that every serial number that a CA has signed is known. */
export interface OcspResponderTable {
  id: Generated<number>;
  authorityId: number;
  /** 1, 2, … of its CA: of two processes that make the next one, one comes first. */
  generation: number;
  /** Upper-case hex. */
  serialNumber: string;
  /** Encrypted like the CA keys, PEM; erased after its certificate's end. */
  privateKey: Maybe<string>;
  /** Recorded before it is signed. */
  tbsCertificate: Buffer;
  certificate: Maybe<Buffer>;
  notBefore: Moment;
  notAfter: Moment;
  createdAt: Moment;
}

/** Public keys that are refused for ever, for all customers. */
export interface BlockedKeyTable {
  /** See `keyIdentity` of CertificateTable. */
  keyIdentity: string;
  reason: string;
  createdAt: Moment;
}

/** A file of known bad keys that was imported. */
export interface KeyListTable {
  id: Generated<number>;
  name: string;
  /** Keys that are listed because of it; those that an earlier list had are counted there. */
  keyCount: number;
  createdAt: Moment;
  updatedAt: Moment;
}

/** Known bad keys by their fingerprint (`listFingerprints`): 10 bytes of openssl-blacklist, or 32 of a SubjectPublicKeyInfo. */
export interface ListedKeyTable {
  fingerprint: Buffer;
  listId: number;
}

/** Products of RSA moduli, for finding a prime factor that a new one shares with them. */
export interface ModulusProductTable {
  id: Generated<number>;
  keyCount: number;
  /** Unsigned, big-endian. */
  product: Buffer;
}

export interface AuditTable {
  id: Generated<number>;
  at: Moment;
  actorId: Maybe<number>;
  /** The administrator behind a login-as-user. */
  impersonatorId: Maybe<number>;
  actorName: string;
  event: string;
  message: string;
  userId: Maybe<number>;
  orderId: Maybe<number>;
  certificateId: Maybe<number>;
  reference: Maybe<string>;
}

export interface MailTable {
  id: Generated<number>;
  /** One message per key, whatever is retried. */
  dedupeKey: string;
  recipient: string;
  subject: string;
  /** Empty, like the next one, as soon as the message is sent. */
  text: string;
  html: string;
  orderId: Maybe<number>;
  createdAt: Moment;
  attempts: ColumnType<number, number | undefined, number>;
  nextAttemptAt: Moment;
  leasedUntil: MaybeMoment;
  sentAt: MaybeMoment;
  lastError: Maybe<string>;
}

export interface JobTable {
  name: string;
  nextRunAt: Moment;
  leasedUntil: MaybeMoment;
  leasedBy: Maybe<string>;
  lastStartedAt: MaybeMoment;
  lastFinishedAt: MaybeMoment;
  lastResult: Maybe<string>;
  lastError: Maybe<string>;
}

/** Configuration that is changed while running: homepage settings and saved entries such as `queryParams`. */
export interface SettingTable {
  name: string;
  /** 0 for the portal's own settings, else the user that the entry belongs to. */
  userId: number;
  value: string;
  updatedAt: Moment;
}

/** Owned by rate-limiter-flexible; its column names. */
export interface RateLimitTable {
  key: string;
  points: number;
  expire: Maybe<number>;
}

export interface Database {
  countries: CountryTable;
  users: UserTable;
  addresses: AddressTable;
  tokens: TokenTable;
  endedSessions: EndedSessionTable;
  drafts: DraftTable;
  orders: OrderTable;
  promotionCodes: PromotionCodeTable;
  promotionBatches: PromotionBatchTable;
  certificates: CertificateTable;
  authorities: AuthorityTable;
  crls: CrlTable;
  ocspResponders: OcspResponderTable;
  blockedKeys: BlockedKeyTable;
  keyLists: KeyListTable;
  listedKeys: ListedKeyTable;
  modulusProducts: ModulusProductTable;
  auditEntries: AuditTable;
  mails: MailTable;
  jobs: JobTable;
  settings: SettingTable;
  rateLimits: RateLimitTable;
}

export type Row<T extends keyof Database> = Selectable<Database[T]>;
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;
