import { fulfils, may, type Requirement, type RightsHolder, type Task } from "~/domain/accounts/rights.policy";
import { type CompanyTask, mayFor, type Member } from "~/domain/companies/roles.policy";

/** What a member needs for something that the company owns, and what staff need for it. Without `staff` it is for members only. */
interface ForMembers {
  member: CompanyTask;
  staff?: Task;
  /** Whether it is only for the person who made it, such as a draft that was not handed over. */
  isPersonal?: true;
}

/**
 * What a visitor needs: nothing ("anyone"), a login ("any"), a code of the company or a right of staff ("a code"), a secret that no account
 * has ("a secret"), a task of members in the company where they work, a task of staff, all tasks of a list, or a task about something that a
 * company owns.
 */
export type Need = "anyone" | "any" | "a code" | "a secret" | Requirement | readonly Requirement[] | ForMembers;

/** What a route needs: its loader and its action, if they differ. */
type RouteNeed = Need | { loader: Need; action: Need };

/**
 * What each route needs: its loader and its action, if they differ. A member's task with `asApplicant` needs the right Applicant, too. Pages
 * about something that a company owns let in everybody who is logged in; `asking-pages.ts` says what they need for it.
 */
export const ROUTE_NEEDS: Record<string, RouteNeed> = {
  $: "anyone",
  "[.]well-known.security[.]txt": "anyone",
  "_public._index": "anyone",
  "_public.api.docs": "anyone",
  "_public.authorise-order.$token": "anyone",
  "_public.certificate-repository": "anyone",
  "_public.certificate-repository_.$policy": "anyone",
  "_public.check-csr": "anyone",
  "_public.change-password": "anyone",
  "_public.complete-registration": "any",
  "_public.consolidate-users": "any",
  "_public.csr-rules": "anyone",
  "_public.forgot-password": "anyone",
  "_public.invitation.$token": { loader: "anyone", action: "any" },
  "_public.login": "anyone",
  "_public.login-as-user.$userId.$authString": "change-users",
  "_public.login_.factor": "anyone",
  "_public.login_.sso": "anyone",
  "_public.login_.sso_.callback": "anyone",
  "_public.no-more-messages.$token": "anyone",
  "_public.password-expiry": "any",
  "_public.prepare-csr": "anyone",
  "_public.register": "anyone",
  "_public.reset-code": "anyone",
  "_public.reset-code_.$token.$email": "anyone",
  "_public.second-factors": "any",
  "_public.second-factors_.app": "any",
  "_public.second-factors_.confirm": "any",
  "_public.verify-email.$token": "anyone",
  "api.$": "anyone",
  "api.openapi[.]json": "anyone",
  "company-choice": { loader: "anyone", action: "any" },
  "end-login-as-user": { loader: "anyone", action: "any" },
  home: "any",
  "home._index": "any",
  "home.audit-trail": "see-audit-trail",
  "home.audit-trail_.file": "see-audit-trail",
  "home.certificate-audit": "see-jobs",
  "home.certificate-csr.$id": "any",
  "home.certificate-details.$id": "any",
  "home.certificate-download.$id": "any",
  "home.certificate-file.$id": "any",
  "home.certificate-queue.$id": "see-queue",
  "home.certificate-queue._index": "see-queue",
  "home.certificate-queue.approve": "approve-orders",
  "home.certificate-queue.confirm": "approve-orders",
  "home.certificate-repository": "any",
  "home.certificate.$wizard": "place-orders",
  "home.certificate.$wizard._index": "place-orders",
  "home.certificate.$wizard.contact-details": "place-orders",
  "home.certificate.$wizard.invoice-address": "place-orders",
  "home.certificate.$wizard.order": "place-orders",
  "home.certificate.$wizard.order-complete": "place-orders",
  "home.certificate.purchase_.promotion": "place-orders",
  "home.certificate.reissue.$id": "reissue-certificates",
  "home.certificate.revoke.$id": "any",
  "home.certificates": "any",
  "home.certificates_.certificate-repository": "any",
  "home.code.purchase": "place-orders",
  "home.code.purchase._index": "place-orders",
  "home.code.purchase.contact-details": "place-orders",
  "home.code.purchase.invoice-address": "place-orders",
  "home.code.purchase.order": "place-orders",
  "home.code.purchase.order-complete": "place-orders",
  "home.codes": "any",
  "home.codes_.code-details": "any",
  "home.codes_.code-details_.audit-log": "see-customers",
  "home.codes_.code-details_.contact-details": "any",
  "home.companies.$id": { loader: "see-companies", action: "write-company-notes" },
  "home.companies.$id_.notes": "see-customers",
  "home.companies._index": "see-companies",
  "home.company": { loader: "see-company", action: "manage-company" },
  "home.company_.$id": "see-company",
  "home.company_.api-clients.$id": "manage-company",
  "home.company_.api-clients._index": "manage-company",
  "home.company_.api-clients.new": "manage-company",
  "home.dashboard": "any",
  "home.file": "any",
  "home.frame-problem.$targetSite.$targetUrl": "any",
  "home.frame.$targetSite.$targetUrl.($json)": "any",
  "home.invoice.$id": "any",
  "home.jobs": { loader: "see-jobs", action: "run-jobs" },
  "home.mail._index": { loader: "see-mail", action: "change-mail" },
  "home.mail.templates.$kind": "see-mail",
  "home.mail.templates.$kind_.html": "see-mail",
  "home.mail.templates._index": "see-mail",
  "home.manage": { loader: "see-settings", action: "change-settings" },
  "home.overview": "see-overview",
  "home.personal-data": "any",
  "home.personal-data_.erasure": "any",
  "home.personal-data_.file": "any",
  "home.promotion-codes._index": { loader: "see-promotion-codes", action: "change-promotion-codes" },
  "home.promotion-codes.bulk": "change-promotion-codes",
  "home.promotion-codes.file.$batch": "see-promotion-codes",
  "home.promotion-codes.new": "change-promotion-codes",
  "home.sale-orders": "see-sales-orders",
  "home.sale-orders_.details": "see-sales-orders",
  "home.sale-orders_.details_.invoice": "change-sales-orders",
  "home.sale-orders_.export[.]csv": "see-sales-orders",
  "home.search-codes": "a code",
  "home.security-events": "see-security-events",
  "home.security-events_.file": "see-security-events",
  "home.sessions": "any",
  "home.signer._index": { loader: "see-signer", action: "approve-orders" },
  "home.user-management": "any",
  "home.users.$id": { loader: "see-users", action: "change-users" },
  "home.users.$id_.data": "change-users",
  "home.users.$id_.data_.file": "change-users",
  "home.users._index": "see-users",
  "home.users.api-clients.$id": { loader: "see-users", action: "change-users" },
  "home.users.api-clients._index": "see-users",
  "home.users.api-clients.new": "change-users",
  logout: "anyone",
  metrics: "a secret",
  "partner.verify-token": "anyone",
  "prepare-csr.request[.]cnf": "anyone",
  readyz: "anyone",
  "repository.$file": "anyone",
  "resend-verification": { loader: "anyone", action: "any" },
  "robots[.]txt": "anyone",
  "sitemap[.]xml": "anyone",
  theme: "anyone",
};

/** What each call needs. `asking-calls.ts` says what calls about something that a company owns need for it. */
export const CALL_NEEDS: Record<string, Need> = {
  "POST token": "anyone",
  "POST token/proxy": "anyone",
  "POST token/confirm": "any",
  "POST token/ticket": "any",
  "POST token/revoke": "any",
  "GET UserRegistration/GetApiHealthCheck": "anyone",
  "POST UserRegistration/RegisterUser": "anyone",
  "POST UserRegistration/RegisterUserAdvancedDetails": "any",
  "GET UserRegistration/CheckAdvancedDetailsMissing": "any",
  "POST UserRegistration/UpdateUserRegistrationDetails": "any",
  "GET UserRegistration/GetUserDetails": "any",
  "GET UserRegistration/GetCountries": "anyone",
  "GET UserRegistration/GetCountryById": "anyone",
  "GET UserRegistration/CheckVatNumber": "any",
  "GET UserSecurity/GetSecurityQuestions": "anyone",
  "GET UserSecurity/GetSecurityQuestion": "anyone",
  "GET UserSecurity/UserWithEmailExist": "anyone",
  "POST UserSecurity/RequestPasswordResetEmail": "anyone",
  "POST UserSecurity/ValidatePasswordResetData": "anyone",
  "POST UserSecurity/ChangePassword": "anyone",
  "POST UserSecurity/UpdateLastLogin": "any",
  "POST UserSecurity/UpdateUsername": "any",
  "GET Companies/GetCompanies": "any",
  "POST Companies/ChooseCompany": "any",
  "GET Companies/GetMembers": "see-company",
  "POST Companies/InviteMember": "manage-company",
  "POST Companies/WithdrawInvitation": "manage-company",
  "POST Companies/AcceptInvitation": "any",
  "POST Companies/UpdateMember": "manage-company",
  "POST Companies/HandOver": "manage-company",
  "POST Companies/RemoveMember": "see-company",
  "GET Companies/GetApiClients": "manage-company",
  "POST Companies/CreateApiClient": "manage-company",
  "POST Companies/UpdateApiClient": "manage-company",
  "POST Companies/AddApiClientSecret": "manage-company",
  "POST Companies/EndApiClientSecret": "manage-company",
  "POST Companies/RevokeApiClient": "manage-company",
  "GET Companies/SearchCompanies": "see-companies",
  "GET Companies/GetCompany": "see-companies",
  "GET Companies/GetCompanyNotes": "see-customers",
  "POST Companies/AddCompanyNote": "write-company-notes",
  "GET Configuration/GetVatRate": "anyone",
  "GET Configuration/GetHomePageConfig": "anyone",
  "POST Configuration/SaveHomePageConfig": "change-settings",
  "POST Configuration/SaveConfig": "any",
  "POST Log/Log": "any",
  "GET Operations/GetAlerts": "see-jobs",
  "GET Operations/GetAuditFindings": "see-jobs",
  "GET CertificateRepository/DownloadRootCert": "anyone",
  "GET CertificateRepository/DownloadRootCert/{hash}": "anyone",
  "GET CertificateRepository/DownloadRootCertPem": "anyone",
  "GET CertificateRepository/DownloadRootCertPem/{hash}": "anyone",
  "GET CertificateRepository/DownloadRootCertDer": "anyone",
  "GET CertificateRepository/DownloadRootCertDer/{hash}": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha1Der": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha1Pem": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha2Der": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha2Der/{hash}": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha2Pem": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha2Pem/{hash}": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha512Der": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha512Der/{hash}": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha512Pem": "anyone",
  "GET CertificateRepository/DownloadIssuingCertSha512Pem/{hash}": "anyone",
  "GET CertificateRepository/DownloadCertificatePolicy": "anyone",
  "GET CertificateRepository/DownloadCertificatePractice": "anyone",
  "GET CertificateRepository/DownloadSubscriberAgreement": "anyone",
  "GET CertificateRepository/DownloadCertRevListRootSha1": "anyone",
  "GET CertificateRepository/DownloadCertRevListRootSha2": "anyone",
  "GET CertificateRepository/DownloadCertRevListRootSha512": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingSha1": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingSha2": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingSha2/{hash}": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingSha512": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingSha512/{hash}": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha1": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha2": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha2/{hash}": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha512": "anyone",
  "GET CertificateRepository/DownloadCertRevListIssuingCaDeltaSha512/{hash}": "anyone",
  "GET certificates/getcertificates": "any",
  "GET certificates/getcertificate": "any",
  "GET certificates/GetPaymentDetails": "any",
  "GET certificates/GetCertificatePrice": "any",
  "POST certificates/CheckCsr": "anyone",
  "POST certificates/DecodeCsrWithValidation": "any",
  "GET certificates/GetDiscountByPromoCode": "place-orders",
  "POST certificates/CompletePurchaseJourney": "place-orders",
  "POST certificates/PrepareRenewal": "prepare-renewals",
  "GET certificates/GetPreparedRenewals": "place-orders",
  "POST certificates/CompletePreparedRenewal": "place-orders",
  "GET certificates/GetRenewalState": "any",
  "GET certificates/verifyCertificateExpiryDate": "any",
  "POST certificates/ApproveOrders": "approve-orders",
  "GET certificates/GetCertificatesToConfirm": "approve-orders",
  "POST certificates/ConfirmCertificates": "approve-orders",
  "POST certificates/revoke": "any",
  "GET certificates/GetRevocationReasons": "any",
  "GET certificates/GetRevocationReasonById": "any",
  "GET Certificates/DownloadMyCertificate": "any",
  "GET Certificates/DownloadCaIssuingCertificate": "any",
  "GET Certificates/DownloadCaRootCertificate": "any",
  "GET Users/DownloadPersonalData": "any",
  "GET Users/GetErasure": "any",
  "POST Users/RequestErasure": "any",
  "POST Users/WithdrawErasure": "any",
  "GET invoices/DownloadCertificateInvoice": "any",
  "GET codes/getcodes": "any",
  "GET codes/getcode": "any",
  "GET codes/GetCodeContacts": "any",
  "GET codes/getcodesavailable": "any",
  "GET codes/GetCodeCountForUser": "any",
  "GET codes/getAuditLogs": "see-customers",
  "GET codes/getPricings": "any",
  "GET codes/search": "a code",
  "GET codes/GetCodeStatuses": "any",
  "GET codes/GetOrderStatuses": "any",
  "POST Codes/UpdateEntity": "any",
  "POST codes/registerNewEntity": "register-codes",
  "POST codes/registerNewSubEntity": "register-codes",
  "POST codes/checkSubEntityExist": "register-codes",
  "POST codes/completePurchaseJourney": "place-orders",
  "POST codes/purchaseCode": "place-orders",
  "GET codes/getSalesOrders": "see-sales-orders",
  "GET codes/searchSalesOrders": "see-sales-orders",
  "GET codes/getSalesOrder": "see-sales-orders",
  "POST codes/updateSalesOrder": "change-sales-orders",
  "POST codes/exportCsv": "see-sales-orders",
  "GET codes/downloadCsv": "see-sales-orders",
  "GET codes/getUserSalesOrders": "any",
  "GET invoices/DownloadCodeInvoice": "any",
};

/** Returns what the loader or the action of a route needs, or undefined for an unknown route. */
export function needOf(route: string, handler: "loader" | "action"): Need | undefined {
  const need = ROUTE_NEEDS[route];
  return typeof need === "object" && "loader" in need ? need[handler] : need;
}

/** Somebody who tries. `user` is null for a visitor who is not logged in. */
export interface Actor {
  name: string;
  user: (Member & RightsHolder & { id: number; hasCode: boolean }) | null;
}

const isList = (need: Exclude<Need, string>): need is readonly Requirement[] => Array.isArray(need);

/** Returns whether an actor has what is needed for something of this owner, by the policies. */
export function isMet(need: Need, { user }: Actor, owner: { id: number; companyId: number }): boolean {
  if (need === "anyone") return true;
  if (user === null || need === "a secret") return false;
  if (need === "any") return true;
  if (need === "a code") return user.hasCode || may(user, "see-customers");
  if (typeof need === "string") return fulfils(user, need);
  if (isList(need)) return need.every((one) => fulfils(user, one));
  const isOwn = !need.isPersonal || user.id === owner.id;
  return (isOwn && mayFor(user, owner, need.member)) || (need.staff !== undefined && may(user, need.staff));
}

/** Returns the tasks that a need names, or the word for a need that is no task. */
export function tasksIn(need: Need): string[] {
  if (typeof need === "string") return [need];
  return isList(need) ? [...need] : [need.member, ...(need.staff ? [need.staff] : [])];
}
