import { describe, expect, test } from "vitest";
import { rarePaths } from "~/lib/rare-paths";
import { getDb } from "~db/connection.server";
import { insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { setCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import {
  Buyer,
  buyerAtInvoice,
  certificateOf,
  CONTACT,
  INVOICE,
  newBuyer,
  onlyOrder,
  secondWindow,
  startPurchase,
} from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

/** Returns a customer who has ordered, at the first step of the next order, with the order. */
async function buyerAgain(fields: Record<string, string> = {}, invoice: Record<string, string> = {}) {
  const first = await buyerAtInvoice(makeCsr().pem, fields);
  await first.invoice(invoice);
  const order = await onlyOrder(first);
  return { buyer: await secondWindow(first), order, number: `SO-${order.id}` };
}

const contactPage = async (buyer: Buyer) =>
  (await openPage(purchase.contact, buyer.visitor, buyer.url("contact-details"))).html;
const orderPage = async (buyer: Buyer) => (await openPage(purchase.order, buyer.visitor, buyer.url("order"))).html;
const isTicked = (html: string, name: string) => select(html, `[name="${name}"][checked]`).length === 1;

describe("[PUR-02] the contact of the last order", () => {
  test("[PUR-02] is filled in for the whole company, and the page says where it comes from", async () => {
    const { buyer, number } = await buyerAgain();
    const colleague = await signedInAs(await createColleague(buyer.user, "purchaser"));
    const other = new Buyer(buyer.user, colleague, await startPurchase(colleague));
    for (const one of [buyer, other]) {
      const html = await contactPage(one);
      expect(valueOf(html, "email")).toBe(CONTACT.email);
      expect(valueOf(html, "phoneNumber")).toBe(CONTACT.phoneNumber);
      expect(pageText(html)).toContain(`the contact of your company's last order, ${number}.`);
    }
  });

  test("[PUR-02] is not offered when it refused, is the new applicant, or is of another company", async () => {
    const { buyer, order } = await buyerAgain();
    const contact = await createColleague(buyer.user, "purchaser", { email: CONTACT.email });
    const visitor = await signedInAs(contact);
    const own = new Buyer(contact, visitor, await startPurchase(visitor));
    expect(valueOf(await contactPage(own), "email") ?? "").toBe("");
    expect(valueOf(await contactPage(await newBuyer()), "email") ?? "").toBe("");
    await setCertificate((await certificateOf(order.id)).id, { contactAnswer: "refused" });
    expect(valueOf(await contactPage(buyer), "email") ?? "").toBe("");
  });
});

describe("[PUR-06] the choices of the last order", () => {
  test("[PUR-05] [PUR-08] usage and validity are chosen again, and the purchase order number is only offered", async () => {
    const chosen = { showUsageAttributes: "on", hasEmail: "", hasFileSigning: "", validityPeriod: "3" };
    const { buyer, number } = await buyerAgain(chosen);
    await buyer.contact();
    const html = await orderPage(buyer);
    expect(valueOf(html, "validityPeriod")).toBe("3");
    const ticked = ["showUsageAttributes", "hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"];
    expect(ticked.filter((name) => isTicked(html, name))).toEqual([
      "showUsageAttributes",
      "hasSecureSession",
      "hasEncryption",
    ]);
    expect(pageText(html)).toContain(`Usage and validity are those of your last order, ${number}.`);
    expect(pageText(html)).toContain(`Your last order, ${number}, had PO-88213.`);
    expect(valueOf(html, "purchaseOrderNumber") ?? "").toBe("");
    expect(select(html, "#last-number option").attr("value")).toBe("PO-88213");
  });

  test("[PUR-06] [PUR-07] each validity has its net price, with the discount where it counts", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const years = async () => textsOf(await orderPage(buyer), '[name="validityPeriod"] option');
    expect((await years()).slice(0, 2)).toEqual(["1 year, €290.00", "2 years, €580.00"]);
    await insertPromotionCodes(getDb(), [{ code: "AGAIN12345", valueCents: 5000, months: 24, createdAt: new Date() }]);
    await buyer.order({ intent: "apply", promoCode: "AGAIN12345" });
    expect((await years()).slice(0, 2)).toEqual(["1 year, €290.00", "2 years, €530.00"]);
  });
});

describe("[PUR-09] the invoice address of the last order", () => {
  test("[PUR-09] is offered by a link when it is not that of the account, and fills in the form", async () => {
    const { buyer, number } = await buyerAgain({}, { name: "Accounts payable", city: "Leeds" });
    await buyer.upToInvoice(makeCsr({ subject: "/C=DE/O=Example Parts GmbH/CN=second.example-parts.com" }).pem);
    const open = async (url: string) => (await openPage(purchase.invoice, buyer.visitor, url)).html;
    const html = await open(buyer.url("invoice-address"));
    expect(valueOf(html, "city")).toBe("Coventry");
    expect(pageText(html)).toContain(`Your last order, ${number}, was invoiced to another address.`);
    expect(pageText(html)).toContain("Accounts payable, Example Parts Ltd, 1 Mill Lane");
    const link = rarePaths.lastInvoiceAddress(buyer.url("invoice-address"));
    expect(textsOf(html, `a[href="${link.replaceAll("&", "&amp;")}"], a[href="${link}"]`)[0]).toBe(
      "Fill in this address",
    );
    const filled = await open(link);
    expect(valueOf(filled, "name")).toBe("Accounts payable");
    expect(valueOf(filled, "city")).toBe("Leeds");
    expect(valueOf(filled, "email")).toBe(INVOICE.email);
    expect(pageText(filled)).not.toContain("was invoiced to another address");
  });
});
