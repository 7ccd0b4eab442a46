import { type Generated } from "kysely";
import { type Maybe, type MaybeMoment, type Moment } from "./columns";

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

/** Order types as lists show them: an initial order with a previous certificate is a reissue. */
export const SHOWN_ORDER_TYPES = ["Initial", "Renewal", "Reissue"] as const;
export type ShownOrderType = (typeof SHOWN_ORDER_TYPES)[number];
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
  isManualSsid: boolean;
  hasSecureSession: boolean;
  hasEmail: boolean;
  hasEncryption: boolean;
  hasFileSigning: boolean;
  validityYears: number;
  hierarchy: HierarchyName;
  /** JSON snapshots of the two contacts at the time of the order. */
  technicalContact: string;
  authenticationContact: string;
  authenticationEmail: string;
  /** Folded common name (`foldForSearch`), for the list's order. */
  sortName: string;
  /** Folded common name, names, SSID and serial number, for the list's search. */
  searchText: string;

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
