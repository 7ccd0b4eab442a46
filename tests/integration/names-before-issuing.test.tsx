import { beforeAll, expect, test } from "vitest";
import { toPem } from "~/ca/pem.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import { checksDone, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { createAdmin } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { readable, textOf as mailText } from "../support/outbox";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { type Buyer, certificateOf, CONTACT, newBuyer, onlyOrder } from "./purchase-journey";

const invoicePage = purchase.invoice;
const orderPage = purchase.order;

usePortal();
const { makeCsr, file } = useOpenssl();

let staff: Visitor;
beforeAll(async () => {
  staff = await signedInAs(await createAdmin());
});

const SUBJECT = "/C=DE/O=Acme GmbH/CN=a.example";

async function textOf(page: Parameters<typeof openPage>[0], who: Visitor, path: string, params = {}) {
  return pageText((await openPage(page, who, path, { params })).html);
}

const importPage = ({ visitor, url }: Buyer) => textOf(orderPage, visitor, url("order"));
const reviewPage = ({ visitor, url }: Buyer) => textOf(invoicePage, visitor, url("invoice-address"));

/** Returns the texts of all pages and messages about a pending order. */
async function shownWhilePending(buyer: Buyer, { id, orderId }: { id: number; orderId: number }) {
  const mail = (await mailsOf(orderId)).find(({ recipient }) => recipient === CONTACT.email);
  const asked = readable(await mailText(mail));
  const token = /authorise-order\/([\w-]+)/.exec(asked)?.[1] ?? "";
  const params = { id: String(id) };
  return {
    asked: /Alternative names: +(.*)/.exec(asked)?.[1],
    authorisation: await textOf(authorisePage, await anonymous(), rarePaths.authoriseOrder(token), { token }),
    queue: await textOf(queuePage, staff, paths.certificateQueueOrder(id), params),
    details: await textOf(detailsPage, buyer.visitor, paths.certificateDetails(id), params),
  };
}

/** Approves an order as staff do. Returns the certificate's subject and alternative names, as OpenSSL reads them. */
async function issued(id: number): Promise<string> {
  await setCertificate(id, checksDone());
  const fields = { intent: "approve", confirmed: "yes" };
  await run(queuePage.action, await staff.post(paths.certificateQueueOrder(id), fields), { id: String(id) });
  const { der } = await readCertificate(id);
  const path = file("pem", toPem("CERTIFICATE", der ?? new Uint8Array()));
  return openssl(["x509", "-in", path, "-noout", "-subject", "-ext", "subjectAltName"]);
}

async function complete(buyer: Buyer) {
  await buyer.invoice();
  return certificateOf((await onlyOrder(buyer)).id);
}

test.each([
  ["the serial number is the SSID", { subject: `${SUBJECT}/serialNumber=12345` }, "12345"],
  ["the SSID is a URI among the names", { subject: SUBJECT, san: ["URI:oftp://O0177ABCD"] }, "O0177ABCD"],
])("[PUR-03][PUR-09] every page before issuing shows the names of the certificate: %s", async (_, csr, ssid) => {
  const { pem } = makeCsr(csr);
  const buyer = await newBuyer();
  await buyer.contact();
  await buyer.order({ csr: pem, intent: "import" });
  const names = `Alternative names Domain names: a.example; SSID values: ${ssid}`;
  for (const read of [importPage, reviewPage]) {
    const text = await read(buyer);
    expect(text).toContain(names);
    expect(text).toContain(`Serial number ${ssid} `);
    await buyer.order({ csr: pem });
  }
  const order = await complete(buyer);
  const shown = await shownWhilePending(buyer, order);
  expect(shown.asked).toBe(`oftp://${ssid}, a.example`);
  expect(shown.authorisation).toContain(names);
  expect(shown.queue).toContain(`Domain names a.example SSID values ${ssid} `);
  expect(shown.details).toContain(`Alternative Subject Domain names a.example SSID values ${ssid} `);
  const certificate = await issued(order.id);
  expect(certificate).toContain(`URI:oftp://${ssid}, DNS:a.example`);
  expect(certificate).toContain(`serialNumber = ${ssid}`);
});

test("[PUR-04] a typed OFTP ID is shown as a name on every later page", async () => {
  const { pem } = makeCsr({ subject: SUBJECT, san: ["DNS:a.example", "IP:192.0.2.7"] });
  const buyer = await newBuyer();
  await buyer.contact();
  await buyer.order({ csr: pem, intent: "import" });
  const imported = await importPage(buyer);
  expect(imported).toContain("Alternative names Domain names: a.example; IP addresses: 192.0.2.7 ");
  expect(imported).toContain("and the OFTP ID if you give one below, as serial number and as alternative name");
  for (const [oftpid, ssid] of [
    ["o0177 first", "O0177 FIRST"],
    ["O0177 ABCD 000001", "O0177 ABCD 000001"],
  ]) {
    await buyer.order({ csr: pem, oftpid });
    const review = await reviewPage(buyer);
    expect(review).toContain(`IP addresses: 192.0.2.7; SSID values: ${ssid} `);
    expect(review).toContain(`Serial number ${ssid} `);
  }
  const order = await complete(buyer);
  const shown = await shownWhilePending(buyer, order);
  expect(shown.asked).toBe("a.example, 192.0.2.7, oftp://O0177%20ABCD%20000001");
  expect(shown.authorisation).toContain("IP addresses: 192.0.2.7; SSID values: O0177 ABCD 000001 ");
  expect(shown.queue).toContain("IP addresses 192.0.2.7 SSID values O0177 ABCD 000001 ");
  expect(await issued(order.id)).toContain("DNS:a.example, IP Address:192.0.2.7, URI:oftp://O0177%20ABCD%20000001");
});
