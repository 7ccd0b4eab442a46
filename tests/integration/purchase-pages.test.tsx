import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import { getDb } from "~db/connection.server";
import { setOrderNotified } from "~db/repositories/orders.server";
import { insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { useOpenssl } from "../support/openssl";
import { textOf as mailText } from "../support/outbox";
import { pageText as textOf, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { CONTACT, newBuyer, ordersOf, ORDER } from "./purchase-journey";

const shellPage = purchase.frame;
const contactPage = purchase.contact;
const invoicePage = purchase.invoice;
const completePage = purchase.complete;
const orderPage = purchase.order;

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });
const linkTo = (path: string) => `a[href="${path}"]`;

describe("the pages of a purchase without scripts", () => {
  test("[PUR-02] contact details has both blocks, the criteria, Cancel and Confirm", async () => {
    const buyer = await newBuyer();
    const { html } = await openPage(contactPage, buyer.visitor, buyer.url("contact-details"));
    const text = textOf(html);
    expect(textsOf(html, "h1")).toEqual(["Purchase Certificate"]);
    expect(text).toContain("User Contact Details");
    expect(text).toContain("Authentication Contact Details");
    expect(text).toContain("not a shared mailbox such as info@ or sales@.");
    expect(textsOf(html, linkTo(paths.certificates))).toContain("Cancel");
    for (const name of Object.keys(CONTACT)) expect(select(html, `[name="${name}"]`)).toHaveLength(1);
    expect(textsOf(html, 'strong, [name="email"]')).toEqual(["The authentication contact must be", ""]);
  });

  test("[PUR-02] contact details marks the failed criteria in the list and beneath the message", async () => {
    const buyer = await newBuyer();
    const open = async (email: string) => {
      const fields = { ...CONTACT, email, __rvfInternalFormId: "contact-details" };
      const { html } = await openPage(contactPage, buyer.visitor, buyer.url("contact-details"), { fields });
      return {
        marked: textsOf(html, 'li:has(strong:contains("Not met:"))'),
        told: textsOf(html, "#contact-details-email-error"),
      };
    };
    expect(await open("info@gmail.com")).toEqual({
      marked: ["Not met: with a company e-mail in their own name."],
      told: [
        expect.stringMatching(/listed above\.\s*gmail\.com is a free email provider\..*\s*info@ is a shared mailbox\./),
      ],
    });
    const own = await open(buyer.user.email);
    expect(own.marked).toEqual(["Not met: someone other than the order creator,"]);
    expect(own.told[0]).toContain("This is your own email address. Name somebody else.");
    expect(await open("not an address")).toEqual({ marked: [], told: ["Email address is not valid."] });
  });

  test("[PUR-01] the steps are named, the current one is marked, only finished ones are links", async () => {
    const buyer = await newBuyer();
    const { html } = await openPage(shellPage, buyer.visitor, buyer.url("order"));
    expect(textsOf(html, 'li[aria-current="step"]')).toEqual(["Order"]);
    expect(select(html, linkTo(buyer.url("contact-details")))).toHaveLength(1);
    expect(select(html, linkTo(buyer.url("invoice-address")))).toHaveLength(0);
    expect(select(html, 'a[href*="?draft="]')).toHaveLength(1);
    const complete = await openPage(shellPage, buyer.visitor, buyer.url("order-complete"));
    expect(select(complete.html, '[href*="?draft="]')).toHaveLength(0);
  });

  test("[PUR-03] import and review name what the CSR requests and no certificate has, and a serial number that is no OFTP ID", async () => {
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
        "Your CSR also states what no certificate of this CA carries: title = Dr; an alternative name of the kind otherName.",
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

  const OFTP_ID = '[name="oftpid"]';

  test("[PUR-03] order names a wrong host by the label of its field", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const fields = { ...ORDER, csr: "", csrWay: "make", host: "not a name!", intent: "commands" };
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"), { fields });
    expect(textsOf(html, ".errors li")[0]).toMatch(/^Host name: /);
    expect(textsOf(html, "label")).toContain("Host name");
  });

  test("[PUR-03] order has 18 rows for the CSR, Import, and Next as the hidden default button", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    expect(select(html, 'textarea[name="csr"]').attr("rows")).toBe("18");
    expect(textsOf(html, 'button[value="import"]')).toEqual(["Import"]);
    const form = select(html, "form#certificate-order");
    expect(form.find('button[type="submit"]').first().attr()).toMatchObject({ name: "intent", value: "next" });
    expect(form.attr("enctype")).toBe("multipart/form-data");
    const toPrepare = textsOf(html, 'p:contains("Other details in the CSR? Prepare CSR") > a[href][target="_blank"]');
    expect(toPrepare).toEqual([
      "Prepare CSR (opens in a new tab)",
      "Check a CSR (opens in a new tab)",
      "Rules for CSRs (opens in a new tab)",
    ]);
    expect(textOf(html)).toContain("nobody can restore a lost key");
    expect(select(html, OFTP_ID)).toHaveLength(0);
    expect(html).not.toContain("Details of your CSR");
  });

  test("[PUR-03] order after the import shows the details, and a field for an OFTP ID that the CSR lacks [PUR-04]", async () => {
    const buyer = await newBuyer();
    await buyer.contact();
    await buyer.order({ csr: request.pem, intent: "import" });
    const { html } = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    const text = textOf(html);
    for (const shown of ["Common name oftp.acme.example", "Organisation Acme GmbH", "City Muenchen", "State Bayern"])
      expect(text).toContain(shown);
    expect(text).toContain("openssl pkey -in private.key.pem");
    expect(text).toContain("Domain names: oftp.acme.example");
    expect(text).toContain("RSA, 2048 bits");
    expect(select(html, OFTP_ID)).toHaveLength(1);
    const own = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=b.acme.example/serialNumber=O0177ACME01" });
    await buyer.order({ csr: own.pem, intent: "import" });
    const withSsid = await openPage(orderPage, buyer.visitor, buyer.url("order"));
    expect(textOf(withSsid.html)).toContain("Serial number O0177ACME01");
    expect(select(withSsid.html, OFTP_ID)).toHaveLength(0);
  });

  test("[PUR-06] order shows total order cost, discount and balance to pay, and prices exclusive of VAT", async () => {
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

  test("[PUR-08] order when refused has the title, the summary above the heading, and the typed values", async () => {
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
    expect(select(html, "head > title").text()).toMatch(/^Error: /);
    const text = textOf(html);
    expect(text).toContain("There is a problem");
    expect(text).toContain("Please import your CSR and check details below.");
    expect(textsOf(html, "h1, h2").slice(0, 2)).toEqual(["There is a problem", "Purchase Certificate: order"]);
    expect(valueOf(html, "csr")).toBe("typed text");
    expect(valueOf(html, "validityPeriod")).toBe("3");
  });

  test("[PUR-09] invoice address shows the order with its Change links, the VAT block and the totals", async () => {
    const buyer = await (await newBuyer()).upToInvoice(request.pem);
    const { html } = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    const text = textOf(html);
    for (const step of ["contact-details", "order"] as const)
      expect(textsOf(html, linkTo(buyer.url(step)))[0]).toMatch(/^Change/);
    expect(text).toContain("Purchase order number PO-88213");
    expect(text).toContain("Customers in the UK or an EU member state must give a VAT number with national prefix");
    expect(text).toContain("Net amount €580.00");
    expect(text).toContain("VAT amount (20%) €116.00");
    expect(text).toContain("Total €696.00");
    expect(textsOf(html, "button")).toContain("Complete Order");
    expect(textsOf(html, 'button[value="update-country"]')).toEqual(["Update country"]);
    expect(select(html, '[name="vat"]')).toHaveLength(1);
    await buyer.invoice({ intent: "update-country", country: "756" });
    const swiss = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    // Without scripts the field is there for every country, because the page does not learn of another one.
    expect(select(swiss.html, '.no-js [name="vat"]:not([required])')).toHaveLength(1);
    expect(textOf(swiss.html)).toContain("Outside the scope of UK VAT.");
    await buyer.invoice({ intent: "update-country", country: "276" });
    const german = await openPage(invoicePage, buyer.visitor, buyer.url("invoice-address"));
    expect(textOf(german.html)).toContain("Reverse charge");
  });

  test("[PUR-10] order complete has its captions, singular and plural years, notified and not", async () => {
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
      "an email with download and install instructions is sent",
    ])
      expect(text).toContain(shown);
    await setOrderNotified(getDb(), order?.id ?? 0, false);
    const failed = await read();
    expect(failed).toContain("the confirmation email to");
    expect(failed).toContain(`Please keep the sales order number SO-${order?.id}`);
    expect(failed).not.toContain("Thank you for your purchase");

    const longer = await (await newBuyer()).upToInvoice(request.pem);
    await longer.invoice();
    const plural = await openPage(completePage, longer.visitor, longer.url("order-complete"));
    expect(textOf(plural.html)).toContain("Validity period 2 years");
  });

  test("[PUR-02] the authentication contact's pages show details, question, answer and dead link", async () => {
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
      openPage(authorisePage, contact, rarePaths.authoriseOrder(token), {
        params: { token },
        ...(fields && { fields }),
      });
    const page = await visit();
    expect(textOf(page.html)).toContain("Anna Müller");
    expect(textOf(page.html)).toContain("oftp.acme.example");
    expect(textsOf(page.html, 'button[name="intent"]')).toEqual(["Authorise", "Refuse"]);
    expect(select(page.html, ".btn.danger")).toHaveLength(0); // the question that follows has the red button
    expect(textOf((await visit({ intent: "refuse" })).html)).toContain("Are you sure you wish to refuse this order?");
    expect(textOf((await visit({ intent: "refuse", confirmed: "yes" })).html)).toContain("Order refused");
    const dead = await visit();
    expect(dead.status).toBe(404);
    expect(textOf(dead.html)).toContain("This link cannot be used");
  });
});
