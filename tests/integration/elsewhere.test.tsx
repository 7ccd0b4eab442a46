import { describe, expect, test } from "vitest";
import { codeWizard } from "~/domain/codes/purchase/draft.server";
import { chooseCompany } from "~/domain/companies/own-companies.service.server";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as companyChoice from "~/routes/company-choice";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as contactRoute from "~/routes/home.certificate.$wizard.contact-details";
import * as invoiceRoute from "~/routes/home.certificate.$wizard.invoice-address/route";
import * as certificatesPage from "~/routes/home.certificates";
import * as codePurchase from "~/routes/home.code.purchase.contact-details";
import * as codesPage from "~/routes/home.codes/route";
import * as codePage from "~/routes/home.codes_.code-details/route";
import * as memberPage from "~/routes/home.company_.$id";
import * as invoiceFile from "~/routes/home.invoice.$id";
import { getDb } from "~db/connection.server";
import { createCertificateOrder } from "../support/certificates";
import { createCode } from "../support/codes";
import { createColleague, personOf } from "../support/companies";
import { createUser } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { issue } from "./invoicing";
import { Buyer, startPurchase } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

const workFor = async (user: { id: number }, companyId: number) => chooseCompany(await personOf(user), companyId);

/** A person who may order for a company, and works for their own one again. */
async function memberOfTwo() {
  const owner = await createUser();
  const member = await createColleague(owner, "purchaser");
  const own = await getDb()
    .selectFrom("memberships")
    .select("companyId")
    .where("userId", "=", member.id)
    .where("companyId", "!=", owner.companyId)
    .executeTakeFirstOrThrow();
  return { owner, member, own: own.companyId, visitor: await signedInAs(member) };
}

/** Presses the button of the note on a list page. Returns the address to which it leads. */
async function pressSwitch(page: typeof certificatesPage | typeof codesPage, visitor: Visitor, location: string) {
  const { html } = await openPage(page, visitor, location);
  const form = select(html, 'form[action="/company-choice"]');
  const fieldOf = (name: string) => form.find(`input[name=${name}]`).attr("value") ?? "";
  const fields = { company: fieldOf("company"), to: fieldOf("to") };
  const answer = await run(companyChoice.action, await visitor.post("/company-choice", fields));
  visitor.follow(answer);
  await toastOf(visitor);
  return { text: pageText(html), to: answer.headers.get("Location") };
}

const locationOf = (answer: Response) => answer.headers.get("Location") ?? "";

describe("[CER-06] a link to a certificate of another company of the same person", () => {
  test("says which company it belongs to and offers to switch; strangers read what they read for a missing one", async () => {
    const { owner, own, member, visitor } = await memberOfTwo();
    const { id } = await createCertificateOrder(owner, makeCsr().der);
    await workFor(member, own);
    const open = (who: Visitor, certificate: number) =>
      run(detailsPage.loader, who.get(paths.certificateDetails(certificate)), { id: String(certificate) });
    const location = locationOf(await open(visitor, id));
    expect(location).toBe(`/home/certificates?elsewhere=certificate.${id}`);
    expect((await securityEvents()).map(({ event }) => event)).not.toContain("access.refused");
    const { text, to } = await pressSwitch(certificatesPage, visitor, location);
    expect(text).toContain("This certificate belongs to another company of yours.");
    expect(text).toContain(`Switch to ${owner.company}`);
    expect(to).toBe(paths.certificateDetails(id));
    expect((await open(visitor, id)).status).toBe(200);

    const stranger = await signedInAs(await createUser());
    for (const certificate of [id, 999_999]) {
      const answer = await open(stranger, certificate);
      expect(locationOf(answer)).toBe("/home/certificates");
      stranger.follow(answer);
      expect(await toastOf(stranger)).toBe("There is no such certificate, or it is not yours.");
    }
    const typed = await openPage(certificatesPage, stranger, location);
    expect(pageText(typed.html)).not.toContain("another company of yours");
  });
});

describe("[COD-03] a link to a code, an invoice or an order of codes of another company of the same person", () => {
  test("leads to the list that offers to switch", async () => {
    const { owner, own, member, visitor } = await memberOfTwo();
    const stored = await createCode(owner);
    const code = typeof stored === "number" ? stored : stored.id;
    const orderId = await createInvoiceableOrder(owner);
    await issue(orderId);
    const [invoice] = await getDb().selectFrom("invoices").select("id").where("orderId", "=", orderId).execute();
    const draft = await startDraft(codeWizard, member.id);
    await workFor(member, own);
    const opened = [
      [codePage.loader, paths.codeDetails({ code }), `code.${code}`],
      [codePurchase.loader, paths.codePurchase("contact-details", draft), `code-purchase.${draft}`],
    ] as const;
    for (const [loader, path, name] of opened) {
      const location = locationOf(await run(loader, visitor.get(path)));
      expect(location).toBe(`/home/codes?elsewhere=${name}`);
      const { text, to } = await pressSwitch(codesPage, visitor, location);
      expect(text).toContain(`Switch to ${owner.company}`);
      expect(to?.split("?")[1]).toBe(path.split("?")[1]);
      await workFor(member, own);
    }
    const id = String(invoice?.id);
    const file = await run(invoiceFile.loader, visitor.get(paths.invoice(Number(id))), { id });
    const pressed = await pressSwitch(certificatesPage, visitor, locationOf(file));
    expect(pressed).toMatchObject({ to: rarePaths.privateFile(paths.invoice(Number(id))) });
    expect(pressed.text).toContain("This invoice belongs to another company of yours.");
    const stranger = await signedInAs(await createUser());
    expect((await run(codePage.loader, stranger.get(paths.codeDetails({ code })))).status).toBe(404);
  });
});

describe("[PUR-01] an order of another company of the same person that is not complete", () => {
  test("says so instead of beginning a new one, also for somebody who may not order in the present company", async () => {
    const { owner, own, member, visitor } = await memberOfTwo();
    const buyer = await new Buyer(member, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
    const fields = await buyer.invoiceFields();
    await workFor(member, own);
    await getDb().updateTable("memberships").set({ role: "reader" }).where("companyId", "=", own).execute();
    const location = locationOf(await buyer.invoice(fields));
    expect(location).toBe(`/home/certificates?elsewhere=certificate-purchase.${buyer.draft}`);
    const { text, to } = await pressSwitch(certificatesPage, visitor, location);
    expect(text).toContain("This order belongs to another company of yours.");
    expect(to).toBe(buyer.url("invoice-address"));
    const { html } = await openPage(invoiceRoute, visitor, to ?? "", { params: buyer.params });
    expect(pageText(html)).toContain("Complete Order");
    expect((await buyer.invoice()).headers.get("Location")).toContain("order-complete");
    expect(owner.companyId).not.toBe(own);
  });
});

describe("[PUR-01] [COD-03] what somebody began for a company that they have left", () => {
  test("says so at its address, and nothing is begun for another company", async () => {
    const { owner, member, visitor } = await memberOfTwo();
    const draft = await startPurchase(visitor);
    const codes = await startDraft(codeWizard, member.id);
    const id = String(member.id);
    const removing = await (
      await signedInAs(owner)
    ).post(`/home/company/${id}`, { intent: "remove", confirmed: "yes" });
    await run(memberPage.action, removing, { id });
    const drafts = () => getDb().selectFrom("drafts").select("id").where("userId", "=", member.id).execute();
    const before = await drafts();
    const opened = [
      [contactRoute.loader, paths.certificateWizard("purchase", "contact-details", draft), paths.certificates],
      [codePurchase.loader, paths.codePurchase("contact-details", codes), paths.codes],
    ] as const;
    for (const [loader, path, list] of opened) {
      const answer = await run(loader, visitor.get(path), { wizard: "purchase" });
      expect(locationOf(answer)).toBe(list);
      visitor.follow(answer);
      expect(await toastOf(visitor)).toBe(
        `You are no longer a member of ${owner.company}, for which you began this order.`,
      );
    }
    expect(await drafts()).toEqual(before);

    const stranger = await signedInAs(await createUser());
    const answer = await run(contactRoute.loader, stranger.get(opened[0][1]), { wizard: "purchase" });
    stranger.follow(answer);
    expect(await toastOf(stranger)).toMatch(/^There is no such open order\./);
  });
});
