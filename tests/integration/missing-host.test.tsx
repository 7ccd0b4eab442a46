import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as preparePage from "~/routes/_public.prepare-csr";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous } from "../support/visitor";
import { type Buyer, certificateOf, newBuyer, onlyOrder, ordersOf } from "./purchase-journey";
import { useQueue } from "./queue-orders";
import { newRenewer } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();
const { open } = useQueue();

const NOTE =
  "No DNS name The certificate will have neither a DNS name nor an IP address: with Secure session (TLS), partners cannot match it with the name of the server that they call.";
const IMPORT_HOST = "If they are to call a server of yours, import a CSR with its host name as alternative name (DNS).";
const ASK = "Ask the customer whether this is intended.";

const csrFor = (commonName: string, san: string[] = []) =>
  makeCsr({ subject: `/C=DE/O=Acme GmbH/CN=${commonName}`, san });

/** Completes an order. Returns the texts of the page after the import and of the page that shows the order for review. */
async function journey(buyer: Buyer, csr: string, fields: Record<string, string | undefined> = {}) {
  const { order, invoice } = buyer.routes;
  const { visitor, url } = buyer;
  await buyer.contact();
  await buyer.order({ csr, ...fields, intent: "import" });
  const imported = pageText((await openPage(order, visitor, url("order"))).html);
  await buyer.order({ csr, ...fields });
  const review = pageText((await openPage(invoice, visitor, url("invoice-address"))).html);
  await buyer.invoice();
  return { imported, review };
}

const queuePage = async (id: number) => pageText((await open(id)).html);

async function purchase(csr: string, fields: Record<string, string | undefined> = {}) {
  const buyer = await newBuyer();
  const pages = await journey(buyer, csr, fields);
  return { ...pages, queue: await queuePage((await certificateOf((await onlyOrder(buyer)).id)).id) };
}

describe("[PUR-03][MAN-03] a TLS certificate without a host name", () => {
  test.each([
    [
      "oftp.müller.example",
      "For oftp.müller.example the CSR needs the alternative name DNS:oftp.xn--mller-kva.example.",
      `For oftp.müller.example the CSR would need the alternative name DNS:oftp.xn--mller-kva.example. ${ASK}`,
    ],
    ["My OFTP Station", IMPORT_HOST, ASK],
    ["Köln", IMPORT_HOST, ASK],
  ])("[PUR-03][MAN-03] with %s is allowed, and customer and staff are told", async (name, advice, forStaff) => {
    const { imported, review, queue } = await purchase(csrFor(name).pem);
    expect(imported).toContain(`${NOTE} ${advice}`);
    expect(review).toContain(`${NOTE} ${advice}`);
    expect(queue).toContain(`${NOTE} ${forStaff}`);
  });

  test.each([
    ["a DNS name", csrFor("oftp.müller.example", ["DNS:oftp.xn--mller-kva.example"]), {}],
    ["an IP address", csrFor("My OFTP Station", ["IP:192.0.2.7"]), {}],
    ["a common name that is a host's", csrFor("oftp.acme.example"), {}],
    [
      "no usage Secure session",
      csrFor("My OFTP Station"),
      { showUsageAttributes: "on", hasSecureSession: undefined, hasEmail: "on" },
    ],
  ])("[PUR-03][MAN-03] with %s is not mentioned", async (_, { pem }, fields) => {
    const { imported, review, queue } = await purchase(pem, fields);
    expect(imported).toContain("Details of your CSR");
    expect(review).toContain("Key fingerprint");
    expect(queue).toContain("Key fingerprint");
    for (const text of [imported, review, queue]) expect(text).not.toContain("No DNS name");
  });

  test("[REN-03] is mentioned in a renewal, which keeps the names", async () => {
    const { renewer, original } = await newRenewer(csrFor("oftp.müller.example").der);
    const { imported, review } = await journey(renewer, csrFor("oftp.müller.example").pem);
    const advice = "A renewal keeps the names; for others, order a new certificate.";
    expect(imported).toContain(`${NOTE} ${advice}`);
    expect(review).toContain(`${NOTE} ${advice}`);
    const orders = await ordersOf(renewer.user.id);
    const { id } = await certificateOf(orders.find((order) => order.id !== original.orderId)?.id ?? 0);
    expect(await queuePage(id)).toContain(`${NOTE} Certificate ${original.id}, which it follows, has none either.`);
  });
});

describe("[PUR-03] Prepare a CSR", () => {
  const DETAILS = { organisation: "Acme GmbH", country: "DE", keySize: "2048" };
  const prepare = async (fields: Record<string, string>) =>
    pageText((await openPage(preparePage, await anonymous(), paths.prepareCsr({ ...DETAILS, ...fields }))).html);

  test.each([
    ["oftp.müller.example", "For oftp.müller.example enter oftp.xn--mller-kva.example under DNS names."],
    ["My OFTP Station", "If they are to call a server of yours, enter its host name under DNS names."],
  ])("[PUR-03] advises a host name for %s beside the commands", async (commonName, advice) => {
    const text = await prepare({ commonName });
    expect(text).toContain(`${NOTE} ${advice}`);
    expect(text).toContain(`CN=${commonName}`);
  });

  test.each<Record<string, string>>([
    { commonName: "oftp.acme.example" },
    { commonName: "oftp.müller.example", dnsNames: "oftp.xn--mller-kva.example" },
    { commonName: "My OFTP Station", ipAddresses: "192.0.2.7" },
  ])("[PUR-03] gives no advice for %o", async (fields) => {
    const text = await prepare(fields);
    expect(text).toContain(`CN=${fields.commonName}`);
    expect(text).not.toContain("No DNS name");
  });
});
