import { beforeAll, describe, expect, test } from "vitest";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder, readCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { type Buyer, ORDER } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

usePortal();
const { makeCsr, makeRsaKey } = useOpenssl();

const INTRO = "The details from the original certificate and the new CSR must be identical...";
const SUBJECT = "/C=DE/ST=Bayern/L=München/O=Müller & Söhne GmbH/OU=EDI/CN=oftp.acme.example";
const SAN = ["DNS:oftp.acme.example", "DNS:b.acme.example", "IP:192.0.2.7", "email:edi@acme.example"];
const OLD = { subject: `${SUBJECT}/emailAddress=edi@acme.example`, san: SAN };
const old = makeCsr(OLD);
const keyFile = makeRsaKey();

let renewer: Buyer;
let originalId: number;

beforeAll(async () => {
  const made = await newRenewer(old.der, { ssid: "O0177ABCD", isManualSsid: true });
  ({ renewer } = made);
  originalId = made.original.id;
  await renewer.contact();
});

interface OrderPage {
  details: { commonName: string } | null;
  renewal: { unused: { label: string; received: string; kept: string }[]; ssid: string };
}

const request = (subject: string, san: readonly string[] = SAN, key = keyFile) =>
  makeCsr({ subject, san, keyFile: key }).pem;
const importing = (csr: string) => renewer.order({ csr, intent: "import" });
const orderPage = async () => jsonOf<OrderPage>(await renewer.orderPage());

async function expectTaken(csr: string): Promise<OrderPage> {
  const response = await importing(csr);
  expect(response.status === 303 ? "" : (await errorsOf(response)).errors.csr).toBe("");
  const page = await orderPage();
  expect(page.details).not.toBeNull();
  return page;
}

async function refusalOf(csr: string): Promise<string[]> {
  const { status, errors } = await errorsOf(await importing(csr));
  expect(status).toBe(422);
  expect((await orderPage()).details).toBeNull();
  return (errors.csr ?? "").split("\n");
}

describe("[REN-03] the CSR of a renewal", () => {
  test("[REN-03] is accepted with the same details and a new key; omitted details are carried over", async () => {
    const { renewal } = await expectTaken(request(`${SUBJECT}/emailAddress=edi@acme.example`));
    expect(renewal).toMatchObject({ unused: [], ssid: "O0177ABCD" });
  });

  test.each<[string, string, string[]]>([
    ["case", SUBJECT.replace("Müller & Söhne GmbH", "MÜLLER & SÖHNE GMBH").replace("CN=oftp", "CN=OFTP"), SAN],
    ["blanks around", SUBJECT.replace("O=Müller", "O=  Müller").replace("GmbH/", "GmbH /"), SAN],
    ["more blanks between", SUBJECT.replace("& Söhne", "& \u00a0 Söhne"), SAN],
    ["decomposed letters", SUBJECT.normalize("NFD"), SAN],
    [
      "names in another order, in capitals, twice",
      SUBJECT,
      ["DNS:B.ACME.example", ...SAN.toReversed(), "DNS:b.acme.example"],
    ],
    ["a host as common name without its own name", SUBJECT, ["DNS:b.acme.example"]],
    ["the same OFTP ID, in small letters", `${SUBJECT}/serialNumber=o0177abcd`, SAN],
  ])("[REN-03] may differ without a message: %s", async (_, subject, san) => {
    await expectTaken(request(subject, san));
  });

  test("[REN-03] may have an OFTP ID of another form, as the original has it", async () => {
    const { renewer: other } = await newRenewer(makeCsr(OLD).der, { ssid: "SN-4711" });
    await other.contact();
    const csr = request(`${SUBJECT}/serialNumber=SN-4711`, [...SAN, "URI:oftp://SN-4711"]);
    expect((await other.order({ csr, intent: "import" })).status).toBe(303);
    expect(await refusalOf(csr)).toEqual([
      "Alternative names: 'SN-4711' is not a valid OFTP ID (oftp:// URI). It has 9 to 25 characters: O, four digits, then letters, digits, spaces and hyphens. Create the CSR again with your OFTP ID or without one.",
    ]);
  });

  test.each<[string, string, string[], string[]]>([
    [
      "common name",
      SUBJECT.replace("CN=oftp", "CN=as2"),
      SAN,
      [
        "Common name: Received as2.acme.example, Expected oftp.acme.example",
        "Domain name: Received as2.acme.example; b.acme.example; oftp.acme.example, Expected b.acme.example; oftp.acme.example",
      ],
    ],
    [
      "organisation",
      SUBJECT.replace(" GmbH", " AG"),
      SAN,
      ["Organisation name: Received Müller & Söhne AG, Expected Müller & Söhne GmbH"],
    ],
    ["location", SUBJECT.replace("L=München", "L=Köln"), SAN, ["Location: Received Köln, Expected München"]],
    ["no location", SUBJECT.replace("/L=München", ""), SAN, ["Location: Received none, Expected München"]],
    ["country", SUBJECT.replace("C=DE", "C=AT"), SAN, ["Country: Received AT, Expected DE"]],
    [
      "a name less",
      SUBJECT,
      ["DNS:oftp.acme.example"],
      ["Domain name: Received oftp.acme.example, Expected b.acme.example; oftp.acme.example"],
    ],
    [
      "a name more",
      SUBJECT,
      [...SAN, "DNS:c.acme.example"],
      [
        "Domain name: Received b.acme.example; c.acme.example; oftp.acme.example, Expected b.acme.example; oftp.acme.example",
      ],
    ],
    [
      "another OFTP ID",
      `${SUBJECT}/serialNumber=O0177OTHER`,
      SAN,
      ["OFTP ID: Received O0177OTHER, Expected O0177ABCD"],
    ],
    [
      "look-alike letters",
      SUBJECT.replace("GmbH", "\u041e\u041e\u041e"), // a whole word in Cyrillic, which reads like Latin O
      SAN,
      ["Organisation name: Received Müller & Söhne \u041e\u041e\u041e, Expected Müller & Söhne GmbH"],
    ],
    [
      "markup",
      SUBJECT.replace("Müller & Söhne GmbH", "<b>Acme"),
      SAN,
      ["Organisation name: Received <b>Acme, Expected Müller & Söhne GmbH"],
    ],
  ])("[REN-03] is refused with the introduction and the difference: %s", async (_, subject, san, differences) => {
    expect(await refusalOf(request(subject, san))).toEqual([INTRO, ...differences]);
  });

  test("[REN-03] has every difference on its own line, in a fixed order", async () => {
    const lines = await refusalOf(request("/C=AT/L=Wien/O=Else/CN=else.example", []));
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      INTRO,
      "Common name",
      "Organisation name",
      "Location",
      "Country",
      "Domain name",
    ]);
  });

  test("[REN-03] shows details that are not compared beside those that stay, because the original decides", async () => {
    const subject = "/C=DE/L=München/O=Müller & Söhne GmbH/OU=IT/CN=oftp.acme.example";
    const { renewal } = await expectTaken(request(subject, [...SAN, "IP:192.0.2.8"]));
    expect(renewal.unused).toEqual([
      { label: "Organisation unit", received: "IT", kept: "EDI" },
      { label: "State", received: "", kept: "Bayern" },
      { label: "Email address", received: "", kept: "edi@acme.example" },
      {
        label: "Other alternative names",
        received: "192.0.2.7; 192.0.2.8; edi@acme.example",
        kept: "192.0.2.7; edi@acme.example",
      },
    ]);
  });

  test("[REN-03] is checked by the rules of every CSR first", async () => {
    const [line] = await refusalOf(makeCsr({ subject: SUBJECT, san: SAN, bits: 1024 }).pem);
    expect(line).toContain("1024 bits");
    const text = await refusalOf("nothing of the kind");
    expect(text[0]).toMatch(/^Failed to decode the imported CSR/);
  });

  test("[REN-03] is compared again on Next, whatever was imported before", async () => {
    await expectTaken(request(SUBJECT));
    const { errors } = await errorsOf(await renewer.order({ csr: request(SUBJECT.replace("C=DE", "C=AT")) }));
    expect(errors.csr).toBe("Please import your CSR and check details below.");
  });
});

describe("[REN-03] [PUR-11] the key of a renewal", () => {
  test("[PUR-11] must differ from the original's", async () => {
    const [line, ...others] = await refusalOf(request(SUBJECT, SAN, old.keyFile));
    expect(line).toMatch(/^Public key: this is the key of the original certificate\. A new key is needed/);
    expect(others).toEqual([]);
  });

  test("[PUR-11] must belong to no certificate or open order, even of the same subject; that of a cancelled order is allowed", async () => {
    const taken = makeRsaKey();
    const { der } = makeCsr({ subject: SUBJECT, san: SAN, keyFile: taken });
    const { id } = await createCertificateOrder(renewer.user, der);
    expect((await refusalOf(request(SUBJECT, SAN, taken)))[0]).toMatch(
      /^Public key: this key belongs to a certificate/,
    );
    await setCertificate(id, { companyId: (await createUser()).companyId }); // the answer does not say whose the key is
    expect(await refusalOf(request(SUBJECT, SAN, taken))).toEqual(["This key cannot be used; create a new one."]);
    await setCertificate(id, { status: "Cancelled" });
    await expectTaken(request(SUBJECT, SAN, taken));
  });

  test("[PUR-11] must not be blocked", async () => {
    const blocked = makeRsaKey();
    const pem = request(SUBJECT, SAN, blocked);
    const { keyIdentity } = await createCertificateOrder(await createUser(), pem, { status: "Cancelled" });
    await inTransaction((trx) => blockKey(trx, keyIdentity, "test"));
    expect((await refusalOf(pem))[0]).toContain("this key is blocked");
  });

  test("[REN-03] is reported together with the differences in the details", async () => {
    const lines = await refusalOf(request(SUBJECT.replace("L=München", "L=Köln"), SAN, old.keyFile));
    expect(lines.slice(0, 2)).toEqual([INTRO, "Location: Received Köln, Expected München"]);
    expect(lines[2]).toMatch(/^Public key: this is the key/);
  });
});

describe("[REN-02] the validity and price of a renewal", () => {
  test("[REN-02] 0 years cost nothing, and the promotion code is ignored", async () => {
    const csr = request(SUBJECT);
    await expectTaken(csr);
    const answer = await renewer.order({ csr, validityPeriod: "0", promoCode: "NOTACODE1" });
    expect(answer.headers.get("Location")).toBe(renewer.url("invoice-address"));
    const page = await jsonOf<{ price: object; order: object; promotionProblem: null; renewal: object }>(
      await renewer.invoicePage(),
    );
    expect(page).toMatchObject({
      price: { priceCents: 0, discountCents: 0, netCents: 0 },
      order: { promoCode: "", validityPeriod: 0, oftpid: "" },
      promotionProblem: null,
      renewal: { certificateId: originalId, isIssuerKept: true },
    });
    const { expiryDate } = await readCertificate(originalId);
    expect(page.renewal).toMatchObject({ expiryDate });
  });

  test.each(["5", "-1", "1.5", "", "zero"])("[REN-02] '%s' years are refused", async (validityPeriod) => {
    const csr = request(SUBJECT);
    await expectTaken(csr);
    const { status, errors } = await errorsOf(await renewer.order({ csr, validityPeriod }));
    expect(status).toBe(422);
    expect(errors).toEqual({ validityPeriod: "The value is not part of the collection." });
    expect((await renewer.orderPage()).status).toBe(200);
  });

  test("[REN-02] [PUR-08] purchase order number and terms are as for a purchase", async () => {
    const csr = request(SUBJECT);
    await expectTaken(csr);
    const fields = { ...ORDER, csr, purchaseOrderNumber: " ", termsAndConditionsAccepted: undefined };
    const { errors } = await errorsOf(await renewer.order(fields));
    expect(errors).toEqual({
      purchaseOrderNumber: "This field is required.",
      termsAndConditionsAccepted: "You must agree to the terms and conditions to purchase a certificate.",
    });
  });
});
