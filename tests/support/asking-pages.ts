import { USER_ACTIONS } from "~/domain/accounts/administration/user-administration.policy";
import { APPROVE_REQUEST } from "~/routes/home.users.$id/form";
import { confirmed as revocation } from "../integration/revoking";
import { clientFields } from "./api-clients";
import { checkForm } from "./check-forms";
import { ENTITY } from "./code-details";
import { type Need } from "./needs";
import { type Ids } from "./strangers";
import { webhookFields } from "./webhooks";

/** A request to a route. With `fields`, a form is sent to its action; otherwise its loader is called. */
export interface Asking {
  params?: Record<string, string>;
  query?: Record<string, string>;
  fields?: Record<string, string | string[] | undefined> | undefined;
  /** What it needs. By default, everybody who may see what the company owns may make it. */
  needs?: Need | undefined;
  /** Whether it is complete, so that whoever may make it changes something. */
  changes?: true | undefined;
}

/** What opening a page about something that a company owns needs. */
export const SEE = { member: "see-company", staff: "see-customers" } as const;
export const NOTE = { member: "note-certificates" } as const;
export const TELL = { member: "tell-partners" } as const;
export const PUBLISH = { member: "publish-certificates" } as const;
export const DOWNLOAD = { member: "download-certificates", staff: "see-customers" } as const;
const CANCEL = { member: "cancel-orders", staff: "end-orders" } as const;
export const REVOKE = { member: "revoke-own-certificates", staff: "revoke-certificates" } as const;
export const EDIT = { member: "change-own-codes", staff: "change-codes" } as const;
export const RENEW = { member: "prepare-renewals" } as const;
export const MANAGE = { member: "manage-company" } as const;
export const SUB_ENTITY = { member: "register-codes" } as const;
const ORDER = { member: "place-orders" } as const;
const OWN_ORDER = { member: "place-orders", isPersonal: true } as const;
const OWN_RENEWAL = { member: "prepare-renewals", isPersonal: true } as const;
const OWN_CODE = { member: "change-own-codes", isPersonal: true } as const;

type Place = Omit<Asking, "fields">;

/** Returns the request for a page, and the requests with these forms of it, which need the same. */
const asked = (place: Place, ...forms: NonNullable<Asking["fields"]>[]): Asking[] => [
  place,
  ...forms.map((fields) => ({ ...place, fields })),
];

/** Returns the requests with one button each. */
const pressed = (place: Place, ...intents: string[]): Asking[] =>
  intents.map((intent) => ({ ...place, fields: { intent } }));

/** Returns the requests for a step of a wizard with the drafts that a person has begun, and with one that was handed over. */
const wizardStep =
  (...intents: string[]) =>
  ({ purchaseDraft, renewalDraft, handedDraft }: Ids): Asking[] =>
    [
      { params: { wizard: "purchase" }, query: { draft: purchaseDraft }, needs: OWN_ORDER },
      { params: { wizard: "renew" }, query: { draft: renewalDraft }, needs: OWN_RENEWAL },
      { params: { wizard: "renew" }, query: { draft: handedDraft }, needs: RENEW },
    ].flatMap((place) => [place, ...pressed(place, ...intents)]);

const codeStep =
  (...intents: string[]) =>
  ({ codePurchaseDraft }: Ids): Asking[] => {
    const place = { query: { draft: codePurchaseDraft }, needs: OWN_ORDER };
    return [place, ...pressed(place, ...intents)];
  };

const TAKEN_CONTACT = {
  name: "Theo Taker",
  company: "Taken Over Ltd",
  position: "Head of IT",
  email: "theo.taker@taken-over.com",
  addressLine1: "1 Mill Lane",
  city: "Coventry",
  postalCode: "CV1 1AA",
  country: "826",
  phoneNumber: "+44 20 7946 0001",
};
const NOTED = { notes: "In the gateway", tags: "Plant 1", seen: "0" };

const CONFIRMED = { confirmed: "yes", decisionReason: "Ordered twice" };

/**
 * Requests of each route for things of another user, with the parameters of its path, its query and its forms. A route that takes no ids of
 * users' things has []. Routes for staff can be omitted. The tests fail for any other route that is missing here.
 */
export const ASKING: Record<string, (ids: Ids) => Asking[]> = {
  "home.certificate-csr.$id": ({ certificate, pendingCertificate }) => [
    ...asked({ params: { id: certificate }, needs: DOWNLOAD }),
    ...asked({ params: { id: pendingCertificate }, needs: DOWNLOAD }),
  ],
  "home.certificate-details.$id": ({ certificate, pendingCertificate }) => [
    ...asked({ params: { id: certificate } }),
    { params: { id: certificate }, fields: { intent: "renew" }, needs: RENEW, changes: true },
    { params: { id: certificate }, fields: { intent: "note", ...NOTED }, needs: NOTE, changes: true },
    ...asked({ params: { id: pendingCertificate } }),
    { params: { id: pendingCertificate }, fields: { intent: "cancel", ...CONFIRMED }, needs: CANCEL, changes: true },
  ],
  "home.certificate-download.$id": ({ certificate: id }) => asked({ params: { id }, needs: DOWNLOAD }),
  "home.certificate-partners.$id": ({ certificate: id, partner: partnerId }) => [
    { params: { id }, needs: SEE },
    { params: { id }, fields: { intent: "add", partners: "new@partner.example" }, needs: TELL, changes: true },
    { params: { id }, fields: { intent: "publish", confirmed: "yes" }, needs: TELL, changes: true },
    { params: { id }, fields: { intent: "remove", partnerId }, needs: TELL, changes: true },
    { params: { id }, fields: { intent: "copy", from: id }, needs: TELL },
    { params: { id }, fields: { intent: "follow", switchDays: "14" }, needs: TELL, changes: true },
  ],
  "home.certificate-partners.$id_.kit": ({ certificate: id }) => asked({ params: { id }, needs: DOWNLOAD }),
  // Everybody who has a code can open the page; entity-certificates.test.tsx tries its files.
  "home.entity-certificates.$id": ({ code: id, subcode, certificate, publishedCertificate: certificateId }) => [
    { params: { id }, fields: { intent: "publish", others: certificate }, needs: PUBLISH, changes: true },
    { params: { id: subcode }, fields: { intent: "end", certificateId }, needs: PUBLISH, changes: true },
  ],
  "home.entity-certificates.$id_.file": () => [],
  "home.entity-certificates._index": () => [], // what the user follows alone
  "home.certificate-file.$id": ({ certificate: id }) =>
    asked({
      params: { id },
      query: { certificateType: "own", encoding: "PEM", fileExtension: "PEM" },
      needs: DOWNLOAD,
    }),
  "home.certificate.correct.$id": ({ certificate: id }) => asked({ params: { id }, needs: ORDER }, { hasEmail: "on" }),
  "home.certificate.revoke.$id": ({ certificate: id }) => [
    { params: { id }, needs: REVOKE },
    { params: { id }, needs: REVOKE, fields: revocation(), changes: true },
  ],
  "home.certificate.$wizard.contact-details": wizardStep(""),
  "home.certificate.$wizard.order": wizardStep("next", "import", "apply", "commands", "update", "back"),
  "home.certificate.$wizard.invoice-address": wizardStep("complete", "update-country", "back"),
  "home.certificate.$wizard.order-complete": ({ orderedDraft: draft }) =>
    asked({ params: { wizard: "purchase" }, query: { draft }, needs: OWN_ORDER }),
  "home.certificates": ({ certificate: id }) => [
    { fields: { id, intent: "view" } },
    { fields: { id, intent: "download" }, needs: DOWNLOAD },
    { fields: { id, intent: "renew" }, needs: RENEW, changes: true },
    { fields: { id, intent: "revoke" }, needs: REVOKE },
  ],
  "home.code.purchase.contact-details": codeStep(""),
  "home.code.purchase.order": codeStep("next", "update", "back"),
  "home.code.purchase.invoice-address": codeStep("complete", "update-country", "back"),
  "home.code.purchase.order-complete": ({ orderedCodesDraft: draft }) => asked({ query: { draft }, needs: OWN_ORDER }),
  "home.certificates_.export[.]csv": () => [],
  "home.certificates_.files[.]zip": () => [], // download.test.tsx tries it without certificates and without the role
  "home.certificates_.renewals": () => [], // bulk-renewal.test.tsx tries the certificates of another company
  "home.codes_.export[.]csv": () => [],
  "home.codes": ({ code: id }) => [
    { fields: { id, intent: "view" } },
    { fields: { id, intent: "sub-entity" }, needs: SUB_ENTITY },
  ],
  "home.codes_.code-details": ({ code, subcode, codeDraft: draft }): Asking[] => [
    ...asked({ query: { code } }),
    ...asked({ query: { code: subcode } }),
    {
      query: { code },
      fields: { ...ENTITY, intent: "save", status: "Registered", entityName: "Taken over" },
      needs: EDIT,
      changes: true,
    },
    { query: { code }, fields: { contact: "" }, needs: EDIT },
    { query: { parent: code }, needs: SUB_ENTITY },
    ...asked({ query: { draft }, needs: OWN_CODE }, { entityName: "Taken over" }, { contact: "" }),
  ],
  "home.codes_.code-details_.contact-details": ({ code, contact, codeDraft: draft }) => [
    ...asked({ query: { code, contact } }),
    ...asked({ query: { draft, contact }, needs: OWN_CODE }, { intent: "save", firstName: "Taken", lastName: "Over" }),
  ],
  "home.file": () => [], // redirects without checking whether the file exists
  "home.invoice.$id": ({ invoice: id }) => asked({ params: { id } }),
  "home.orders._index": () => [], // own-orders.test.tsx tries orders and drafts of others
  "home.orders.$id": ({ pendingOrder: id, certificateOrder }) => [
    ...asked({ params: { id } }),
    ...asked({ params: { id: certificateOrder } }),
    { params: { id }, fields: { intent: "remind" }, needs: ORDER },
  ],
  "home.orders.$id_.contact": ({ pendingOrder: id }) => [
    { params: { id }, needs: ORDER },
    { params: { id }, fields: TAKEN_CONTACT, needs: ORDER, changes: true },
  ],
  "home.orders.$id_.correct": ({ codeOrder, pendingOrder: id }) => [
    { params: { id: codeOrder }, needs: ORDER },
    { params: { id }, query: { part: "technical" }, needs: ORDER },
    {
      params: { id },
      query: { part: "technical" },
      fields: { ...TAKEN_CONTACT, confirmed: "yes" },
      needs: ORDER,
      changes: true,
    },
  ],
  "home.search": () => [], // search.test.tsx tries the numbers of another company
  "home.search-codes": () => [], // everybody who has a code can search the register; strangers-pages.test.ts tries the details
  "home.search_.suggestions": () => [], // the same search
  home: () => [],
  "home._index": () => [],
  "home.certificate-repository": () => [],
  "home.certificate.$wizard": () => [],
  "home.certificate.$wizard._index": () => [],
  "home.certificate.purchase_.promotion": () => [],
  "home.certificates_.certificate-repository": () => [],
  "home.code.purchase": () => [],
  "home.code.purchase._index": () => [],
  "home.company": ({ invitation }) => [{ fields: { withdraw: invitation }, needs: MANAGE, changes: true }],
  "home.company_.$id": ({ member: id }) => [
    { params: { id }, needs: MANAGE },
    ...[
      { intent: "role", role: "technical" },
      { intent: "hand-over", confirmed: "yes" },
      { intent: "remove", confirmed: "yes" },
    ].map((fields): Asking => ({ params: { id }, fields, needs: MANAGE, changes: true })),
  ],
  "home.dashboard": () => [],
  "home.frame.$targetSite.$targetUrl.($json)": () => [],
  "home.frame-problem.$targetSite.$targetUrl": () => [],
  "home.company_.api-clients._index": () => [],
  "home.company_.api-clients.new": () => [],
  "home.company_.api-clients.$id": ({ apiClient: id, apiClientSecret: secret }) =>
    asked(
      { params: { id }, needs: MANAGE },
      { intent: "revoke", confirmed: "yes" },
      { intent: "end-secret", confirmed: "yes", secret },
      { intent: "secret", overlap: "now", newest: secret },
      { intent: "change", ...clientFields() },
    ),
  "home.company_.domains._index": () => [],
  "home.company_.domains.$id": ({ domain: id }) => [
    { params: { id }, needs: MANAGE },
    ...["check-dns", "check-http"].map((intent): Asking => ({ params: { id }, fields: { intent }, needs: MANAGE })),
    { params: { id }, fields: { intent: "mail", address: "admin@taken.example.com" }, needs: MANAGE },
    { params: { id }, fields: { intent: "renew" }, needs: MANAGE, changes: true },
    { params: { id }, fields: { intent: "remove", confirmed: "yes" }, needs: MANAGE, changes: true },
  ],
  "home.company_.standing-authorisations._index": () => [],
  "home.company_.standing-authorisations.new": () => [],
  "home.company_.standing-authorisations.$id": ({ standing: id }) => [
    { params: { id }, needs: { member: "see-company" } },
    { params: { id }, fields: { intent: "order", csr: "none" }, needs: ORDER },
    { params: { id }, fields: { intent: "invoice-monthly" }, needs: MANAGE },
    { params: { id }, fields: { intent: "end", reason: "Asked to" }, needs: MANAGE },
  ],
  "home.company_.standing-authorisations.$id_.acme-keys": ({ standing: id, acmeKey }) =>
    asked(
      { params: { id }, needs: MANAGE },
      { intent: "make", description: "Web server" },
      { intent: "revoke", key: acmeKey },
    ),
  "home.company_.webhooks._index": () => [],
  "home.company_.webhooks.new": () => [],
  "home.company_.webhooks.$id": ({ webhook: id }) =>
    asked(
      { params: { id }, needs: MANAGE },
      { intent: "change", ...webhookFields() },
      { intent: "secret", seen: "" },
      { intent: "test" },
      { intent: "pause" },
      { intent: "resume" },
      { intent: "remove", confirmed: "yes" },
    ),
  "home.company_.webhooks.$id_.deliveries.$delivery": ({ webhook: id, webhookDelivery: delivery }) =>
    asked({ params: { id, delivery }, needs: MANAGE }, { intent: "send-again" }),
  "home.personal-data": () => [], // personal-data.test.tsx tries the data of somebody else
  "home.personal-data_.erasure": () => [],
  "home.personal-data_.file": () => [],
  "home.sessions": () => [], // sessions-page.test.tsx tries a session of somebody else
  "home.user-management": () => [],
};

/** The fields of the forms of two sales orders, changed. */
export interface Sales {
  pendingOrder: Record<string, string>;
  codeOrder: Record<string, string>;
}

/**
 * Requests of staff for things of a customer, and of everybody who may search the register for its entities, by route. Each button names what
 * it needs.
 */
export const STAFF_ASKING: Record<string, (ids: Ids, sales: Sales) => Asking[]> = {
  "home.entity-certificates.$id": ({ code: id }) => [
    { params: { id }, fields: { intent: "follow" }, needs: "a code" },
    { params: { id }, fields: { intent: "unfollow" }, needs: "a code" },
  ],
  "home.certificate-queue.approve": ({ pendingCertificate: id }) => [
    { query: { id }, needs: "approve-orders" },
    { fields: { id }, needs: "approve-orders" },
  ],
  "home.certificate-queue.export[.]csv": ({ pendingCertificate: id }) => [{ query: { id }, needs: "see-queue" }],
  "home.certificate-queue.remind": ({ pendingCertificate: id }) => [
    { query: { id }, needs: "work-on-orders" },
    { fields: { id }, needs: "work-on-orders" },
  ],
  "home.certificate-queue.take": ({ pendingCertificate: id }) => [
    { query: { id }, needs: "work-on-orders" },
    { fields: { id }, needs: "work-on-orders", changes: true },
  ],
  "home.certificate-queue.release": ({ pendingCertificate: id }) => [
    { query: { id }, needs: "work-on-orders" },
    { fields: { id }, needs: "work-on-orders" },
  ],
  "home.certificate-queue.$id_.evidence": ({ pendingCertificate: id }) => [
    { params: { id }, needs: "add-evidence" },
    { params: { id }, fields: { check: "organisation", text: "Active" }, needs: "add-evidence", changes: true },
  ],
  "home.certificate-queue.$id": ({ pendingCertificate: id }, { pendingOrder }) => [
    { params: { id }, needs: "see-queue" },
    { params: { id }, fields: { intent: "take" }, needs: "work-on-orders", changes: true },
    { params: { id }, fields: { intent: "release" }, needs: "work-on-orders" },
    { params: { id }, fields: { intent: "comment", comment: "Called." }, needs: "work-on-orders", changes: true },
    ...["record", "next"].map((intent): Asking => ({
      params: { id },
      fields: { ...checkForm({ csr: "Called" }), intent },
      needs: "check-orders",
      changes: true,
    })),
    ...["approve", "undo"].map((intent): Asking => ({
      params: { id },
      fields: { intent, confirmed: "yes" },
      needs: "approve-orders",
    })),
    ...["reject", "cancel"].map((intent): Asking => ({
      params: { id },
      fields: { intent, ...CONFIRMED },
      needs: "end-orders",
      changes: true,
    })),
    {
      params: { id },
      fields: { intent: "payment", ...pendingOrder },
      needs: "change-sales-orders",
      changes: true,
    },
    { params: { id }, fields: { intent: "allow-messages" }, needs: "allow-messages" },
  ],
  "home.standing-authorisations._index": () => [],
  "home.standing-authorisations.$id": ({ standing: id }) => [
    { params: { id }, needs: "see-queue" },
    { params: { id }, fields: { intent: "check", note: "Called" }, needs: "check-orders" },
    { params: { id }, fields: { intent: "approve" }, needs: "approve-orders" },
    { params: { id }, fields: { intent: "end", reason: "Asked to" }, needs: "end-orders" },
  ],
  "home.standing-authorisations.$id_.confirm": ({ standing: id }) =>
    asked(
      { params: { id }, needs: "approve-orders" },
      { code: "123456" },
      { intent: "passkey" },
      { intent: "passkey-add" },
    ),
  "home.certificate.reissue.$id": ({ certificate: id }) =>
    asked({ params: { id }, needs: "reissue-certificates" }, { reason: "Key lost" }),
  "home.companies.$id_.domains.$domainId": ({ company: id, domain: domainId }) => [
    { params: { id, domainId }, needs: "end-domains" },
    { params: { id, domainId }, fields: { reason: "Asked to" }, needs: "end-domains", changes: true },
  ],
  "home.codes_.code-details_.audit-log": ({ code }) => asked({ query: { code }, needs: "see-customers" }),
  "home.sale-orders": ({ codeOrder: id }) =>
    ["view", "export", "export-all", "resize"].map((intent) => ({ fields: { id, intent }, needs: "see-sales-orders" })),
  "home.sale-orders_.details": ({ codeOrder: order }, { codeOrder }) => [
    { query: { order }, needs: "see-sales-orders" },
    { query: { order }, fields: codeOrder, needs: "change-sales-orders", changes: true },
    {
      query: { order },
      fields: { intent: "allow-messages" },
      needs: ["see-sales-orders", "allow-messages"],
    },
  ],
  "home.sale-orders_.details_.invoice": ({ codeOrder: order, invoice }) => [
    { query: { order }, needs: "change-sales-orders" },
    { query: { order }, fields: { intent: "issue" }, needs: "change-sales-orders" },
    { query: { order }, fields: { intent: "issue-together", seen: order }, needs: "change-sales-orders" },
    {
      query: { order },
      fields: { intent: "pay", invoice, paymentDate: "", seen: order },
      needs: "change-sales-orders",
    },
    {
      query: { order },
      fields: { intent: "credit", invoice, reason: "Wrong company" },
      needs: "change-sales-orders",
      changes: true,
    },
  ],
  "home.users.$id_.details": ({ user: id }) => [
    { params: { id }, needs: "change-users" },
    { params: { id }, fields: { firstName: "Taken", lastName: "Over", confirmed: "yes" }, needs: "change-users" },
  ],
  "home.users.$id_.trail": ({ user: id }) => [{ params: { id }, needs: "see-users" }],
  "home.users.$id_.trail_.file": ({ user: id }) => [{ params: { id }, needs: "see-users" }],
  "home.users.$id": ({ user: id }) => [
    { params: { id }, needs: "see-users" },
    ...[...USER_ACTIONS, APPROVE_REQUEST, "refuse-request"].map((intent): Asking => ({
      params: { id },
      fields: {
        intent,
        reason: "Asked to",
        confirmed: "yes",
        ...(intent.endsWith("-request") && { request: "999999999" }),
      },
      needs: "change-users",
    })),
  ],
};

/** Further forms and addresses of routes, about nothing that anybody owns yet. */
export const FURTHER: Record<string, readonly Asking[]> = {
  "home.certificate.$wizard": [{ params: { wizard: "renew" }, needs: "prepare-renewals" }],
  "home.certificate.$wizard.contact-details": [{ params: { wizard: "purchase" }, needs: "place-orders" }],
  "home.codes_.code-details": [{ query: { type: "Full" }, needs: "register-codes" }],
  "home.company": [
    {
      fields: { email: "colleague@example-parts.com", role: "reader" },
      needs: "manage-company",
      changes: true,
    },
  ],
  "home.mail._index": [{ fields: { intent: "dismiss" }, needs: "change-mail" }],
  "home.manage": [{ fields: { intent: "remove", confirmed: "yes" }, needs: "change-settings" }],
};
