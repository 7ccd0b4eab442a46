import { type ApiClient, apiClientOf } from "../../support/api";
import { CODE_CONTACT, ENTITY_CALL } from "../../support/api-codes";
import { codeOrderBody, orderBody, WIRE_CONTACT } from "../../support/api-orders";
import { type CallDeed } from "../../support/audited";
import { checksDone, createCertificateOrder, issueCertificate } from "../../support/certificates";
import { createAvailableCodes, createCode } from "../../support/codes";
import { createColleague } from "../../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../../support/factories";
import { createInvoiceableOrder } from "../../support/invoices";
import { issueToReport } from "../../support/key-proof";
import { type useOpenssl } from "../../support/openssl";
import { issueEnding } from "../renewal-journey";

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];
type User = Awaited<ReturnType<typeof createUser>>;

/** A call by a new customer. `bodyFor` stores what the call is about and returns the body to send. */
const deed = (events: readonly string[], bodyFor: (user: User) => object | Promise<object>): CallDeed => ({
  events,
  prepare: async () => {
    const user = await createUser();
    const client: ApiClient = await apiClientOf(user.email, TEST_PASSWORD);
    return { client, body: await bodyFor(user) };
  },
});

const certificateId = async (user: User, makeCsr: MakeCsr) =>
  (await issueCertificate({ customer: user, csr: makeCsr().der })).id;
const ending = (user: User, makeCsr: MakeCsr) => issueEnding(60, { customer: user, csr: makeCsr().der });

/** Prepares a renewal as a colleague. Returns its id. */
async function preparedFor(user: User, makeCsr: MakeCsr): Promise<string> {
  const { orderId: previousOrderId } = await ending(user, makeCsr);
  const { email } = await createColleague(user, "technical");
  const client = await apiClientOf(email, TEST_PASSWORD);
  const body = orderBody(makeCsr().pem, { previousOrderId });
  return (await client.post<{ renewalId: string }>("certificates/PrepareRenewal", body)).content.renewalId;
}

const codeId = async (user: User) => (await createCode(user)).id;

/** Calls about certificates and codes. */
export const orderingCalls = (makeCsr: MakeCsr): Record<string, CallDeed | readonly CallDeed[]> => ({
  "certificates/CheckCsr": deed([], () => ({ csr: makeCsr().pem })),
  "certificates/ReportKey": deed(["certificate.revoked", "key.reported"], async (user) => ({
    csr: await issueToReport(makeCsr(), user),
  })),
  "certificates/DecodeCsrWithValidation": deed([], () => ({ csr: makeCsr().pem, checkUniqueness: true })),
  "certificates/CompletePurchaseJourney": deed(["certificate.requested", "order.created"], () =>
    orderBody(makeCsr().pem),
  ),
  "certificates/CorrectCertificate": deed(
    ["certificate.correction-requested", "certificate.correction-requested", "order.corrected", "order.created"],
    async (user) => ({
      certificateId: (await issueCertificate({ customer: user, csr: makeCsr().der })).id,
      csr: makeCsr().pem,
      hasEmail: false,
    }),
  ),
  "certificates/PrepareRenewal": deed(["renewal.prepared"], async (user) => ({
    ...orderBody(makeCsr().pem, { previousOrderId: (await ending(user, makeCsr)).orderId }),
  })),
  "certificates/CompletePreparedRenewal": deed(
    ["certificate.renewal-requested", "order.created", "order.prepared"],
    async (user) => ({
      renewalId: await preparedFor(user, makeCsr),
      termsAndConditionsAccepted: true,
    }),
  ),
  "certificates/RemindContact": deed(["certificate.contact-reminded"], async (user) => ({
    orderId: (await createCertificateOrder(user, makeCsr().der)).orderId,
  })),
  "certificates/ChangeContact": deed(["order.contact-changed"], async (user) => ({
    orderId: (await createCertificateOrder(user, makeCsr().der)).orderId,
    authenticationContact: WIRE_CONTACT,
  })),
  "certificates/ApproveOrders": {
    events: ["certificate.approved", "certificate.issued", "invoice.issued"],
    prepare: async () => {
      const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
      const client = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
      return { client, body: { certificateIds: [id] } };
    },
  },
  "certificates/revoke": [
    deed(["certificate.revoked"], async (user) => ({
      certificateId: await certificateId(user, makeCsr),
      reasonTypeId: 4,
    })),
    deed(["certificate.revoked", "key.blocked"], async (user) => ({
      certificateId: await certificateId(user, makeCsr),
      reasonTypeId: 1,
    })),
    deed([], async (user) => ({ certificateId: await certificateId(user, makeCsr) })),
  ],
  "certificates/CorrectOrder": deed(["invoice.credited", "invoice.issued", "order.corrected"], async (user) => ({
    orderId: (await issueCertificate({ customer: user, csr: makeCsr().der })).orderId,
    purchaseOrderNumber: "PO-corrected",
  })),
  "codes/CorrectOrder": deed(["order.corrected"], async (user) => ({
    orderId: await createInvoiceableOrder(user),
    purchaseOrderNumber: "PO-corrected",
  })),
  "codes/completePurchaseJourney": deed(["order.created"], () => codeOrderBody()),
  "codes/purchaseCode": deed(["order.created"], () => ({ order: codeOrderBody().order })),
  "Codes/UpdateEntity": [
    deed(["code.changed"], async (user) => ({ code: { id: await codeId(user), entityName: "Plant South" } })),
    deed(["code.changed"], async (user) => ({ code: { id: await codeId(user) }, contacts: [CODE_CONTACT] })),
    deed([], async (user) => ({ code: { id: await codeId(user) } })),
  ],
  "codes/registerNewEntity": deed(["code.entity-registered"], async (user) => {
    await createAvailableCodes(user, "Full", 1);
    return { code: ENTITY_CALL };
  }),
  "codes/registerNewSubEntity": deed(["code.sub-entity-registered"], async (user) => ({
    code: { parentId: await codeId(user), subcode: "01", entityName: "Gate 1" },
  })),
  "codes/checkSubEntityExist": deed([], async (user) => {
    const parent = await createCode(user);
    await createCode(user, { code: parent.code, subcode: "01", parentId: parent.id });
    return { parentId: parent.id, subcode: "01" };
  }),
});
