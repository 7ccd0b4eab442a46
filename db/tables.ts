import { type Insertable, type Selectable } from "kysely";
import {
  type AddressTable,
  type ApiTokenTable,
  type CountryTable,
  type DualControlRequestTable,
  type GroupRightTable,
  type SignOnIdentityTable,
  type SessionTable,
  type LoginPlaceTable,
  type RecoveryCodeTable,
  type SecondFactorTable,
  type TokenTable,
  type UserRightTable,
  type UserTable,
} from "./tables/accounts";
import {
  type AcmeAccountTable,
  type AcmeAuthorizationTable,
  type AcmeKeyTable,
  type AcmeNonceTable,
  type AcmeOrderTable,
} from "./tables/acme";
import { type ApiClientSecretTable, type ApiClientTable, type ApiClientTokenTable } from "./tables/api-clients";
import {
  type AuditCheckpointTable,
  type AuditErasureTable,
  type AuditHeadTable,
  type AuditTable,
} from "./tables/audit";
import {
  type AuthorityTable,
  type CrlFileTable,
  type CrlTable,
  type CrossCertificateTable,
  type OcspResponderTable,
} from "./tables/authorities";
import {
  type CertificateNotesTable,
  type CertificatePartnerLinkTable,
  type CertificatePartnerTable,
  type CertificatePartnerSettingsTable,
  type CertificatePublicationTable,
  type CertificateTagTable,
  type CertificateTable,
  type ErasedContactTable,
  type CheckEvidenceTable,
  type OrderCommentTable,
} from "./tables/certificates";
import {
  type AvailableCodesTable,
  type CodeContactTable,
  type CodeTable,
  type CodeWordTable,
  type EntityCertificateTable,
  type EntityFollowerTable,
} from "./tables/codes";
import {
  type CompanyDomainTable,
  type CompanyNoteTable,
  type CompanyTable,
  type FormerCompanyDetailTable,
  type FormerUserDetailTable,
  type InvitationTable,
  type MembershipTable,
} from "./tables/companies";
import {
  type InvoiceCounterTable,
  type InvoiceFileTable,
  type InvoiceFurtherOrderTable,
  type InvoiceTable,
  type OrderCorrectionTable,
} from "./tables/invoices";
import {
  type BlockedKeyTable,
  type KeyComparisonTable,
  type KeyListTable,
  type ListedKeyTable,
  type ModulusProductTable,
} from "./tables/keys";
import {
  type AlertTable,
  type AuditFindingTable,
  type CertificateAuditTable,
  type ContactStopTable,
  type JobTable,
  type MailTable,
  type RateLimitTable,
  type RevocationPublicationTable,
  type SettingTable,
  type StatusEventTable,
  type WriteProbeTable,
} from "./tables/operations";
import {
  type ApiIdempotencyTable,
  type DraftTable,
  type MaintenanceOrderTable,
  type OrderLineTable,
  type OrderTable,
  type OrderWordTable,
  type PromotionBatchTable,
  type PromotionCodeTable,
} from "./tables/orders";
import { type SecurityEventTable } from "./tables/security-events";
import { type StandingAuthorisationTable, type StandingOrderTable } from "./tables/standing-authorisations";
import { type WebhookDeliveryTable, type WebhookEndpointTable, type WebhookPositionTable } from "./tables/webhooks";

export type * from "./tables/accounts";
export type * from "./tables/acme";
export type * from "./tables/api-clients";
export type * from "./tables/audit";
export type * from "./tables/authorities";
export type * from "./tables/certificates";
export type * from "./tables/codes";
export type * from "./tables/columns";
export type * from "./tables/companies";
export type * from "./tables/invoices";
export type * from "./tables/keys";
export type * from "./tables/operations";
export type * from "./tables/orders";
export type * from "./tables/security-events";
export type * from "./tables/standing-authorisations";
export type * from "./tables/webhooks";

export interface Database {
  countries: CountryTable;
  users: UserTable;
  companies: CompanyTable;
  memberships: MembershipTable;
  formerUserDetails: FormerUserDetailTable;
  formerCompanyDetails: FormerCompanyDetailTable;
  invitations: InvitationTable;
  companyNotes: CompanyNoteTable;
  companyDomains: CompanyDomainTable;
  standingAuthorisations: StandingAuthorisationTable;
  standingOrders: StandingOrderTable;
  addresses: AddressTable;
  tokens: TokenTable;
  apiTokens: ApiTokenTable;
  apiClients: ApiClientTable;
  apiClientSecrets: ApiClientSecretTable;
  apiClientTokens: ApiClientTokenTable;
  sessions: SessionTable;
  loginPlaces: LoginPlaceTable;
  secondFactors: SecondFactorTable;
  recoveryCodes: RecoveryCodeTable;
  userRights: UserRightTable;
  groupRights: GroupRightTable;
  signOnIdentities: SignOnIdentityTable;
  dualControlRequests: DualControlRequestTable;
  drafts: DraftTable;
  apiIdempotency: ApiIdempotencyTable;
  orders: OrderTable;
  orderWords: OrderWordTable;
  orderLines: OrderLineTable;
  maintenanceOrders: MaintenanceOrderTable;
  invoiceCounters: InvoiceCounterTable;
  invoices: InvoiceTable;
  invoiceFiles: InvoiceFileTable;
  invoiceFurtherOrders: InvoiceFurtherOrderTable;
  orderCorrections: OrderCorrectionTable;
  promotionCodes: PromotionCodeTable;
  promotionBatches: PromotionBatchTable;
  certificates: CertificateTable;
  erasedContacts: ErasedContactTable;
  checkEvidence: CheckEvidenceTable;
  orderComments: OrderCommentTable;
  certificateNotes: CertificateNotesTable;
  certificateTags: CertificateTagTable;
  certificatePartners: CertificatePartnerTable;
  certificatePartnerLinks: CertificatePartnerLinkTable;
  certificatePublications: CertificatePublicationTable;
  certificatePartnerSettings: CertificatePartnerSettingsTable;
  codes: CodeTable;
  codeContacts: CodeContactTable;
  codeWords: CodeWordTable;
  entityCertificates: EntityCertificateTable;
  entityFollowers: EntityFollowerTable;
  availableCodes: AvailableCodesTable;
  authorities: AuthorityTable;
  crls: CrlTable;
  crlFiles: CrlFileTable;
  ocspResponders: OcspResponderTable;
  crossCertificates: CrossCertificateTable;
  blockedKeys: BlockedKeyTable;
  keyLists: KeyListTable;
  listedKeys: ListedKeyTable;
  modulusProducts: ModulusProductTable;
  keyComparisons: KeyComparisonTable;
  auditEntries: AuditTable;
  auditErasures: AuditErasureTable;
  auditHead: AuditHeadTable;
  auditCheckpoints: AuditCheckpointTable;
  securityEvents: SecurityEventTable;
  mails: MailTable;
  contactStops: ContactStopTable;
  webhookEndpoints: WebhookEndpointTable;
  webhookDeliveries: WebhookDeliveryTable;
  webhookPositions: WebhookPositionTable;
  acmeKeys: AcmeKeyTable;
  acmeAccounts: AcmeAccountTable;
  acmeNonces: AcmeNonceTable;
  acmeOrders: AcmeOrderTable;
  acmeAuthorizations: AcmeAuthorizationTable;
  jobs: JobTable;
  alerts: AlertTable;
  certificateAudits: CertificateAuditTable;
  auditFindings: AuditFindingTable;
  statusEvents: StatusEventTable;
  revocationPublications: RevocationPublicationTable;
  settings: SettingTable;
  rateLimits: RateLimitTable;
  writeProbes: WriteProbeTable;
}

export type Row<T extends keyof Database> = Selectable<Database[T]>;
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;
