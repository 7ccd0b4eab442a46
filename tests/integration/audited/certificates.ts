import { setSigner } from "~/domain/authorities/signers.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { correctionPath } from "~/lib/correction-path";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { serverPaths } from "~/lib/server-paths.server";
import { staffPaths } from "~/lib/staff-paths";
import * as partnersPage from "~/routes/home.certificate-partners.$id";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { insertPartners, listPartners } from "~db/repositories/certificate-partners.server";
import { insertContactStop } from "~db/repositories/held-mails.server";
import { inTransaction } from "~db/transaction.server";
import { type Deed, deed } from "../../support/audited";
import {
  checksDone,
  createCertificateOrder,
  issueCertificate,
  readCertificate,
  setCertificate,
} from "../../support/certificates";
import { checkForm } from "../../support/check-forms";
import { createAdmin, createStaff, createUser } from "../../support/factories";
import { issueToReport } from "../../support/key-proof";
import { type useOpenssl } from "../../support/openssl";
import { textOf } from "../../support/outbox";
import { saleFields } from "../../support/sales-orders";
import { newEmail } from "../../support/user-details";
import { anonymous, run, signedInAs } from "../../support/visitor";
import { type Buyer, buyerAtInvoice, CONTACT, newBuyer, onlyOrder, ORDER } from "../purchase-journey";
import { newRenewer } from "../renewal-journey";
import { confirmed, inSeconds, at } from "../revoking";

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];

const staff = async () => signedInAs(await createAdmin());

async function orderStep(makeCsr: MakeCsr, buyer: Buyer) {
  await buyer.contact();
  const fields = { ...ORDER, csr: makeCsr().pem, intent: "import" };
  return { visitor: buyer.visitor, path: buyer.url("order"), params: buyer.params, fields };
}

const invoiceStep = async (buyer: Buyer) => ({
  visitor: buyer.visitor,
  path: buyer.url("invoice-address"),
  params: buyer.params,
  fields: await buyer.invoiceFields(),
});

/** Stores a customer's order of a CSR. Returns the request of an administrator who presses a button on its page. */
const deciding =
  (makeCsr: MakeCsr, fields: Record<string, string>, given: Parameters<typeof createCertificateOrder>[2] = {}) =>
  async () => {
    const { id } = await createCertificateOrder(await createUser(), makeCsr().der, given);
    const note = { decisionReason: "Not the company's", confirmed: "yes" };
    const path = paths.certificateQueueOrder(id);
    return { visitor: await staff(), path, params: { id: String(id) }, fields: { ...note, ...fields } };
  };

/** Stores an approved order whose certificate could not be signed. Returns the request of an administrator who undoes the approval. */
const stopped = (makeCsr: MakeCsr) => async () => {
  const submission = await deciding(makeCsr, { intent: "approve" }, checksDone())();
  const { visitor, path, params, fields } = submission;
  setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.reject(new Error("the key store is away")) });
  await run(queuePage.action, await visitor.post(path, fields), params).catch(() => undefined);
  setSigner("issuing-sha2", null);
  return { ...submission, fields: { intent: "undo", confirmed: "yes" } };
};

const owned = async (makeCsr: MakeCsr) => {
  const customer = await createUser();
  const { id } = await issueCertificate({ customer, csr: makeCsr().der });
  return { visitor: await signedInAs(customer), id, params: { id: String(id) } };
};

const revoking = (makeCsr: MakeCsr, fields: () => Record<string, string>) => async () => {
  const { id, ...rest } = await owned(makeCsr);
  return { ...rest, path: paths.certificateRevoke(id), fields: fields() };
};

/** Returns the token of a link in the message to the authentication contact of an order. */
async function tokenAt(makeCsr: MakeCsr, path: "authorise-order" | "no-more-messages"): Promise<string> {
  const buyer = await buyerAtInvoice(makeCsr().pem);
  await buyer.invoice();
  const { id } = await onlyOrder(buyer);
  const mails = getDb().selectFrom("mails").selectAll().where("orderId", "=", id);
  const mail = await mails.where("recipient", "=", CONTACT.email).executeTakeFirstOrThrow();
  return new RegExp(`${path}/([\\w-]+)`).exec(await textOf(mail))?.[1] ?? "";
}

/** Returns a form of the page with the partners of a certificate, which has one partner. */
async function ofPartners(makeCsr: MakeCsr, given: Record<string, string>) {
  const { id, params, visitor } = await owned(makeCsr);
  const email = newEmail();
  await run(partnersPage.action, await visitor.post(certificatePaths.partners(id), { partners: email }), params);
  const fields = { ...given, email, partnerId: String((await listPartners(getDb(), id))[0]?.id) };
  return { visitor, path: certificatePaths.partners(id), params, fields };
}

/** Returns the request of an authentication contact who follows the link to an order. */
const asked = (makeCsr: MakeCsr, intent: string) => async () => {
  const token = await tokenAt(makeCsr, "authorise-order");
  const fields = { intent, confirmed: "yes" };
  return { visitor: await anonymous(), path: rarePaths.authoriseOrder(token), params: { token }, fields };
};

/** Actions about certificates and their orders, by route. `makeCsr` makes a CSR with a new key. */
export const certificates = (makeCsr: MakeCsr): Record<string, readonly Deed[]> => ({
  "_public.check-csr": [
    deed("checking a CSR", [], async () => ({ visitor: await anonymous(), fields: { csr: makeCsr().pem } })),
  ],
  "_public.report-key": [
    deed("reporting a compromised key", ["certificate.revoked", "key.reported"], async () => ({
      visitor: await anonymous(),
      fields: { csr: await issueToReport(makeCsr()), confirmed: "yes" },
    })),
  ],
  "home.certificate.$wizard.contact-details": [
    deed("filling in the contact", [], async () => {
      const { visitor, url, params } = await newBuyer();
      return { visitor, path: url("contact-details"), params, fields: CONTACT };
    }),
    deed("filling in the contact of a renewal", [], async () => {
      const { visitor, url, params } = (await newRenewer(makeCsr().der)).renewer;
      return { visitor, path: url("contact-details"), params, fields: CONTACT };
    }),
  ],
  "home.certificate.$wizard.order": [
    deed("filling in the order", [], async () => orderStep(makeCsr, await newBuyer())),
    deed("filling in a renewal", [], async () => orderStep(makeCsr, (await newRenewer(makeCsr().der)).renewer)),
  ],
  "home.certificate.$wizard.invoice-address": [
    deed("ordering a certificate", ["certificate.requested", "order.created"], async () =>
      invoiceStep(await buyerAtInvoice(makeCsr().pem)),
    ),
    deed("ordering a renewal", ["certificate.renewal-requested", "order.created"], async () => {
      const { renewer } = await newRenewer(makeCsr().der);
      return invoiceStep(await renewer.upToInvoice(makeCsr().pem));
    }),
  ],
  "_public.authorise-order.$token": [
    deed("the contact's authorisation", ["certificate.contact-authorised"], asked(makeCsr, "authorise")),
    deed("the contact's refusal", ["certificate.contact-refused"], asked(makeCsr, "refuse")),
  ],
  "_public.no-more-messages.$token": [
    deed("the contact's wish for no more messages", ["contact.stopped"], async () => {
      const token = await tokenAt(makeCsr, "no-more-messages");
      return { visitor: await anonymous(), path: serverPaths.noMoreMessages(token), params: { token } };
    }),
  ],
  "home.certificate-partners.$id": [
    deed("adding partners", ["certificate.partners-added"], async () =>
      ofPartners(makeCsr, { intent: "add", partners: "b@partner.example" }),
    ),
    deed("taking over the partners of another certificate", ["certificate.partners-added"], async () => {
      const { visitor, path, params, fields } = await ofPartners(makeCsr, { intent: "copy" });
      const { companyId } = await readCertificate(Number(params.id));
      const [partner] = await listPartners(getDb(), Number(params.id));
      const other = await createCertificateOrder(await createUser(), makeCsr().der, { companyId });
      const added = { certificateId: other.id, companyId, email: newEmail(), name: "", addedAt: new Date() };
      await inTransaction((trx) => insertPartners(trx, [{ ...added, addedBy: partner?.addedBy ?? 0 }]));
      return { visitor, path, params, fields: { ...fields, from: String(other.id) } };
    }),
    deed("choosing what renewals do", ["certificate.partners-of-renewals"], async () =>
      ofPartners(makeCsr, { intent: "follow", switchDays: "14" }),
    ),
    deed("removing a partner", ["certificate.partner-removed"], async () => ofPartners(makeCsr, { intent: "remove" })),
    deed("publishing a certificate", ["certificate.published"], async () =>
      ofPartners(makeCsr, { intent: "publish", confirmed: "yes" }),
    ),
  ],
  "_public.new-certificate.$token": [
    deed("the answer of the last partner", ["certificate.partner-answered", "certificate.partners-ready"], async () => {
      const { path, params, fields, visitor } = await ofPartners(makeCsr, { intent: "publish", confirmed: "yes" });
      await run(partnersPage.action, await visitor.post(path, fields), params);
      const mails = getDb()
        .selectFrom("mails")
        .selectAll()
        .where("recipient", "=", fields.email ?? "");
      const mail = await mails.executeTakeFirstOrThrow();
      const token = /new-certificate\/([\w-]+)/.exec(await textOf(mail))?.[1] ?? "";
      return {
        visitor: await anonymous(),
        path: serverPaths.newCertificate(token),
        params: { token },
        fields: { intent: "imported" },
      };
    }),
  ],
  "home.certificate-queue.approve": [
    deed("approving in bulk", ["certificate.approved", "certificate.issued", "invoice.issued"], async () => {
      const { params } = await deciding(makeCsr, {}, checksDone())();
      return { visitor: await staff(), path: staffPaths.approveOrders, fields: { id: params.id, confirmed: "yes" } };
    }),
  ],
  "home.certificate-queue.remind": [
    deed("reminding a contact", ["certificate.contact-reminded"], async () => {
      const { id } = await createCertificateOrder(await createUser(), makeCsr().der);
      return { visitor: await staff(), path: staffPaths.remindContacts, fields: { id: String(id) } };
    }),
  ],
  "home.certificate-queue.take": [
    deed("taking selected orders", ["certificate.order-taken"], async () => {
      const { id } = await createCertificateOrder(await createUser(), makeCsr().der);
      return { visitor: await staff(), path: staffPaths.takeOrders, fields: { id: String(id) } };
    }),
  ],
  "home.certificate-queue.release": [
    deed("releasing selected orders", ["certificate.order-released"], async () => {
      const [{ id }, officer] = [
        await createCertificateOrder(await createUser(), makeCsr().der),
        await createStaff(["registration-officer"]),
      ];
      await setCertificate(id, { assignedTo: officer.id, assignedAt: new Date() });
      return { visitor: await signedInAs(officer), path: staffPaths.releaseOrders, fields: { id: String(id) } };
    }),
  ],
  "home.certificate-queue.$id_.evidence": [
    deed("evidence for a check", ["certificate.evidence-added"], async () => {
      const order = await deciding(makeCsr, {})();
      const path = staffPaths.orderEvidence(Number(order.params.id));
      return { ...order, path, fields: { check: "organisation", text: "Active" } };
    }),
  ],
  "home.certificate-queue.$id": [
    deed("taking an order", ["certificate.order-taken"], deciding(makeCsr, { intent: "take" })),
    deed(
      "a comment about an order",
      ["certificate.order-commented"],
      deciding(makeCsr, { intent: "comment", comment: "Calls back." }),
    ),
    deed("allowing messages to the contact again", ["contact.allowed"], async () => {
      const order = await deciding(makeCsr, { intent: "allow-messages" })();
      const { authenticationEmail: email, orderId } = await readCertificate(Number(order.params.id));
      await inTransaction((trx) => insertContactStop(trx, { email, orderId, stoppedAt: new Date() }));
      return order;
    }),
    deed(
      "a check of the contact",
      ["certificate.contact-checked"],
      deciding(makeCsr, checkForm({ contact: "Called" })),
    ),
    deed(
      "a check of the organisation",
      ["certificate.organisation-checked"],
      deciding(makeCsr, checkForm({ organisation: "Register" })),
    ),
    deed("a check of the CSR", ["certificate.csr-checked"], deciding(makeCsr, checkForm({ csr: "Agrees" }))),
    deed(
      "approving",
      ["certificate.approved", "certificate.issued", "invoice.issued"],
      deciding(makeCsr, { intent: "approve" }, checksDone()),
    ),
    deed("rejecting", ["certificate.rejected"], deciding(makeCsr, { intent: "reject" })),
    deed("cancelling", ["certificate.cancelled"], deciding(makeCsr, { intent: "cancel" })),
    deed("undoing an approval", ["certificate.issuing-undone"], stopped(makeCsr)),
    deed("recording a payment", ["order.updated"], async () => {
      const { id, orderId } = await createCertificateOrder(await createUser(), makeCsr().der);
      const fields = { intent: "payment", ...(await saleFields(orderId, { status: "Paid" })) };
      return { visitor: await staff(), path: paths.certificateQueueOrder(id), params: { id: String(id) }, fields };
    }),
  ],
  "home.certificate-details.$id": [
    deed("cancelling one's own order", ["certificate.cancelled"], async () => {
      const customer = await createUser();
      const { id } = await createCertificateOrder(customer, makeCsr().der);
      const fields = { intent: "cancel", decisionReason: "Wrong name", confirmed: "yes" };
      const visitor = await signedInAs(customer);
      return { visitor, path: paths.certificateDetails(id), params: { id: String(id) }, fields };
    }),
    deed("noting where a certificate is used", ["certificate.notes-changed"], async () => {
      const { id, ...rest } = await owned(makeCsr);
      const fields = { intent: "note", notes: "In the gateway", tags: "Plant 1", seen: "0" };
      return { ...rest, path: paths.certificateDetails(id), fields };
    }),
  ],
  "home.orders.$id": [
    deed("asking a contact again", ["certificate.contact-reminded"], async () => {
      const customer = await createUser();
      const { orderId: id } = await createCertificateOrder(customer, makeCsr().der);
      const visitor = await signedInAs(customer);
      return { visitor, path: paths.order(id), params: { id: String(id) }, fields: { intent: "remind" } };
    }),
  ],
  "home.orders._index": [
    deed("discarding an order that is not complete", ["order.discarded"], async () => {
      const { visitor, draft } = await newBuyer();
      const fields = { wizard: "purchase", draft, what: "Certificate", confirmed: "yes" };
      return { visitor, path: paths.orders, fields };
    }),
  ],
  "home.orders.$id_.contact": [
    deed("naming another contact", ["order.contact-changed"], async () => {
      const customer = await createUser();
      const { orderId: id } = await createCertificateOrder(customer, makeCsr().der);
      const visitor = await signedInAs(customer);
      return { visitor, path: rarePaths.orderContact(id), params: { id: String(id) }, fields: CONTACT };
    }),
  ],
  "home.certificate.correct.$id": [
    deed(
      "correcting the usage of a certificate",
      ["certificate.correction-requested", "certificate.correction-requested", "order.corrected", "order.created"],
      async () => {
        const customer = await createUser();
        const { id } = await issueCertificate({ customer, csr: makeCsr().der });
        const fields = { csr: makeCsr().pem, hasEmail: "on", confirmed: "yes" };
        const place = { path: certificatePaths.correct(id), params: { id: String(id) } };
        return { visitor: await signedInAs(customer), ...place, fields };
      },
    ),
  ],
  "home.orders.$id_.correct": [
    deed("correcting an order", ["order.corrected"], async () => {
      const customer = await createUser();
      const { orderId: id } = await issueCertificate({ customer, csr: makeCsr().der });
      const visitor = await signedInAs(customer);
      const path = correctionPath(id, "technical");
      const fields = { ...CONTACT, email: customer.email, confirmed: "yes" };
      return { visitor, path, params: { id: String(id) }, fields };
    }),
  ],
  "home.certificate.reissue.$id": [
    deed(
      "reissuing a certificate",
      ["certificate.approved", "certificate.issued", "certificate.reissued", "certificate.reissued"],
      async () => {
        const { id, params } = await owned(makeCsr);
        const fields = { csr: makeCsr().pem, reason: "Key lost", confirmed: "yes" };
        return { visitor: await staff(), path: rarePaths.certificateReissue(id), params, fields };
      },
    ),
  ],
  "home.certificate.revoke.$id": [
    deed(
      "revoking a certificate",
      ["certificate.revoked"],
      revoking(makeCsr, () => confirmed()),
    ),
    deed(
      "revoking because of a compromised key",
      ["certificate.revoked", "key.blocked"],
      revoking(makeCsr, () => confirmed({ revocationReason: "1" })),
    ),
    deed(
      "ordering a later revocation",
      ["certificate.revocation-requested"],
      revoking(makeCsr, () => confirmed(at(inSeconds(86_400)))),
    ),
  ],
  "home.certificates": [
    deed("beginning a renewal", [], async () => {
      const { user, original } = await newRenewer(makeCsr().der);
      return { visitor: await signedInAs(user), fields: { id: String(original.id), intent: "renew" } };
    }),
  ],
  "home.certificates_.renewals": [
    deed("ordering renewals with one form", ["certificate.renewal-requested", "order.created"], async () => {
      const { user } = await newRenewer(makeCsr().der);
      const fields = { ...CONTACT, ...ORDER, csr: makeCsr().pem, intent: "order", confirmed: "yes" };
      return { visitor: await signedInAs(user), path: certificatePaths.renewals, fields };
    }),
  ],
});
