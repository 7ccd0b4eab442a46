import { describe, expect, test } from "vitest";
import { addDays } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { deleteExpiredDrafts } from "~db/repositories/drafts.server";
import { toastOf } from "../support/code-details";
import { createAdmin } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { CONTACT, draftRow, newBuyer, secondWindow } from "./purchase-journey";

const { loader: startLoader } = purchase.start;
const { loader: contactLoader } = purchase.contact;
const { loader: invoiceLoader } = purchase.invoice;
const { loader: completeLoader } = purchase.complete;
const { loader: orderLoader } = purchase.order;
const { loader: shellLoader } = purchase.frame;

usePortal();
const { makeCsr } = useOpenssl();

const START = paths.certificatePurchase("contact-details");

/** Expects that the page says that there is no such order, and that the wizard starts again with a new draft. */
async function expectNewStart(response: Response): Promise<void> {
  expect(locationOf(response)).toMatch(/^\/home\/certificate\/purchase\/contact-details\?draft=[\w-]{22}$/);
  expect((await toastOf(response))?.text).toMatch(/^There is no such open order\. .* Please begin again\.$/);
}
const pages = { "contact-details": contactLoader, order: orderLoader, "invoice-address": invoiceLoader };
const laterSteps = ["order", "invoice-address"] as const;
const locationOf = (response: Response) => response.headers.get("Location");

describe("[PUR-01] access to a purchase", () => {
  test.each([shellLoader, startLoader, contactLoader, orderLoader, invoiceLoader, completeLoader])(
    "[PUR-01] redirects an administrator who is no applicant to the dashboard (%#)",
    async (loader) => {
      const visitor = await signedInAs(await createAdmin());
      expect(locationOf(await run(loader, visitor.get(START)))).toBe(paths.dashboard);
    },
  );

  test("[PUR-01] redirects an anonymous visitor to the login, which leads back", async () => {
    const response = await run(contactLoader, (await anonymous()).get(START));
    expect(locationOf(response)).toBe(paths.login(START));
  });

  test("[PUR-01] refuses an action without the right", async () => {
    const buyer = await newBuyer();
    const admin = await signedInAs(await createAdmin());
    const { action } = purchase.contact;
    const response = await run(action, await admin.post(buyer.url("contact-details"), CONTACT));
    expect(locationOf(response)).toBe(paths.dashboard);
    expect((await draftRow(buyer.draft))?.data).toBe("{}");
  });
});

describe("[PUR-01] the state of the steps", () => {
  test("[PUR-01] begins with a draft of 128 random bits that the URL names", async () => {
    const buyer = await newBuyer();
    expect(buyer.draft).toMatch(/^[\w-]{22}$/);
    expect((await draftRow(buyer.draft))?.userId).toBe(buyer.user.id);
    const response = await run(startLoader, buyer.visitor.get("/home/certificate/purchase"));
    expect(locationOf(response)).toBe(START);
  });

  test.each(laterSteps)("[PUR-01] redirects %s without a draft to the start", async (step) => {
    const { visitor } = await newBuyer();
    const response = await run(pages[step], visitor.get(paths.certificatePurchase(step)));
    expect(locationOf(response)).toBe(START);
  });

  test.each(laterSteps)("[PUR-01] redirects %s with an unknown draft to the start", async (step) => {
    const { visitor } = await newBuyer();
    await expectNewStart(await run(pages[step], visitor.get(paths.certificatePurchase(step, "x".repeat(22)))));
  });

  test.each(laterSteps)("[PUR-01] redirects %s with another user's draft to the start", async (step) => {
    const victim = await (await newBuyer()).upToInvoice(makeCsr().pem);
    const { visitor } = await newBuyer();
    await expectNewStart(await run(pages[step], visitor.get(victim.url(step))));
  });

  test("[PUR-01] begins a new draft at the start with another user's draft", async () => {
    const victim = await newBuyer();
    const other = await newBuyer();
    const location = locationOf(await run(contactLoader, other.visitor.get(victim.url("contact-details"))));
    expect(location).toMatch(/^\/home\/certificate\/purchase\/contact-details\?draft=/);
    expect(location).not.toContain(victim.draft);
  });

  test("[PUR-01] is not changed by a post to another user's draft", async () => {
    const victim = await (await newBuyer()).upToInvoice(makeCsr().pem);
    const before = await draftRow(victim.draft);
    const thief = await newBuyer();
    const { action } = purchase.order;
    const response = await run(action, await thief.visitor.post(victim.url("order"), { intent: "back" }));
    await expectNewStart(response);
    expect(await draftRow(victim.draft)).toEqual(before);
  });

  test("[PUR-01] redirects a step without its earlier ones to the start and keeps the draft", async () => {
    const buyer = await newBuyer();
    expect(locationOf(await run(orderLoader, buyer.visitor.get(buyer.url("order"))))).toBe(
      buyer.url("contact-details"),
    );
    await buyer.contact();
    const response = await run(invoiceLoader, buyer.visitor.get(buyer.url("invoice-address")));
    expect(locationOf(response)).toBe(buyer.url("contact-details"));
  });

  test("[PUR-01] ends 7 days after the last change, as the page says", async () => {
    const buyer = await newBuyer();
    const earlier = {
      createdAt: addDays(new Date(), -6),
      updatedAt: addDays(new Date(), -6),
      expiresAt: addDays(new Date(), 1),
    };
    await getDb().updateTable("drafts").set(earlier).where("id", "=", buyer.draft).execute();
    await buyer.contact();
    expect((await run(orderLoader, buyer.visitor.get(buyer.url("order")))).status).toBe(200);
    const { updatedAt, expiresAt } = (await draftRow(buyer.draft)) ?? { updatedAt: "", expiresAt: "" };
    expect(Date.parse(expiresAt) - Date.parse(updatedAt)).toBe(7 * 86_400_000);
    const other = await newBuyer();
    const drafts = [buyer.draft, other.draft];
    await getDb().updateTable("drafts").set({ expiresAt: new Date() }).where("id", "in", drafts).execute();
    await expectNewStart(await run(orderLoader, buyer.visitor.get(buyer.url("order"))));
    expect(await deleteExpiredDrafts(getDb(), addDays(new Date(), 1))).toBeGreaterThan(0);
    for (const ended of drafts) expect(await draftRow(ended)).toBeUndefined();
  });

  test("[PUR-01] is kept apart for two windows and can be resumed", async () => {
    const first = await newBuyer();
    const second = await secondWindow(first);
    await first.contact({ name: "First Contact" });
    await second.contact({ name: "Second Contact" });
    const nameIn = async (url: string) =>
      (await jsonOf<{ values: { name: string } }>(await run(contactLoader, first.visitor.get(url)))).values.name;
    expect(await nameIn(first.url("contact-details"))).toBe("First Contact");
    expect(await nameIn(second.url("contact-details"))).toBe("Second Contact");
    const third = await secondWindow(first);
    const page = await run(contactLoader, first.visitor.get(third.url("contact-details")));
    const { resumable } = await jsonOf<{ resumable: { id: string }[] }>(page);
    expect(resumable.map(({ id }) => id)).toEqual([second.draft, first.draft]);
  });

  test("[PUR-01] is named where it is offered again and where it was resumed: host, company, contact and when it was saved", async () => {
    const first = await newBuyer();
    const second = await secondWindow(first);
    await first.upToInvoice(makeCsr().pem);
    await second.contact({ name: "Second Contact" });
    const third = await secondWindow(first);
    const textAt = async (url: string) => pageText((await openPage(purchase.contact, first.visitor, url)).html);
    const offered = await textAt(third.url("contact-details"));
    const withoutCsr = "Certificate for Example Parts Ltd, no CSR yet, to be authorised by Second Contact";
    const withCsr = "Certificate for oftp.acme.example (Acme GmbH), to be authorised by Berta Brown";
    expect(offered).toContain("You have 2 orders that are not complete.");
    for (const text of [withoutCsr, withCsr, "Last saved on"]) expect(offered).toContain(text);
    const resumed = await textAt(`${first.url("contact-details")}&resumed=yes`);
    expect(resumed).toContain(`You have resumed this order. ${withCsr}`);
    expect(await textAt(first.url("contact-details"))).not.toContain("resumed");
  });

  test("[PUR-01] is kept by Back, which opens the previous step with the typed values", async () => {
    const buyer = await (await newBuyer()).upToInvoice(makeCsr().pem);
    const back = await buyer.invoice({ intent: "back", name: "Typed Name", company: "" });
    expect(locationOf(back)).toBe(buyer.url("order"));
    const page = await run(invoiceLoader, buyer.visitor.get(buyer.url("invoice-address")));
    expect((await jsonOf<{ values: Record<string, string> }>(page)).values).toMatchObject({
      name: "Typed Name",
      company: "",
    });
    const order = await buyer.order({ csr: "not finished", intent: "back", purchaseOrderNumber: "  half typed" });
    expect(locationOf(order)).toBe(buyer.url("contact-details"));
    const orderPage = await jsonOf<{ values: Record<string, string> }>(await buyer.orderPage());
    expect(orderPage.values).toMatchObject({ csr: "not finished", purchaseOrderNumber: "  half typed" });
  });

  test("[PUR-01] ignores a draft of an older version", async () => {
    const buyer = await newBuyer();
    await getDb().updateTable("drafts").set({ data: `{"contact":7}` }).where("id", "=", buyer.draft).execute();
    await expectNewStart(await run(orderLoader, buyer.visitor.get(buyer.url("order"))));
  });

  test("[PUR-01] shows every step's caption and number in the title", () => {
    const steps = [purchase.contact, purchase.order, purchase.invoice, purchase.complete];
    const titles = steps.map(({ meta }) => (meta({ matches: [] } as never) as { title: string }[])[0]?.title);
    expect(titles.map((title) => title?.split(" - ").slice(0, 3).join(" - "))).toEqual([
      "Contact details - Purchase Certificate - step 1 of 4",
      "Order - Purchase Certificate - step 2 of 4",
      "Invoice address - Purchase Certificate - step 3 of 4",
      "Order complete - Purchase Certificate - step 4 of 4",
    ]);
  });
});
