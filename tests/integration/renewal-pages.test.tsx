import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as listPage from "~/routes/home.certificates";
import { createCertificateOrder, issueCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText as textOf, select, textsOf, valueOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs } from "../support/visitor";
import { renewal } from "../support/wizard-routes";
import { newRenewer } from "./renewal-journey";

const shellPage = renewal.frame;
const contactPage = renewal.contact;
const invoicePage = renewal.invoice;
const orderPage = renewal.order;

usePortal();
const { makeCsr } = useOpenssl();
const people = usePeople();
/** Returns the CSR of a certificate that will be renewed. It has a new key each time, because a key belongs to one account. */
const oldCsr = () => makeCsr().der;

const linkTo = (path: string) => `a[href="${path}"]`;
const YEARS = 'select[name="validityPeriod"]';

describe("the pages of a renewal without scripts", () => {
  test("[REN-01] contact details shows the header, the certificate, the former contact, and Cancel", async () => {
    const { renewer, original } = await newRenewer(oldCsr());
    const { html } = await openPage(contactPage, renewer.visitor, renewer.url("contact-details"));
    expect(textsOf(html, "h1")).toEqual(["Renew Certificate"]);
    expect(textsOf(html, linkTo(paths.certificateDetails(original.id)))).toEqual([String(original.id)]);
    expect(valueOf(html, "email")).toBe("bernd.boss@example-parts.com");
    expect(textsOf(html, linkTo(paths.certificates))).toContain("Cancel");
    const shell = await openPage(shellPage, renewer.visitor, renewer.url("order"));
    expect(textsOf(shell.html, linkTo(renewer.url("contact-details")))).toEqual(["Contact details"]);
  });

  test("[REN-01] [REN-02] order shows 0 to 4 years, no promotion code, fixed usage, and the note for partners", async () => {
    const { renewer } = await newRenewer(oldCsr(), { hasEmail: false, ssid: "O0177ABCD" });
    await renewer.contact();
    const { html } = await openPage(orderPage, renewer.visitor, renewer.url("order"));
    expect(textsOf(html, "h1")).toEqual(["Renew Certificate: order"]);
    const years = load(html)(`${YEARS} option`).toArray();
    expect(years.map(({ attribs }) => attribs.value)).toEqual(["0", "1", "2", "3", "4"]);
    expect(valueOf(html, "validityPeriod")).toBe("1");
    for (const name of ["promoCode", "showUsageAttributes", "hasEmail", "oftpid"])
      expect(select(html, `[name="${name}"]`)).toHaveLength(0);
    const text = textOf(html);
    expect(text).toContain("Certificate usage Secure session, Encryption, File signing");
    expect(text).toContain("OFTP ID O0177ABCD");
    expect(text).toContain(
      "Subject, issuer and usage stay the same, so that your partners' software recognises the new certificate as the successor",
    );
    expect(text).toContain("import the new certificate beside the old one and assign it to your station");
    expect(text).not.toContain("Promotional discount");
    expect(text).toContain("Issuer, as before Issuing CA (SHA2)");
  });

  const PRICED_YEARS = ["1 year, €290.00", "2 years, €580.00", "3 years, €870.00", "4 years, €1,160.00"];

  test("[REN-02] order says which years are impossible; all of them can be sent, and the server decides", async () => {
    const optionsOf = async (days: number) => {
      const { renewer } = await newRenewer(oldCsr(), {}, days);
      await renewer.contact();
      const { html } = await openPage(orderPage, renewer.visitor, renewer.url("order"));
      expect(select(html, `${YEARS}[disabled], ${YEARS} [disabled]`)).toHaveLength(0);
      return textsOf(html, `${YEARS} option`);
    };
    expect(await optionsOf(80)).toEqual(["0 years (not possible)", ...PRICED_YEARS]);
    expect(await optionsOf(100)).toEqual(["0 years, €0.00", ...PRICED_YEARS]);
  });

  test("[REN-03] order shows a refused CSR's differences on lines of their own, at the field and in the summary", async () => {
    const { renewer } = await newRenewer(oldCsr());
    await renewer.contact();
    const other = makeCsr({ subject: "/C=DE/ST=Bayern/L=Muenchen/O=Else <b>AG/OU=EDI/CN=oftp.acme.example" });
    const fields = { csr: other.pem, intent: "import" };
    const { status, html } = await openPage(orderPage, renewer.visitor, renewer.url("order"), { fields });
    expect(status).toBe(422);
    const lines = [
      "The details from the original certificate and the new CSR must be identical...",
      "Organisation name: Received Else <b>AG, Expected Acme GmbH",
    ];
    for (const place of ['li > a[href="#certificate-order-csr"]', "#certificate-order-csr-error .err"])
      expect(textsOf(html, place)).toEqual(lines);
  });

  test("[REN-01] invoice address shows the original's details with the new key", async () => {
    const { renewer, original } = await newRenewer(oldCsr());
    const csr = makeCsr({ subject: "/C=DE/L=muenchen/O=ACME gmbh/OU=IT/CN=oftp.acme.example" });
    await renewer.upToInvoice(csr.pem, { validityPeriod: "0" });
    const { html } = await openPage(invoicePage, renewer.visitor, renewer.url("invoice-address"));
    const text = textOf(html);
    expect(text).toContain("Organisation Acme GmbH");
    expect(text).toContain("Organisation unit EDI");
    expect(text).toContain(`Renewal of certificate ${original.id}`);
    expect(text).toContain("Validity period 0 years");
    expect(text).toContain("Net amount €0.00");
    expect(text).not.toContain("Promotional discount");
    expect(select(html, linkTo(renewer.url("order"))).length).toBeGreaterThan(0);
  });
});

describe("[CER-06] the lineage of a certificate", () => {
  const detailsOf = async (id: number, visitor = people.customer.visitor) =>
    (await openPage(detailsPage, visitor, paths.certificateDetails(id), { params: { id: String(id) } })).html;
  const linksTo = (html: string, { id }: { id: number }) => select(html, linkTo(paths.certificateDetails(id)));
  /** Returns those in the card about the lineage. The history has others. */
  const lineageTo = (html: string, { id }: { id: number }) =>
    select(html, "section")
      .has('h2:contains("Renewals and replacements")')
      .find(linkTo(paths.certificateDetails(id)));

  test("[CER-06] [CER-04] links renewals and replacements in both directions, unless they cannot be opened", async () => {
    const first = await issueCertificate({ customer: people.customer });
    const previous = { previousCertificateId: first.id };
    const renewal = await createCertificateOrder(people.customer, oldCsr(), { ...previous, orderType: "Renewal" });
    const reissue = await issueCertificate({ customer: people.customer, order: previous });
    const unknown = await createCertificateOrder(people.customer, oldCsr(), { ...previous, status: "Unknown" });
    const html = await detailsOf(first.id);
    expect(textsOf(html, "h2")).toContain("Renewals and replacements");
    for (const relative of [renewal, reissue]) expect(lineageTo(html, relative)).toHaveLength(1);
    expect(linksTo(html, unknown)).toHaveLength(0);
    expect(textOf(html)).toContain(`Renewal [${first.id}], order SO-${renewal.orderId}`);
    expect(textOf(html)).toContain(`Reissue [${first.id}], order SO-${reissue.orderId}`);
    for (const { id } of [renewal, reissue]) expect(lineageTo(await detailsOf(id), first)).toHaveLength(1);
  });

  test("[CER-08] shows relatives of other owners to administrators only", async () => {
    const first = await issueCertificate({ customer: people.customer });
    const moved = await issueCertificate({ customer: people.stranger, order: { previousCertificateId: first.id } });
    expect(await detailsOf(first.id)).not.toContain("Renewals and replacements");
    expect(linksTo(await detailsOf(moved.id, people.stranger.visitor), first)).toHaveLength(0);
    expect(lineageTo(await detailsOf(first.id, people.admin.visitor), moved)).toHaveLength(1);
  });

  const RENEW = 'button[value="renew"]';

  test("[CER-06] has Renew only when allowed, and no panel without relatives", async () => {
    const { original, user } = await newRenewer(oldCsr());
    const owner = await signedInAs(user);
    const open = await detailsOf(original.id, owner);
    expect(textsOf(open, RENEW)).toEqual(["Renew"]);
    expect(open).not.toContain("Renewals and replacements");
    await setCertificate(original.id, { status: "Revoked", revocationDate: new Date() });
    expect(textsOf(await detailsOf(original.id, owner), RENEW)).toEqual([]);
    const nobody = await createUser({ isApplicant: false });
    const { id } = await issueCertificate({ customer: nobody });
    expect(textsOf(await detailsOf(id, await signedInAs(nobody)), RENEW)).toEqual([]);
  });

  test("[REN-01] the list has the button Renew between Download and Revoke", async () => {
    const { html } = await openPage(listPage, people.customer.visitor, paths.certificates);
    const captions = textsOf(html, 'button[name="intent"]:not([aria-hidden])');
    expect(captions).toEqual(["View Details", "Download", "Renew", "Revoke"]);
  });
});
