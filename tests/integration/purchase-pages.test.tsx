import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token";
import * as shellPage from "~/routes/home.certificate.purchase";
import * as contactPage from "~/routes/home.certificate.purchase.contact-details";
import * as invoicePage from "~/routes/home.certificate.purchase.invoice-address";
import * as completePage from "~/routes/home.certificate.purchase.order-complete";
import * as orderPage from "~/routes/home.certificate.purchase.order";
import { getDb } from "~db/connection.server";
import { insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { setOrderNotified } from "~db/repositories/orders.server";
import { useOpenssl } from "../support/openssl";
import { textOf as mailText } from "../support/outbox";
import { usePortal } from "../support/portal";
import { pageText as textOf } from "../support/page-text";
import { openPage } from "../support/route-page";
import { anonymous } from "../support/visitor";
import { CONTACT, newBuyer, ordersOf, ORDER } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });

describe("the pages as a browser without scripts gets them", () => {
  test("[PUR-02] contact details: both blocks, the criteria, Cancel and Confirm", async () => {
    const buyer = await newBuyer();
    const { html } = await openPage(contactPage, buyer.visitor, buyer.url("contact-details"));
    const text = textOf(html);
    expect(html).toContain("<h1>Purchase Certificate</h1>");
    expect(text).toContain("User Contact Details");
    expect(text).toContain("Authentication Contact Details");
    for (const criterion of ["someone other than you", "employed by the organisation", "able to authorise the order"])
      expect(text).toContain(criterion);
    expect(text).toContain("company e-mail address in their own name");
    expect(html).toMatch(new RegExp(`<a [^>]*href="${paths.certificates}"[^>]*>Cancel</a>`));
    for (const name of Object.keys(CONTACT)) expect(html).toContain(`name="${name}"`);
    expect(html.indexOf("The authentication contact must")).toBeLessThan(html.indexOf('name="email"'));
  });

  test("[PUR-01] the steps are named, the current one is marked, only finished ones are links", async () => {
    const buyer = await newBuyer();
    const { html } = await openPage(shellPage, buyer.visitor, buyer.url("order"));
    expect(html).toMatch(/<li aria-current="step"><span>Order/);
    expect(html).toContain(`href="${buyer.url("contact-details")}"`);
    expect(html).not.toContain(`href="${buyer.url("invoice-address")}"`);
    const complete = await openPage(shellPage, buyer.visitor, buyer.url("order-complete"));
    expect(complete.html).not.toMatch(/href="[^"]*\?draft=/);
  });

  test("[PUR-03] import and review: what the CSR asks for and no certificate has is named, and a serial number that is no OFTP ID", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const subject = "/C=DE/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=4711/title=Dr";
    const san = ["DNS:oftp.acme.example", "otherName:1.2.3.4;UTF8:x"];
    const strange = makeCsr({ subject, san });
    await buyer.order({ csr: strange.pem, intent: "import" });
    await buyer.order({ csr: strange.pem });
    const pages = async () => [
      textOf((await openPage(orderPage, buyer.visitor, buyer.url("order"))).html),
      textOf((await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"))).html),
    ];
    for (const text of await pages()) {
      expect(text).toContain(
        "Your CSR also states what no certificate of this CA carries: title = Dr; an alternative name of another kind.",
      );
      expect(text).toContain("The serial number 4711 does not have the form of an OFTP ID");
    }
    await buyer.order({ csr: request.pem, intent: "import" });
    await buyer.order({ csr: request.pem });
    for (const plain of await pages()) {
      expect(plain).toContain("Common name oftp.acme.example");
      expect(plain).not.toMatch(/Not in the certificate|No OFTP ID/);
    }
  });

  test("[PUR-03] order: 18 rows for the CSR, Import, the hidden default button is Next", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    expect(html).toMatch(/<textarea [^>]*rows="18"[^>]*name="csr"|<textarea [^>]*name="csr"[^>]*rows="18"/);
    expect(html).toMatch(/value="import"[^>]*>Import</);
    expect(/<button[^>]*name="intent"[^>]*>/.exec(html)?.[0]).toContain('value="next"');
    expect(html).toMatch(/enctype="multipart\/form-data"/i);
    expect(html).toMatch(/No CSR yet\? <a href="[^"]+" target="_blank"[^>]*>Prepare CSR/);
    expect(textOf(html)).toContain("nobody can restore a lost key");
    expect(html).not.toContain('name="oftpid"');
    expect(html).not.toContain("Details of your CSR");
  });

  test("[PUR-03] after the import the details are shown, and a field for the OFTP ID that the CSR lacks [PUR-04]", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    await buyer.order({ csr: request.pem, intent: "import" });
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    const text = textOf(html);
    for (const shown of ["Common name oftp.acme.example", "Organisation Acme GmbH", "City Muenchen", "State Bayern"])
      expect(text).toContain(shown);
    expect(text).toContain("Domain names: oftp.acme.example");
    expect(text).toContain("RSA, 2048 bits");
    expect(html).toContain('name="oftpid"');
    const own = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=b.acme.example/serialNumber=O0177ACME01" });
    await buyer.order({ csr: own.pem, intent: "import" });
    const withSsid = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    expect(textOf(withSsid.html)).toContain("Serial number O0177ACME01");
    expect(withSsid.html).not.toContain('name="oftpid"');
  });

  test("[PUR-06] total order cost, discount and balance to pay; prices exclusive of VAT", async () => {
    await insertPromotionCodes(getDb(), [{ code: "PAGEPROMO", valueCents: 5000, months: 12, createdAt: new Date() }]);
    const buyer = await newBuyer();
    await buyer.contact();
    await buyer.order({ intent: "apply", promoCode: "PAGEPROMO", validityPeriod: "2" });
    const text = textOf((await openPage(orderPage, buyer.visitor, buyer.url("order"))).html);
    expect(text).toContain("Total order cost (2 years) €580.00");
    expect(text).toContain("Promotional discount −€50.00");
    expect(text).toContain("Balance to pay €530.00");
    expect(text).toContain("Prices are exclusive of VAT.");
    expect(text).toContain("Promotional discount: €50.00");
  });

  test("[PUR-08] a refused order: title, summary above the heading, values kept", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const { status, html } = await openPage(orderPage, buyer.visitor, buyer.url("order"), {
      fields: {
        ...ORDER,
        csr: "typed text",
        termsAndConditionsAccepted: "",
        purchaseOrderNumber: "",
        validityPeriod: "3",
      },
    });
    expect(status).toBe(422);
    expect(html).toContain("<title>Error: ");
    const text = textOf(html);
    expect(text).toContain("There is a problem");
    expect(text).toContain("Please import your CSR and check details below.");
    expect(html.indexOf("There is a problem")).toBeLessThan(html.indexOf("<h1>"));
    expect(html).toContain("typed text</textarea>");
    expect(html).toMatch(/<option[^>]*value="3"[^>]*selected|<option[^>]*selected[^>]*value="3"/);
  });

  test("[PUR-09] invoice address: the order to look over with its Change links, VAT block, totals", async () => {
    const buyer = await (await newBuyer()).upToInvoice(request.pem);
    const { html } = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    const text = textOf(html);
    expect(html).toContain(`href="${buyer.url("contact-details")}"`);
    expect(html).toContain(`href="${buyer.url("order")}"`);
    expect(text).toContain("Purchase order number PO-88213");
    expect(text).toContain("Customers in the UK or an EU member state must give a VAT number with national prefix");
    expect(text).toContain("Net amount €580.00");
    expect(text).toContain("VAT amount (20%) €116.00");
    expect(text).toContain("Total €696.00");
    expect(html).toMatch(/>Complete Order</);
    expect(html).toMatch(/value="update-country"[^>]*>Update country</);
    await buyer.invoice({ intent: "update-country", country: "756" });
    const swiss = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    expect(swiss.html).not.toContain('name="vat"');
    expect(textOf(swiss.html)).toContain("Outside the scope of UK VAT.");
    await buyer.invoice({ intent: "update-country", country: "276" });
    const german = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    expect(textOf(german.html)).toContain("Reverse charge");
  });

  test("[PUR-10] order complete: captions, singular and plural years, notified and not", async () => {
    const buyer = await (await newBuyer()).upToInvoice(request.pem, { validityPeriod: "1" });
    await buyer.invoice();
    const [order] = await ordersOf(buyer.user.id);
    const read = async () => textOf((await openPage(completePage, buyer.visitor, buyer.url("order-complete"))).html);
    const text = await read();
    for (const shown of [
      `Sales order number SO-${order?.id}`,
      `User name ${buyer.user.email}`,
      "Purchase order number PO-88213",
      "Validity period 1 year ",
      "Promotional Discount €0.00",
      "Net Amount €290.00",
      "VAT Amount €58.00",
      "Total €348.00",
      "Thank you for your purchase",
      "an e-mail with download and install instructions is sent",
    ])
      expect(text).toContain(shown);
    await setOrderNotified(getDb(), order?.id ?? 0, false);
    const failed = await read();
    expect(failed).toContain("the confirmation e-mail to");
    expect(failed).toContain(`Please keep the sales order number SO-${order?.id}`);
    expect(failed).not.toContain("Thank you for your purchase");

    const longer = await (await newBuyer()).upToInvoice(request.pem);
    await longer.invoice();
    const plural = await openPage(completePage, longer.visitor, longer.url("order-complete"));
    expect(textOf(plural.html)).toContain("Validity period 2 years");
  });

  test("[PUR-02] the authentication contact's pages: details, question, answer, dead link", async () => {
    const buyer = await (await newBuyer()).upToInvoice(request.pem);
    await buyer.invoice();
    const contact = await anonymous();
    const [order] = await ordersOf(buyer.user.id);
    const mails = getDb()
      .selectFrom("mails")
      .selectAll()
      .where("orderId", "=", order?.id ?? 0);
    const mail = await mails.where("recipient", "=", CONTACT.email).executeTakeFirstOrThrow();
    const token = /authorise-order\/([\w-]+)/.exec(await mailText(mail))?.[1] ?? "";
    const visit = async (fields?: Record<string, string>) =>
      openPage(authorisePage, contact, paths.authoriseOrder(token), { params: { token }, ...(fields && { fields }) });
    const page = await visit();
    expect(textOf(page.html)).toContain("Anna Müller");
    expect(textOf(page.html)).toContain("oftp.acme.example");
    expect(page.html).toMatch(/>Authorise<[\s\S]*>Refuse</);
    expect(textOf((await visit({ intent: "refuse" })).html)).toContain("Are you sure you wish to refuse this order?");
    expect(textOf((await visit({ intent: "refuse", confirmed: "yes" })).html)).toContain("Order refused");
    const dead = await visit();
    expect(dead.status).toBe(404);
    expect(textOf(dead.html)).toContain("This link cannot be used");
  });
});
