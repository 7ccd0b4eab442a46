import { clientFields } from "./api-clients";
import { orderBody, WIRE_CONTACT } from "./api-orders";
import { DOWNLOAD, NOTE, EDIT, MANAGE, RENEW, REVOKE, PUBLISH, SUB_ENTITY, TELL } from "./asking-pages";
import { TEST_PASSWORD } from "./factories";
import { type Need } from "./needs";
import { type Ids } from "./strangers";

export type Input = Record<string, unknown>;

/** A CSR with a new key, and a code of the caller, for requests that join them with things of another user. */
interface Own {
  csr: string;
  code: number;
}

interface Asking {
  /** Returns the inputs that contain these ids. */
  inputs: (ids: Ids, own: Own) => Input[];
  /** Returns inputs with which the call only shows something, for everybody who may see what the company owns. */
  reading?: (ids: Ids) => Input[];
  /** Returns inputs that join things of the caller with these ids. Nobody may make them. */
  mixed?: (ids: Ids, own: Own) => Input[];
  /** Returns inputs with which the call shows what everybody sees who may search the register of codes. */
  register?: (ids: Ids) => Input[];
  /** What the inputs need. By default, everybody who may see what the company owns may make the call. */
  needs?: Need;
  /** Whether the last input is complete, so that whoever may make the call changes something. */
  changes?: true;
  /** The status of the answer to the caller. The default is 404: there is no such thing. */
  status?: number;
  /** Whether the owner makes the same call and must get another answer. The default is true for a GET, which changes nothing. */
  isForOwner?: boolean;
}

const OWN = { member: "see-company", isPersonal: true } as const;

const PEM = { certificateType: "PEM", fileExtension: "PEM" };
const person = { firstName: "Taken", lastName: "Over", company: "Taken Over Ltd", jobTitle: "Head", phone: "+44 20" };
const NEW = { codeType: "OSCAR Code Full", entityName: "Taken over" };
const companyAddress = { street1: "1 Mill Lane", city: "Coventry", postcode: "CV1 1AA", countryId: 826 };

/**
 * Requests of each call for things of another user, with every field that takes an id. Calls without such fields, with only fields of
 * things that belong to nobody (BELONG_TO_NOBODY), and calls of administrators can be omitted. The tests fail for any other call that is
 * missing here.
 */
export const ASKING: Record<string, Asking> = {
  "certificates/getcertificate": {
    inputs: ({ certificate, pendingCertificate }) => [{ id: certificate }, { id: pendingCertificate }],
  },
  "certificates/getcertificates": {
    inputs: ({ certificateOrder: orderId }) => [{ orderId }],
    needs: "any",
    status: 200,
  },
  "certificates/GetPaymentDetails": { inputs: ({ certificateOrder: orderId }) => [{ orderId }] },
  "certificates/GetOrderProgress": {
    inputs: ({ certificateOrder, pendingOrder }) => [{ orderId: certificateOrder }, { orderId: pendingOrder }],
  },
  "certificates/RemindContact": {
    inputs: ({ pendingOrder }) => [{ orderId: Number(pendingOrder) }],
    needs: { member: "place-orders" },
  },
  "certificates/ChangeContact": {
    inputs: ({ pendingOrder }) => [
      { orderId: Number(pendingOrder), authenticationContact: { ...WIRE_CONTACT, email: "theo.taker@taken-over.com" } },
    ],
    needs: { member: "place-orders" },
    changes: true,
  },
  "certificates/CorrectOrder": {
    inputs: ({ pendingOrder }) => [{ orderId: Number(pendingOrder), purchaseOrderNumber: "Taken over" }],
    needs: { member: "place-orders" },
    changes: true,
  },
  "codes/CorrectOrder": {
    inputs: ({ codeOrder }) => [{ orderId: Number(codeOrder), purchaseOrderNumber: "Taken over" }],
    needs: { member: "place-orders" },
    changes: true,
  },
  "certificates/GetRenewalState": {
    inputs: ({ certificateOrder: orderId }) => [{ orderId }],
    needs: RENEW,
  },
  "certificates/verifyCertificateExpiryDate": {
    inputs: ({ certificateOrder: orderId }) => [{ orderId, years: "0" }],
  },
  "certificates/CompletePurchaseJourney": {
    inputs: ({ certificateOrder }, { csr }) => [orderBody(csr, { previousOrderId: Number(certificateOrder) })],
    needs: { member: "place-orders" },
  },
  "certificates/CorrectCertificate": {
    inputs: ({ certificate }, { csr }) => [{ certificateId: Number(certificate), csr }],
    needs: { member: "place-orders" },
  },
  "certificates/PrepareRenewal": {
    inputs: ({ certificateOrder }, { csr }) => [orderBody(csr, { previousOrderId: Number(certificateOrder) })],
    needs: RENEW,
  },
  "certificates/CompletePreparedRenewal": {
    inputs: ({ handedDraft: renewalId }) => [{ renewalId, termsAndConditionsAccepted: true }],
    needs: { member: "place-orders" },
  },
  "certificates/revoke": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), reasonTypeId: 4 }],
    reading: ({ certificate }) => [{ certificateId: Number(certificate) }],
    needs: REVOKE,
    changes: true,
  },
  "Certificates/DownloadMyCertificate": {
    inputs: ({ certificate: certificateId }) => [{ certificateId, ...PEM }],
    needs: DOWNLOAD,
  },
  "Certificates/GetNotes": { inputs: ({ certificate: certificateId }) => [{ certificateId }] },
  "Certificates/SetNotes": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), notes: "", tags: ["Plant 1"], version: 0 }],
    needs: NOTE,
    changes: true,
  },
  "Certificates/GetPartners": { inputs: ({ certificate: certificateId }) => [{ certificateId }] },
  "Certificates/AddPartners": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), partners: ["new@partner.example"] }],
    needs: TELL,
    changes: true,
  },
  "Certificates/CopyPartners": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), from: Number(certificate) }],
    needs: TELL,
  },
  "Certificates/SetPartnersOfRenewals": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), switchDays: 14 }],
    needs: TELL,
    changes: true,
  },
  "Certificates/RemovePartner": {
    inputs: ({ certificate, partner }) => [{ certificateId: Number(certificate), partnerId: Number(partner) }],
    needs: TELL,
    changes: true,
  },
  "Certificates/PublishToPartners": {
    inputs: ({ certificate }) => [{ certificateId: Number(certificate), cutOverOn: " " }],
    needs: TELL,
    changes: true,
  },
  "Certificates/DownloadCaIssuingCertificate": {
    inputs: ({ certificate: certificateId }) => [{ certificateId, ...PEM }],
    needs: DOWNLOAD,
  },
  "Companies/UpdateApiClient": {
    inputs: ({ apiClient }) => [
      { apiClientId: Number(apiClient), name: "Taken", scopes: ["codes:read"], lastDay: clientFields().lastDay },
    ],
    needs: MANAGE,
  },
  "Companies/AddApiClientSecret": { inputs: ({ apiClient }) => [{ apiClientId: Number(apiClient) }], needs: MANAGE },
  "Companies/EndApiClientSecret": {
    inputs: ({ apiClient, apiClientSecret }) => [{ apiClientId: Number(apiClient), secretId: Number(apiClientSecret) }],
    needs: MANAGE,
  },
  "Companies/RevokeApiClient": { inputs: ({ apiClient }) => [{ apiClientId: Number(apiClient) }], needs: MANAGE },
  "Companies/GetDomain": { inputs: ({ domain: domainId }) => [{ domainId }], needs: MANAGE },
  "Companies/CheckDomain": { inputs: ({ domain }) => [{ domainId: Number(domain), method: "dns" }], needs: MANAGE },
  "Companies/SendDomainMail": {
    inputs: ({ domain }) => [{ domainId: Number(domain), address: "admin@taken.example.com" }],
    needs: MANAGE,
  },
  "Companies/RenewDomainChallenge": {
    inputs: ({ domain }) => [{ domainId: Number(domain) }],
    needs: MANAGE,
    changes: true,
  },
  "Companies/RemoveDomain": { inputs: ({ domain }) => [{ domainId: Number(domain) }], needs: MANAGE, changes: true },
  "certificates/OrderUnderStandingAuthorisation": {
    inputs: ({ standing }, { csr }) => [{ standingAuthorisationId: Number(standing), csr }],
    needs: { member: "place-orders" },
  },
  "certificates/ChooseInvoicing": {
    inputs: ({ standing }) => [{ standingAuthorisationId: Number(standing), isInvoicedMonthly: true }],
    needs: MANAGE,
  },
  "certificates/EndStandingAuthorisation": {
    inputs: ({ standing }) => [{ standingAuthorisationId: Number(standing), reason: "Asked to" }],
    needs: MANAGE,
  },
  "Users/DownloadPersonalData": {
    inputs: ({ user: userId }) => [{ userId }],
    needs: { member: "see-company", staff: "change-users", isPersonal: true },
  },
  "invoices/DownloadCertificateInvoice": {
    inputs: ({ certificateOrder: certificateOrderId }) => [{ certificateOrderId }],
  },
  "invoices/DownloadCodeInvoice": { inputs: ({ codeOrder: salesOrderId }) => [{ salesOrderId }] },
  "codes/getcode": { inputs: ({ code, subcode }) => [{ id: code }, { id: subcode }] },
  "Codes/GetCodeContacts": { inputs: ({ code: codeId }) => [{ codeId }] },
  "codes/GetEntityCertificates": { inputs: () => [], register: ({ code: codeId }) => [{ codeId }] },
  "codes/DownloadEntityCertificate": {
    inputs: () => [],
    register: ({ subcode: codeId, publishedCertificate: certificateId }) => [{ codeId, certificateId, form: "DER" }],
  },
  "codes/FollowEntity": { inputs: () => [], register: ({ code }) => [{ codeId: Number(code) }] },
  "codes/UnfollowEntity": { inputs: () => [] },
  "codes/PublishEntityCertificates": {
    inputs: ({ code, certificate }) => [{ codeId: Number(code), certificateIds: [Number(certificate)] }],
    needs: PUBLISH,
    changes: true,
  },
  "codes/EndEntityCertificate": {
    inputs: ({ subcode, publishedCertificate }) => [
      { codeId: Number(subcode), certificateId: Number(publishedCertificate) },
    ],
    needs: PUBLISH,
    changes: true,
  },
  "Codes/UpdateEntity": {
    inputs: ({ code }) => [{ code: { id: Number(code), entityName: "Taken over" } }],
    mixed: ({ subcode, contact }, own) => [
      { code: { id: Number(subcode) }, contacts: [{ id: Number(contact), name: "Taken" }] },
      { code: { id: own.code }, contacts: [{ id: Number(contact), name: "Taken" }] },
    ],
    needs: EDIT,
    changes: true,
  },
  "codes/registerNewEntity": {
    inputs: () => [],
    mixed: ({ code, user, contact }) => [
      {
        code: { id: Number(code), userId: Number(user), parentId: Number(code), ...NEW, subcode: "" },
        contacts: [{ id: Number(contact), name: "Taken" }],
      },
    ],
  },
  "codes/registerNewSubEntity": {
    inputs: ({ code, user }) => [{ code: { parentId: Number(code), userId: Number(user), subcode: "P9", ...NEW } }],
    needs: SUB_ENTITY,
    changes: true,
  },
  "codes/checkSubEntityExist": { inputs: ({ code }) => [{ parentId: Number(code), subcode: "P1" }], needs: SUB_ENTITY },
  "codes/getUserSalesOrders": {
    inputs: ({ user: userId }) => [{ userId }],
    status: 403,
    needs: { ...OWN, staff: "see-sales-orders" },
  },
  "UserRegistration/GetUserDetails": {
    inputs: ({ user: userId }) => [{ userId }],
    status: 403,
    needs: { ...OWN, staff: "see-users" },
  },
  "UserRegistration/CheckAdvancedDetailsMissing": {
    inputs: ({ user: userId }) => [{ userId }],
    status: 403,
    needs: { ...OWN, staff: "see-users" },
  },
  "UserRegistration/RegisterUserAdvancedDetails": {
    inputs: ({ user }) => [{ userId: Number(user), companyRegistrationNumber: "1", companyAddress }],
    status: 403,
    needs: OWN,
  },
  "UserRegistration/UpdateUserRegistrationDetails": {
    inputs: ({ user }) => [{ userId: Number(user), ...person, email: "taken@example.com", companyAddress }],
    status: 403,
    needs: OWN,
  },
  "UserSecurity/UpdateUsername": {
    inputs: ({ user }) => [{ UserId: Number(user), Username: "taken@example.com", currentPassword: TEST_PASSWORD }],
    status: 403,
    needs: OWN,
  },
  "Companies/ChooseCompany": {
    inputs: ({ company }) => [{ companyId: Number(company) }],
    needs: { member: "see-company" },
  },
  "Companies/WithdrawInvitation": {
    inputs: ({ invitation }) => [{ invitationId: Number(invitation) }],
    needs: MANAGE,
    changes: true,
  },
  "Companies/UpdateMember": {
    inputs: ({ member }) => [{ userId: Number(member), role: "owner" }],
    needs: MANAGE,
    changes: true,
  },
  "Companies/HandOver": { inputs: ({ member }) => [{ userId: Number(member) }], needs: MANAGE, changes: true },
  "Companies/RemoveMember": { inputs: ({ member }) => [{ userId: Number(member) }], needs: MANAGE, changes: true },
  "UserSecurity/UpdateLastLogin": { inputs: ({ user }) => [{ userId: Number(user) }], status: 200, needs: "any" },
  "Configuration/SaveConfig": {
    inputs: ({ user }) => [{ userId: Number(user), name: "queryParams", value: "taken" }],
    status: 403,
    needs: OWN,
  },
};

/** Fields with ids of things that belong to nobody, by name or by call and name. */
export const BELONG_TO_NOBODY = [
  ...["countryId", "reasonTypeId", "address id"],
  ...["UserRegistration/GetCountryById id", "certificates/GetRevocationReasonById id"],
];
