import { describe, expect, test } from "vitest";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import { checksDone, issueCertificate, readCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, signedInAs, type Visitor } from "../support/visitor";
import { useQueue } from "./queue-orders";

usePortal();
const { people, order, send, open } = useQueue();

/** What is wrong with a certificate that serves TLS servers and email, as the pages say it. */
const WARNING =
  "Warning: The certificate is for TLS servers and for email. Some mail programs refuse such certificates. tls-and-email, CA/B Forum S/MIME BR §7.1.2.3";

describe("lints before signing", () => {
  test("[MAN-03][CAL-02] warn staff on the order's page before the approval, which they do not stop", async () => {
    const { id } = await order({ ...checksDone(), hasSecureSession: true, hasEmail: true });
    const text = pageText((await open(id)).html);
    expect(text).toContain("Worth a second look:");
    expect(text).toContain(WARNING);
    expect((await send(id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
    expect((await readCertificate(id)).status).toBe("Issued");
    expect(pageText((await open(id)).html)).not.toContain("second look");
  });

  test("[MAN-03][CAL-02] find nothing to say about an order for TLS only", async () => {
    const { id } = await order({ ...checksDone(), hasEmail: false, hasFileSigning: false, hasEncryption: false });
    expect(pageText((await open(id)).html)).not.toContain("second look");
  });

  test("[MAN-03][CAL-02] stop an approval with the sentence and the name of the lint, and nothing is recorded", async () => {
    const { id } = await order(checksDone());
    await setCertificate(id, { ssid: `O0013${"A".repeat(70)}` });
    const sentence = "Subject: the serial number (serialNumber) is longer than 64 characters, the limit of X.520.";
    expect(pageText((await open(id)).html)).toContain(`Error: ${sentence}`);
    const { status, errors } = await errorsOf(await send(id, { intent: "approve", confirmed: "yes" }));
    expect(status).toBe(422);
    expect(errors.form).toContain(`${sentence} (subject-attributes, RFC 5280 appendix A.1`);
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null, serialNumber: null });
  });
});

describe("lints of issued certificates", () => {
  const textFor = async (visitor: Visitor, id: number) =>
    pageText(
      (await openPage(detailsPage, visitor, `/home/certificate-details/${id}`, { params: { id: String(id) } })).html,
    );

  test("[CER-06][CAL-02] are shown to staff on the certificate's page, and not to its owner", async () => {
    const customer = await createUser();
    const { id } = await issueCertificate({ customer, order: { hasSecureSession: true, hasEmail: true } });
    expect(await textFor(people.staff, id)).toContain(WARNING);
    expect(await textFor(await signedInAs(customer), id)).not.toContain("tls-and-email");
  });
});
