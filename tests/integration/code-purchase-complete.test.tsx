import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as invoicePage from "~/routes/home.code.purchase.invoice-address";
import * as completePage from "~/routes/home.code.purchase.order-complete";
import { getDb } from "~db/connection.server";
import { setOrderNotified } from "~db/repositories/orders.server";
import { mailsOf } from "../support/certificates";
import { textOf as mailText } from "../support/outbox";
import { pageText as textOf, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { MAIL_FAILS, withTrigger } from "../support/triggers";
import { errorsOf, run } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { buyerAtInvoice, type CodeBuyer, newCodeBuyer } from "./code-purchase-journey";
import { DE, draftRow, INVOICE, ordersOf } from "./purchase-journey";

const certificateComplete = purchase.complete;

usePortal();

const to = (response: Response) => response.headers.get("Location");

async function onlyOrder(buyer: CodeBuyer) {
  const orders = await ordersOf(buyer.user.id);
  expect(orders).toHaveLength(1);
  return orders[0] as (typeof orders)[number];
}

const auditOf = (orderId: number) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).orderBy("id").execute();

describe("[CPO-02] the invoice step", () => {
  const shown = async (buyer: CodeBuyer) => {
    const { html } = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    return { html, text: textOf(html) };
  };

  test("[CPO-02] shows heading, order, VAT by country with its text, net, VAT and total", async () => {
    const buyer = await buyerAtInvoice();
    const british = await shown(buyer);
    expect(textsOf(british.html, "h1")).toEqual(["Purchase Order"]);
    expect(textsOf(british.html, `a[href="${buyer.url("order")}"]`)[0]).toMatch(/^Change/);
    expect(select(british.html, '[name="vat"]')).toHaveLength(1);
    for (const words of [
      "Code type OSCAR Code Full",
      "Quantity 3",
      "Price per code €900.00",
      "Customers in the UK or an EU member state must give a VAT number with national prefix, e.g. DE123456789.",
      "Net amount €2,700.00",
      "VAT amount (20%) €540.00",
      "Total €3,240.00",
    ])
      expect(british.text).toContain(words);
    expect(british.text).not.toContain("Promotional discount");
    expect(textsOf(british.html, "button")).toContain("Complete Order");

    expect(to(await buyer.invoice({ intent: "update-country", country: DE }))).toBe(buyer.url("invoice-address"));
    const german = await shown(buyer);
    expect(german.text).toContain("Reverse charge");
    expect(german.text).toContain("Total €2,700.00");
    await buyer.invoice({ intent: "update-country", country: "756" });
    const swiss = await shown(buyer);
    expect(select(swiss.html, '.no-js [name="vat"]:not([required])')).toHaveLength(1); // scripts hide it
    expect(swiss.text).toContain("Outside the scope of UK VAT.");
  });

  test("[CPO-02] Back keeps the typed values; a wrong VAT number is refused at its field and nothing is ordered", async () => {
    const buyer = await buyerAtInvoice();
    expect(to(await buyer.invoice({ intent: "back", name: "Somebody Else" }))).toBe(buyer.url("order"));
    expect(valueOf((await shown(buyer)).html, "name")).toBe("Somebody Else");
    expect((await errorsOf(await buyer.invoice({ vat: "" }))).errors).toEqual({ vat: "Please insert a VAT number." });
    expect((await errorsOf(await buyer.invoice({ vat: "GB1" }))).errors).toEqual({
      vat: "The specified VAT number is not valid.",
    });
    expect(await ordersOf(buyer.user.id)).toEqual([]);
  });
});

describe("[CPO-03] Complete Order", () => {
  test("[CPO-03] stores order, audit entry and mail", async () => {
    const buyer = await buyerAtInvoice();
    const answer = await buyer.invoice();
    expect([answer.status, to(answer)]).toEqual([303, buyer.url("order-complete")]);
    const order = await onlyOrder(buyer);
    expect(order).toMatchObject({
      purchaseOrderType: 0,
      status: "Open",
      draftId: buyer.draft,
      purchaseOrderNumber: "PO-4711",
      codeType: "Full",
      numberOfCodes: 3,
      priceCents: 270_000,
      discountCents: 0,
      netCents: 270_000,
      vatRate: 0.2,
      vatCents: 54_000,
      totalCents: 324_000,
      company: INVOICE.company,
      vatNumber: INVOICE.vat,
      countryId: 826,
      isNotified: true,
      isMaintenance: false,
    });
    const entries = await auditOf(order.id);
    expect(entries.map(({ event, message, actorId, reference }) => ({ event, message, actorId, reference }))).toEqual([
      {
        event: "order.created",
        message: `Order SO-${order.id} of 3 × OSCAR Code Full placed.`,
        actorId: buyer.user.id,
        reference: "PO-4711",
      },
    ]);
    const [mail, ...rest] = await mailsOf(order.id);
    expect(rest).toEqual([]);
    expect(mail).toMatchObject({ recipient: buyer.user.email, dedupeKey: `order-confirmation:${order.id}` });
    const text = await mailText(mail);
    for (const words of [
      `SO-${order.id}`,
      "OSCAR Code Full",
      "€900.00",
      "€2,700.00",
      "€3,240.00",
      "An invoice follows.",
    ])
      expect(text).toContain(words);
    expect((await draftRow(buyer.draft))?.data).toBe("{}");
    const codes = getDb().selectFrom("availableCodes").selectAll().where("orderId", "=", order.id);
    expect(await codes.execute()).toEqual([]);
  });

  test("[CPO-03] makes one order and shows the same page when pressed twice or five times at once", async () => {
    const buyer = await buyerAtInvoice();
    const orderVersion = await buyer.orderVersion();
    const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.invoice({ orderVersion })));
    answers.push(await buyer.invoice({ orderVersion }));
    expect(new Set(answers.map(to))).toEqual(new Set([buyer.url("order-complete")]));
    const order = await onlyOrder(buyer);
    expect(await mailsOf(order.id)).toHaveLength(1);
    expect(await auditOf(order.id)).toHaveLength(1);
    expect(to(await buyer.orderStep())).toBe(buyer.url("order-complete"));
    expect(to(await buyer.order({ quantity: "5" }))).toBe(buyer.url("order-complete"));
  });

  test("[CPO-03] shows an order that was changed in another window again first", async () => {
    const buyer = await buyerAtInvoice();
    const orderVersion = await buyer.orderVersion();
    await buyer.order({ quantity: "900" });
    const { status, errors } = await errorsOf(await buyer.invoice({ orderVersion }));
    expect(status).toBe(422);
    expect(errors.form).toContain("changed in another window");
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    await buyer.invoice();
    expect((await onlyOrder(buyer)).numberOfCodes).toBe(900);
  });

  test("[CPO-02] without scripts places no order at amounts that were not shown", async () => {
    const buyer = await buyerAtInvoice();
    await buyer.invoice({ intent: "update-country", country: DE });
    const orderVersion = await buyer.orderVersion();
    const shownIn = (html: string) => valueOf(html, "shownAmounts") ?? "";
    const path = buyer.url("invoice-address");
    const german = await openPage(invoicePage, buyer.visitor, path);
    expect(textOf(german.html)).toContain("Total €2,700.00");
    const fields = { ...INVOICE, name: "Somebody Else", orderVersion, shownAmounts: shownIn(german.html) };
    const again = await openPage(invoicePage, buyer.visitor, path, { fields });
    expect(again.status).toBe(422);
    expect(textOf(again.html)).toContain(
      "The amounts have changed: net amount €2,700.00, VAT €540.00, total €3,240.00. Please check them and complete the order again.",
    );
    expect(textOf(again.html)).toContain("VAT amount (20%) €540.00 Total €3,240.00");
    expect(valueOf(again.html, "name")).toBe("Somebody Else");
    expect(valueOf(again.html, "country")).toBe("826");
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    const shownAmounts = shownIn(again.html);
    expect(to(await buyer.invoice({ ...fields, shownAmounts }))).toBe(buyer.url("order-complete"));
    expect((await onlyOrder(buyer)).totalCents).toBe(324_000);
  });

  test("[CPO-03] refuses a quantity that another window made invalid", async () => {
    const buyer = await buyerAtInvoice();
    await buyer.order({ productType: "", intent: "back" });
    expect(to(await buyer.invoice({ orderVersion: "x" }))).toBe(buyer.url("contact-details"));
    expect(await ordersOf(buyer.user.id)).toEqual([]);
  });

  test("[CPO-03] stores nothing when the last write fails, and can be tried again", async () => {
    const buyer = await buyerAtInvoice();
    const { status, errors } = await withTrigger(MAIL_FAILS, async () => errorsOf(await buyer.invoice()));
    expect({ status, errors }).toEqual({ status: 500, errors: { form: "An error occurred. Please try again." } });
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    await buyer.invoice();
    await onlyOrder(buyer);
  });

  test("[CPO-03] the page Order Complete has every caption, notified or not, and the way back to the codes", async () => {
    const buyer = await buyerAtInvoice();
    await buyer.invoice();
    const { id } = await onlyOrder(buyer);
    const read = async () => (await openPage(completePage, buyer.visitor, buyer.url("order-complete"))).html;
    const html = await read();
    for (const words of [
      `Sales order number SO-${id}`,
      `User name ${buyer.user.email}`,
      "Purchase order number PO-4711",
      "Code type OSCAR Code Full",
      "Quantity 3",
      "Price Per Code €900.00",
      "Net Amount €2,700.00",
      "Vat Amount €540.00",
      "Total Order Cost €3,240.00",
      "Thank you for your purchase. A summary of your order has been emailed",
      "An invoice follows. Once it is paid your account is unlocked",
    ])
      expect(textOf(html)).toContain(words);
    expect(select(html, `a[href="${paths.codes}"]`).length).toBeGreaterThan(0);
    await setOrderNotified(getDb(), id, false);
    const failed = textOf(await read());
    expect(failed).toContain(`Please keep the sales order number SO-${id}`);
    expect(failed).not.toContain("Thank you for your purchase");
  });

  test("[CPO-03] the page Order Complete redirects to the certificates without one's own order", async () => {
    const buyer = await buyerAtInvoice();
    const open = (who: CodeBuyer, draft?: string) =>
      run(completePage.loader, who.visitor.get(paths.codePurchase("order-complete", draft)));
    expect(to(await open(buyer))).toBe(paths.certificates);
    expect(to(await open(buyer, buyer.draft))).toBe(paths.certificates);
    await buyer.invoice();
    expect((await open(buyer, buyer.draft)).status).toBe(200);
    expect(to(await open(await newCodeBuyer(), buyer.draft))).toBe(paths.certificates);
    const asCertificate = buyer.visitor.get(paths.certificatePurchase("order-complete", buyer.draft));
    expect(to(await run(certificateComplete.loader, asCertificate))).toBe(paths.certificates);
  });
});
