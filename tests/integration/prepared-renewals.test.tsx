import { describe, expect, test } from "vitest";
import { CONTACT_REFUSED, type ContactRules } from "~/domain/certificates/purchase/contact.policy";
import { chooseCompany, listOwnCompanies } from "~/domain/companies/own-companies.service.server";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as companyChoice from "~/routes/company-choice";
import * as invoiceRoute from "~/routes/home.certificate.$wizard.invoice-address/route";
import * as orderRoute from "~/routes/home.certificate.$wizard.order/route";
import * as wizardFrame from "~/routes/home.certificate.$wizard/route";
import * as certificatesPage from "~/routes/home.certificates";
import * as ordersPage from "~/routes/home.orders._index";
import { getDb } from "~db/connection.server";
import { auditAbout } from "../support/administration";
import { readCertificate } from "../support/certificates";
import { createColleague, personOf } from "../support/companies";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { anonymous, errorsOf, jsonOf, run, signedInAs } from "../support/visitor";
import { Buyer, buyerAtInvoice, certificateOf, CONTACT } from "./purchase-journey";
import { issueEnding, pressRenew, startRenewing } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

/** A company whose technical member has prepared the renewal of a certificate, up to the last step. */
async function prepared() {
  const owner = await createUser();
  const technical = await createColleague(owner, "technical");
  const purchaser = await createColleague(owner, "purchaser");
  const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
  const preparer = await startRenewing(technical, original);
  await preparer.upToInvoice(makeCsr().pem);
  const orderer = new Buyer(purchaser, await signedInAs(purchaser), preparer.draft, "renew");
  return { owner, technical, purchaser, original, preparer, orderer };
}

const ordersOf = async ({ companyId }: { companyId: number }) =>
  getDb().selectFrom("orders").selectAll().where("companyId", "=", companyId).orderBy("id").execute();

describe("[REN-01] a renewal that a technical member prepares", () => {
  test("is handed over: nothing is ordered, and owners and purchasers get a message and find it with their certificates", async () => {
    const { owner, technical, purchaser, original, preparer, orderer } = await prepared();
    const before = await ordersOf(owner);
    preparer.visitor.follow(await preparer.invoice());
    expect(await toastOf(preparer.visitor)).toMatch(/We have written to 2 owners and purchasers of your company\.$/);
    expect(await ordersOf(owner)).toEqual(before);
    for (const { email } of [owner, purchaser])
      expect((await mailsTo(email)).at(-1)?.text).toContain(
        `prepared the renewal of the certificate for ${original.commonName}`,
      );
    expect((await auditAbout(technical)).at(-1)?.event).toBe("renewal.prepared");

    const { html } = await openPage(certificatesPage, orderer.visitor, "/home/certificates");
    const link = select(html, 'a[href*="/certificate/renew/invoice-address"]');
    expect(link.attr("href")).toContain(preparer.draft);
    expect(pageText(html)).toContain("Bernd The technical");
    const forPreparer = await openPage(certificatesPage, preparer.visitor, "/home/certificates");
    expect(pageText(forPreparer.html)).not.toContain("Renewals that colleagues have prepared");
    expect(pageText(forPreparer.html)).toContain("Renewals that you have handed over");
    expect(textsOf(forPreparer.html, 'td[data-l="Handed over on"]')).toHaveLength(1);
    expect(select(forPreparer.html, `a[href*="${preparer.draft}"]`).length).toBe(1);
  });

  test("[REN-01] can be discarded by its preparer alone, and whoever opens it then reads why it has ended", async () => {
    const { preparer, orderer, original } = await prepared();
    await preparer.invoice();
    const discard = async ({ visitor, draft }: Buyer) => {
      const fields = { wizard: "renew", draft, what: "", confirmed: "yes" };
      visitor.follow(await run(ordersPage.action, await visitor.post("/home/orders", fields)));
      return toastOf(visitor);
    };
    expect(await discard(orderer)).toBe("This order was completed or discarded already.");
    expect((await orderer.invoicePage()).status).toBe(200);
    expect(await discard(preparer)).toBe("The order was discarded.");
    orderer.visitor.follow(await orderer.invoicePage());
    expect(await toastOf(orderer.visitor)).toBe(
      `The prepared renewal of ${original.commonName} has ended, and nothing was ordered: Bernd The technical, who had prepared it, discarded it. Please renew the certificate with a new CSR.`,
    );
  });

  test("is ordered once, by the purchaser who completes it", async () => {
    const { owner, purchaser, original, preparer, orderer } = await prepared();
    await preparer.invoice();
    expect((await orderer.invoice()).headers.get("Location")).toContain("order-complete");
    const orders = (await ordersOf(owner)).filter(({ draftId }) => draftId === preparer.draft);
    expect(orders).toMatchObject([{ userId: purchaser.id, companyId: owner.companyId }]);
    expect((await readCertificate(original.id)).status).toBe("Issued");
    const { html } = await openPage(certificatesPage, orderer.visitor, "/home/certificates");
    expect(pageText(html)).not.toContain("Renewals that colleagues have prepared");
    const again = await preparer.invoicePage();
    const { id } = await certificateOf(orders[0]?.id ?? 0);
    expect(again.headers.get("Location")).toBe(`/home/certificate-details/${id}`);
    preparer.visitor.follow(again);
    const said = `Bernd The purchaser has ordered this renewal: order SO-${orders[0]?.id}.`;
    expect(await toastOf(preparer.visitor)).toBe(said);
    expect((await preparer.invoice()).headers.get("Location")).toBe(`/home/certificate-details/${id}`);
    expect((await securityEvents()).map(({ event }) => event)).not.toContain("access.refused");
    expect((await ordersOf(owner)).filter(({ draftId }) => draftId === preparer.draft)).toHaveLength(1);
  });

  test("says on its page who prepared it, and whoever orders it accepts the terms, too", async () => {
    const { owner, preparer, orderer } = await prepared();
    await preparer.invoice();
    const { html } = await openPage(invoiceRoute, orderer.visitor, orderer.url("invoice-address"), {
      params: orderer.params,
    });
    expect(pageText(html)).toMatch(/Bernd The technical has prepared and handed over this renewal on \d/);
    expect(select(html, "input[name=termsAndConditionsAccepted]").length).toBe(1);
    const before = await ordersOf(owner);
    const refused = await orderer.invoice({ termsAndConditionsAccepted: undefined });
    expect((await errorsOf(refused)).errors).toEqual({ termsAndConditionsAccepted: TERMS_NOT_ACCEPTED });
    expect(await ordersOf(owner)).toEqual(before);
    const own = await openPage(invoiceRoute, preparer.visitor, preparer.url("invoice-address"), {
      params: preparer.params,
    });
    expect(select(own.html, "input[name=termsAndConditionsAccepted]").length).toBe(0);
    expect(pageText(html)).toContain(`Technical contact Bernd The purchaser, ${orderer.user.email}`);
    expect(pageText(own.html)).toMatch(/You have prepared and handed over this renewal on \d/);
    expect(pageText(own.html)).not.toContain("Technical contact");
    expect(textsOf(own.html, "button")).toContain("Hand over again");
  });

  test("[PUR-09] asks the one who prepares for no invoice address, and the one who orders for all of it", async () => {
    const { preparer, orderer } = await prepared();
    const url = preparer.url("invoice-address");
    const handOver = async () =>
      run(preparer.routes.invoice.action, await preparer.visitor.post(url, { intent: "complete" }));
    expect((await handOver()).headers.get("Location")).toBe("/home/certificates");
    const kept = await getDb().selectFrom("drafts").selectAll().where("id", "=", preparer.draft).executeTakeFirst();
    expect(JSON.parse(kept?.data ?? "{}")).not.toHaveProperty("invoice");
    const { html } = await openPage(invoiceRoute, orderer.visitor, url, { params: orderer.params });
    expect(select(html, `input[name=email][value="${orderer.user.email}"]`).length).toBe(1);
  });

  test("[PUR-02] names the third step after what the member does there", async () => {
    const { preparer, orderer } = await prepared();
    const stepsFor = async ({ visitor, params }: Buyer) =>
      textsOf((await openPage(wizardFrame, visitor, preparer.url("invoice-address"), { params })).html, "ol.steps li");
    const names = async (buyer: Buyer) => (await stepsFor(buyer)).map((name) => name.replace(" (finished)", ""));
    expect(await names(preparer)).toEqual(["Contact details", "Order", "Hand over"]);
    expect(await names(orderer)).toEqual(["Contact details", "Order", "Invoice address", "Order complete"]);
  });

  test("[PUR-08] does not ask the one who prepares for the terms, and always the one who orders", async () => {
    const { owner, original, technical, purchaser } = await prepared();
    const preparer = await startRenewing(technical, original);
    const fieldsOn = async (buyer: Buyer) => {
      await buyer.contact();
      const { html } = await openPage(orderRoute, buyer.visitor, buyer.url("order"), { params: buyer.params });
      return select(html, "input[name=termsAndConditionsAccepted]").length;
    };
    expect(await fieldsOn(preparer)).toBe(0);
    await preparer.upToInvoice(makeCsr().pem, { termsAndConditionsAccepted: undefined });
    const first = await openPage(invoiceRoute, preparer.visitor, preparer.url("invoice-address"), {
      params: preparer.params,
    });
    expect(textsOf(first.html, "button")).toContain("Hand over to a purchaser");
    expect(select(first.html, "input[name=email], input[name=addressLine1], select[name=country]").length).toBe(0);
    expect((await preparer.invoice({ intent: "back" })).headers.get("Location")).toBe(preparer.url("order"));

    const buyer = await startRenewing(purchaser, original);
    expect(await fieldsOn(buyer)).toBe(1);
    const csr = makeCsr().pem;
    await buyer.order({ csr, intent: "import" });
    const refused = await buyer.order({ csr, termsAndConditionsAccepted: undefined });
    expect((await errorsOf(refused)).errors).toEqual({ termsAndConditionsAccepted: TERMS_NOT_ACCEPTED });
    const skipped = await buyer.invoice({ termsAndConditionsAccepted: undefined });
    expect((await errorsOf(skipped)).errors).toEqual({ termsAndConditionsAccepted: TERMS_NOT_ACCEPTED });

    await preparer.invoice();
    await getDb().updateTable("memberships").set({ role: "purchaser" }).where("userId", "=", technical.id).execute();
    const promoted = await preparer.invoice({ termsAndConditionsAccepted: undefined });
    expect((await errorsOf(promoted)).errors).toEqual({ termsAndConditionsAccepted: TERMS_NOT_ACCEPTED });
    expect((await ordersOf(owner)).filter(({ draftId }) => draftId === preparer.draft)).toEqual([]);
    expect((await preparer.invoice()).headers.get("Location")).toContain("order-complete");
  });

  test("is prepared once: a second one is refused when it begins and when it is handed over", async () => {
    const { owner, technical, original, preparer } = await prepared();
    const second = await createColleague(owner, "technical", { lastName: "Second" });
    const other = await startRenewing(second, original);
    await other.upToInvoice(makeCsr().pem);
    await preparer.invoice();
    const text = "Bernd The technical has prepared the renewal of this certificate already, on ";
    expect(await (await other.invoice()).text()).toContain(text);
    const again = await pressRenew(await signedInAs(second), original.id);
    expect(again.status).toBe(422);
    expect(await again.text()).toContain(text);
    expect(await (await pressRenew(await signedInAs(technical), original.id)).text()).toContain("You have prepared");
    expect((await preparer.invoice()).headers.get("Location")).toBe("/home/certificates");
  });

  test("leads a purchaser who works for another company there, and back", async () => {
    const { owner, purchaser, preparer, orderer } = await prepared();
    await preparer.invoice();
    expect((await mailsTo(purchaser.email)).at(-1)?.text).toContain(owner.company);
    const own = (await listOwnCompanies(purchaser)).find(({ id }) => id !== owner.companyId)?.id ?? 0;
    await chooseCompany(await personOf(purchaser), own);
    await getDb().updateTable("memberships").set({ role: "reader" }).where("companyId", "=", own).execute();
    const location = (await orderer.invoicePage()).headers.get("Location") ?? "";
    expect(location).toBe(`/home/certificates?elsewhere=certificate-renewal.${preparer.draft}`);
    const { html } = await openPage(certificatesPage, orderer.visitor, location);
    expect(pageText(html)).toContain("This renewal belongs to another company of yours.");
    const form = select(html, 'form[action="/company-choice"]');
    const fieldOf = (name: string) => form.find(`input[name=${name}]`).attr("value") ?? "";
    const fields = { company: fieldOf("company"), to: fieldOf("to") };
    const answer = await run(companyChoice.action, await orderer.visitor.post("/company-choice", fields));
    expect(answer.headers.get("Location")).toBe(orderer.url("invoice-address"));
    expect((await orderer.invoicePage()).status).toBe(200);
    await chooseCompany(await personOf(purchaser), own);
    const outside = { ...fields, to: "https://example.com/" };
    const away = await run(companyChoice.action, await orderer.visitor.post("/company-choice", outside));
    expect(away.headers.get("Location")).toBe("/home/dashboard");
    const stranger = await signedInAs(await createUser());
    expect((await openPage(certificatesPage, stranger, location)).html).not.toContain("another company of yours");
  });

  test("is not seen by colleagues before it is handed over, and never by another company", async () => {
    const { preparer, orderer } = await prepared();
    const step = (buyer: Buyer) => buyer.invoicePage();
    expect((await step(orderer)).headers.get("Location")).toBe("/home/certificates");
    await preparer.invoice();
    expect((await step(orderer)).status).toBe(200);
    const stranger = await createUser();
    const foreign = new Buyer(stranger, await signedInAs(stranger), preparer.draft, "renew");
    expect((await step(foreign)).headers.get("Location")).toBe("/home/certificates");
  });
});

describe("[PUR-02] the authentication contact of a prepared renewal", () => {
  /** Returns why the order is refused when it is completed, or an empty text. */
  const refusalOf = async (buyer: Buyer): Promise<string> => {
    const answer = await buyer.invoice();
    return answer.status === 303 ? "" : await answer.text();
  };

  test("is nobody who prepared it, also when the contact is changed by the one who orders", async () => {
    const { owner, technical, preparer, orderer } = await prepared();
    await preparer.invoice();
    const before = await ordersOf(owner);
    const named = await orderer.contact({ email: technical.email.replace("@", "+ca@").toUpperCase() });
    expect(named.status).toBe(422);
    expect((await errorsOf(named)).errors).toMatchObject({ email: CONTACT_REFUSED });
    const page = await jsonOf<{ rules: ContactRules }>(await orderer.contactPage());
    expect(page.rules.preparers).toEqual([{ name: "Bernd The technical", email: technical.email }]);
    // The owner's own step would accept the contact: an older version of it did.
    await getDb()
      .updateTable("drafts")
      .set((eb) => ({ data: eb.fn<string>("replace", ["data", eb.val(CONTACT.email), eb.val(technical.email)]) }))
      .where("id", "=", preparer.draft)
      .execute();
    expect(await refusalOf(orderer)).toContain("is the email address of Bernd The technical, who prepared this order");
    expect(await ordersOf(owner)).toEqual(before);
  });

  test("is not a colleague who replaced the CSR after it was handed over", async () => {
    const { owner, preparer, orderer } = await prepared();
    await preparer.invoice();
    const second = await createColleague(owner, "technical", { lastName: "Second" });
    const changer = new Buyer(second, await signedInAs(second), preparer.draft, "renew");
    await changer.order({ csr: makeCsr().pem, intent: "import" });
    expect((await orderer.contact({ email: second.email })).status).toBe(422);
    expect((await orderer.contact()).status).toBe(303);
    await changer.order({ csr: makeCsr().pem, intent: "import" });
    const { html } = await openPage(invoiceRoute, orderer.visitor, orderer.url("invoice-address"), {
      params: orderer.params,
    });
    expect(pageText(html)).toMatch(
      /You, Bernd The technical and Bernd Second have prepared this renewal\. It was handed over on \d/,
    );
    expect(await refusalOf(orderer)).toBe("");
  });

  test("is told who prepared and who ordered, by the message and on the page of the link", async () => {
    const { purchaser, preparer, orderer } = await prepared();
    await preparer.invoice();
    await orderer.invoice();
    const sent = (await mailsTo(CONTACT.email)).findLast(({ subject }) => subject.startsWith("Please authorise"));
    const mail = sent ? await textOf(sent) : "";
    expect(mail).toContain("Bernd The technical");
    const token = /\/authorise-order\/([\w-]+)/.exec(mail)?.[1] ?? "";
    const { html } = await openPage(authorisePage, await anonymous(), `/authorise-order/${token}`, {
      params: { token },
    });
    expect(pageText(html)).toMatch(
      new RegExp(`Name Bernd The purchaser .*${purchaser.email}.*Prepared by Bernd The technical`),
    );
  });
});

describe("[PUR-01] a draft of one company in the address", () => {
  test("is not opened, changed or ordered while the person works in another company, and is there again afterwards", async () => {
    const owner = await createUser();
    const buyer = await buyerAtInvoice(makeCsr().pem);
    const own = buyer.user.companyId;
    const fields = await buyer.invoiceFields();
    const now = new Date();
    await getDb()
      .insertInto("memberships")
      .values({ companyId: owner.companyId, userId: buyer.user.id, role: "purchaser", joinedAt: now })
      .execute();
    const workFor = (companyId: number) =>
      getDb().updateTable("users").set({ companyId }).where("id", "=", buyer.user.id).execute();
    await workFor(owner.companyId);
    const answer = await buyer.invoice(fields);
    expect(answer.headers.get("Location")).toBe(`/home/certificates?elsewhere=certificate-purchase.${buyer.draft}`);
    expect([...(await ordersOf(owner)), ...(await ordersOf({ companyId: own }))]).toEqual([]);
    await workFor(own);
    expect((await buyer.invoice()).headers.get("Location")).toContain("order-complete");
    expect(await ordersOf({ companyId: own })).toHaveLength(1);
  });
});
