import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { QUANTITY_RESET } from "~/domain/codes/purchase/fields";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import * as index from "~/routes/home.code.purchase._index";
import * as contactPage from "~/routes/home.code.purchase.contact-details";
import * as orderPage from "~/routes/home.code.purchase.order/route";
import * as shellPage from "~/routes/home.code.purchase/route";
import { toastOf } from "../support/code-details";
import { createUser } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs } from "../support/visitor";
import { buyerAtInvoice, buyerAtOrder, CODE_ORDER, CodeBuyer, newCodeBuyer, newWindow } from "./code-purchase-journey";
import { draftOf, newBuyer, ordersOf } from "./purchase-journey";

usePortal();

const to = (response: Response) => response.headers.get("Location");

describe("[CPO-01] the steps and their state", () => {
  test("[CPO-01] the wizard begins with the user's contact details, with a link to the account, to be confirmed", async () => {
    const user = await createUser({ position: "EDI <b>manager</b> 🙂", company: "מפעל חלקים" });
    const visitor = await signedInAs(user);
    expect(to(await run(index.loader, visitor.get("/home/code/purchase")))).toBe(paths.codePurchase("contact-details"));
    const buyer = await newWindow(user, visitor);
    const { html } = await openPage(contactPage, visitor, buyer.url("contact-details"));
    expect(textsOf(html, "h1")).toEqual(["Purchase ID codes"]);
    for (const shown of [
      "User Contact Details",
      "Anna Müller",
      user.email,
      "1 Mill Lane",
      "United Kingdom",
      "מפעל חלקים",
    ])
      expect(pageText(html)).toContain(shown);
    expect(pageText(html)).toContain("EDI <b>manager</b> 🙂");
    expect(select(html, `a[href="${paths.userManagement}"]`)).toHaveLength(1);
    expect(textsOf(html, `a[href="${paths.codes}"]`)).toContain("Cancel");
    const answer = await buyer.confirm();
    expect([answer.status, to(answer)]).toEqual([303, buyer.url("order")]);
  });

  test("[CPO-01] a step without its earlier ones redirects to the first one", async () => {
    const buyer = await newCodeBuyer();
    expect(to(await buyer.orderStep())).toBe(buyer.url("contact-details"));
    expect(to(await buyer.order())).toBe(buyer.url("contact-details"));
    await buyer.confirm();
    expect((await buyer.orderStep()).status).toBe(200);
    expect(to(await buyer.invoiceStep())).toBe(buyer.url("contact-details"));
    expect(to(await buyer.invoice())).toBe(buyer.url("contact-details"));
    await buyer.order();
    expect((await buyer.invoiceStep()).status).toBe(200);
    expect(await ordersOf(buyer.user.id)).toEqual([]);
  });

  test("[CPO-01] a missing draft, somebody else's and a certificate's redirect to the start", async () => {
    const owner = await buyerAtInvoice();
    const stranger = await newCodeBuyer();
    const intruder = new CodeBuyer(stranger.user, stranger.visitor, owner.draft);
    const atStart = (answer: Response) =>
      expect(to(answer)).toContain(`${paths.codePurchase("contact-details")}?draft=`);
    const refused = await intruder.invoiceStep();
    atStart(refused);
    expect((await toastOf(refused))?.text).toContain("There is no such open order.");
    atStart(await intruder.order({ quantity: "999" }));
    atStart(await intruder.invoice({ orderVersion: await owner.orderVersion() }));
    expect(await ordersOf(stranger.user.id)).toEqual([]);
    expect(await ordersOf(owner.user.id)).toEqual([]);
    expect((await jsonOf<{ order: { quantity: number } }>(await owner.invoiceStep())).order.quantity).toBe(3);

    const certificates = await newBuyer();
    const mixed = new CodeBuyer(certificates.user, certificates.visitor, certificates.draft);
    atStart(await mixed.orderStep());
    const begun = await run(contactPage.loader, stranger.visitor.get(paths.codePurchase("contact-details")));
    expect(draftOf(begun)).toMatch(/^[\w-]{22}$/);
    expect(draftOf(begun)).not.toBe(stranger.draft);
  });

  test("[CPO-01] two tabs keep two orders apart, and an open one can be resumed", async () => {
    const first = await buyerAtOrder();
    await first.order({ quantity: "7", intent: "back" });
    const second = await newWindow(first.user, first.visitor);
    const { html } = await openPage(contactPage, second.visitor, second.url("contact-details"));
    const resume = `${first.url("contact-details")}&resumed=yes`;
    expect(select(html, `a[href="${resume}"]`)).toHaveLength(1);
    const what = `7 × OSCAR Code Full for ${first.user.company}, purchase order number ${CODE_ORDER.purchaseOrderNumber}`;
    expect(pageText(html)).toContain(`You have an order that is not complete. ${what}`);
    const resumed = await openPage(contactPage, first.visitor, resume);
    expect(pageText(resumed.html)).toContain(`You have resumed this order. ${what}`);
    expect(pageText((await openPage(contactPage, first.visitor, first.url("contact-details"))).html)).not.toContain(
      "resumed",
    );
    await second.confirm();
    await second.order({ quantity: "2", purchaseOrderNumber: "PO-2" });
    const { values } = await jsonOf<{ values: Record<string, string> }>(await first.orderStep());
    expect(values).toMatchObject({ quantity: "7", purchaseOrderNumber: CODE_ORDER.purchaseOrderNumber });
  });

  test("[CPO-01] the steps are named, the current one is marked, only finished ones are links", async () => {
    const buyer = await buyerAtOrder();
    const { html } = await openPage(shellPage, buyer.visitor, buyer.url("order"));
    expect(textsOf(html, 'li[aria-current="step"]')).toEqual(["Order"]);
    expect(select(html, `a[href="${buyer.url("contact-details")}"]`)).toHaveLength(1);
    expect(select(html, `a[href="${buyer.url("invoice-address")}"]`)).toHaveLength(0);
  });
});

describe("[CPO-01] the order of codes", () => {
  const openOrder = (buyer: CodeBuyer, fields?: Record<string, string>) =>
    openPage(orderPage, buyer.visitor, buyer.url("order"), fields && { fields });

  test("[CPO-01] shows types with captions and prices, and costs once a type is chosen", async () => {
    const buyer = await buyerAtOrder();
    const { html } = await openOrder(buyer);
    const $ = load(html);
    const options = $('select[name="productType"] option').toArray();
    expect(options.map((option) => [$(option).val(), $(option).text()])).toEqual([
      ["", "Select product type"],
      ["OFTP", "OFTP Code, €150.00"],
      ["Full", "OSCAR Code Full, €900.00"],
      ["Basic", "OSCAR Code Basic, €300.00"],
    ]);
    expect(valueOf(html, "quantity")).toBe("1");
    expect(pageText(html)).toContain("Full code allows up to 1000 sub-entities");
    expect(pageText(html)).not.toContain("Total order cost");
    expect(select(html, 'button[name="intent"]').first().val()).toBe("next");

    const updated = await buyer.order({
      intent: "update",
      termsAndConditionsAccepted: undefined,
      purchaseOrderNumber: "",
    });
    expect([updated.status, to(updated)]).toEqual([303, buyer.url("order")]);
    const text = pageText((await openOrder(buyer)).html);
    expect(text).toContain("Price per code €900.00");
    expect(text).toContain("Total order cost €2,700.00");
    expect(text).toContain("Prices are exclusive of VAT.");
  });

  test("[CPO-01] Back keeps every typed value", async () => {
    const buyer = await buyerAtOrder();
    expect(to(await buyer.order({ intent: "back", purchaseOrderNumber: "", productType: "" }))).toBe(
      buyer.url("contact-details"),
    );
    expect((await jsonOf<{ values: object }>(await buyer.orderStep())).values).toMatchObject({ quantity: "3" });
  });

  test.each(["0", "1000", "-1", "1.5", "1e3", "", " ", "0x10", "١٢", "１", "1,0", "999999999999999999999", "🙂"])(
    "[CPO-01] resets a quantity of '%s' to 1 with a message and does not continue",
    async (quantity) => {
      const buyer = await buyerAtOrder();
      const { status, errors, values } = await errorsOf(await buyer.order({ quantity }));
      expect({ status, errors }).toEqual({ status: 422, errors: { quantity: QUANTITY_RESET } });
      expect(values).toMatchObject({ quantity: "1", purchaseOrderNumber: "PO-4711", productType: "Full" });
      expect((await errorsOf(await buyer.order({ quantity, intent: "update" }))).errors).toEqual({
        quantity: QUANTITY_RESET,
      });
      const { html } = await openOrder(buyer);
      expect(valueOf(html, "quantity")).toBe("1");
      expect(await ordersOf(buyer.user.id)).toEqual([]);
    },
  );

  test("[CPO-01] refuses a missing quantity", async () => {
    const buyer = await buyerAtOrder();
    expect((await errorsOf(await buyer.order({ quantity: undefined }))).errors).toEqual({ quantity: QUANTITY_RESET });
  });

  test.each([
    ["1", 1],
    ["999", 999],
    ["007", 7],
    [" 12 ", 12],
  ])("[CPO-01] accepts a quantity of '%s'", async (quantity, read) => {
    const buyer = await buyerAtOrder();
    expect(to(await buyer.order({ quantity }))).toBe(buyer.url("invoice-address"));
    expect((await jsonOf<{ order: { quantity: number } }>(await buyer.invoiceStep())).order.quantity).toBe(read);
  });

  test.each([
    [{ purchaseOrderNumber: "" }, { purchaseOrderNumber: messages.required }],
    [{ purchaseOrderNumber: " \u200b " }, { purchaseOrderNumber: messages.required }],
    [{ purchaseOrderNumber: "x".repeat(36) }, { purchaseOrderNumber: messages.outOfRange }],
    [{ productType: "" }, { productType: messages.required }],
    [{ productType: "full" }, { productType: messages.collection }],
    [{ productType: "constructor" }, { productType: messages.collection }],
    [
      { termsAndConditionsAccepted: undefined },
      { termsAndConditionsAccepted: "You must agree to the terms and conditions to purchase a certificate." },
    ],
  ])("[CPO-01] refuses %j at its field", async (fields, expected) => {
    const buyer = await buyerAtOrder();
    const { status, errors } = await errorsOf(await buyer.order(fields));
    expect({ status, errors }).toEqual({ status: 422, errors: expected });
    expect(to(await buyer.invoiceStep())).toBe(buyer.url("contact-details"));
  });

  test("[CPO-01] accepts a purchase order number of 35 characters of any kind", async () => {
    const buyer = await buyerAtOrder();
    const purchaseOrderNumber = `הזמנה 🙂 & "1"`.padEnd(35, "x");
    expect(to(await buyer.order({ purchaseOrderNumber }))).toBe(buyer.url("invoice-address"));
  });

  test("[CPO-01] without scripts shows the summary above the heading, the message at the field, the typed values and quantity 1", async () => {
    const buyer = await buyerAtOrder();
    const { status, html } = await openOrder(buyer, {
      purchaseOrderNumber: "PO-9",
      productType: "Basic",
      quantity: "1000",
      intent: "next",
    });
    expect(status).toBe(422);
    expect(textsOf(html, "title")).toEqual([expect.stringMatching(/^Error: /)]);
    expect(textsOf(html, "h1, h2").slice(0, 2)).toEqual(["There is a problem", "Purchase ID codes: order"]);
    expect(pageText(html)).toContain(QUANTITY_RESET);
    expect(valueOf(html, "quantity")).toBe("1");
    expect(valueOf(html, "productType")).toBe("Basic");
    expect(valueOf(html, "purchaseOrderNumber")).toBe("PO-9");
  });
});
