import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCsr } from "~/ca/csr/read.server";
import { csrMessages, normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { getDb } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { draftRow, newBuyer, ORDER, type Buyer } from "./purchase-journey";

usePortal();
const { makeCsr, makeKey } = useOpenssl();
const good = makeCsr({ san: ["DNS:oftp.acme.example", "IP:192.0.2.3"] });

interface Page {
  values: Record<string, string>;
  details: (Record<string, string | number | null> & { alternativeNames: { type: string; value: string }[] }) | null;
}

async function buyerAtOrder(): Promise<Buyer> {
  const buyer = await newBuyer();
  await buyer.contact();
  return buyer;
}

const importing = (buyer: Buyer, csr: string) => buyer.order({ csr, intent: "import" });
const pageOf = async (buyer: Buyer) => jsonOf<Page>(await buyer.orderPage());
const fileOf = (content: BlobPart, name = "request.csr") => new File([content], name);
const keyPem = (path: string) => readFileSync(path, "utf8");

async function refusalOf(csr: string): Promise<string> {
  const { status, errors } = await errorsOf(await importing(await buyerAtOrder(), csr));
  expect(status).toBe(422);
  expect(Object.keys(errors)).toEqual(["csr"]);
  return errors.csr ?? "";
}

describe("[PUR-03] importing a CSR", () => {
  test("[PUR-03] by pasting it shows the decoded details", async () => {
    const buyer = await buyerAtOrder();
    const response = await importing(buyer, good.pem);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`${buyer.url("order")}#csr-details`);
    const { details, values } = await pageOf(buyer);
    expect(details).toMatchObject({
      commonName: "oftp.acme.example",
      organisation: "Acme GmbH",
      organisationUnit: "EDI",
      serialNumber: "",
      city: "Muenchen",
      state: "Bayern",
      country: "DE",
      email: "",
      keyAlgorithm: "RSA",
      keySize: 2048,
    });
    expect(details?.alternativeNames).toEqual([
      { type: "dns", value: "oftp.acme.example" },
      { type: "ip", value: "192.0.2.3" },
    ]);
    expect(details?.keyFingerprint).toMatch(/^([\da-f]{2}:){31}[\da-f]{2}$/);
    expect(values.csr).toBe(good.pem);
  });

  test.each([
    ["DER", (): BlobPart => Buffer.from(good.der)],
    ["PEM with a byte order mark and CRLF", (): BlobPart => `\uFEFF${good.pem.replaceAll("\n", "\r\n")}`],
  ])("[PUR-03] from a file works for %s; the text box then shows it", async (_, content) => {
    const buyer = await buyerAtOrder();
    const response = await buyer.order({ csr: "", csrFile: fileOf(content()), intent: "import" });
    expect(response.status).toBe(303);
    const { details, values } = await pageOf(buyer);
    expect(details?.commonName).toBe("oftp.acme.example");
    expect(values.csr).toContain("-----BEGIN CERTIFICATE REQUEST-----");
  });

  test("[PUR-03] is not reset by line ends that a browser changes", async () => {
    const buyer = await buyerAtOrder();
    await importing(buyer, good.pem);
    const next = await buyer.order({ csr: `${good.pem.replaceAll("\n", "\r\n")}\r\n` });
    expect(next.headers.get("Location")).toBe(buyer.url("invoice-address"));
  });

  test("[PUR-03] is required by Next, also after a change of the text", async () => {
    const buyer = await buyerAtOrder();
    expect((await errorsOf(await buyer.order({ csr: good.pem }))).errors).toEqual({
      csr: "Please import your CSR and check details below.",
    });
    await importing(buyer, good.pem);
    const edited = await errorsOf(await buyer.order({ csr: makeCsr().pem }));
    expect(edited.errors).toEqual({ csr: csrMessages.importFirst });
    expect((await pageOf(buyer)).details).toBeNull();
  });

  test("[PUR-03] keeps a file that was chosen but not imported as text", async () => {
    const buyer = await buyerAtOrder();
    const { errors, values } = await errorsOf(await buyer.order({ csr: "", csrFile: fileOf(good.pem) }));
    expect(errors).toEqual({ csr: csrMessages.importFirst });
    expect(values.csr).toContain("BEGIN CERTIFICATE REQUEST");
    expect(values).not.toHaveProperty("csrFile");
  });

  test("[PUR-03] resets the former one when it fails", async () => {
    const buyer = await buyerAtOrder();
    await importing(buyer, good.pem);
    await importing(buyer, "rubbish");
    expect((await pageOf(buyer)).details).toBeNull();
  });

  test("[PUR-03] by Import, Apply and Update loses nothing that was typed", async () => {
    const buyer = await buyerAtOrder();
    const typed = { ...ORDER, purchaseOrderNumber: "PO <1> & 2", showUsageAttributes: "on", hasEmail: undefined };
    for (const intent of ["import", "apply", "update"] as const) {
      await buyer.order({ ...typed, csr: good.pem, intent });
      const { values } = await pageOf(buyer);
      expect(values).toMatchObject({ validityPeriod: "2", termsAndConditionsAccepted: "on", hasFileSigning: "on" });
      expect(values.purchaseOrderNumber).toContain("& 2");
      expect(values.hasEmail).toBeUndefined();
      expect(values.csr).toBe(good.pem);
    }
  });
});

describe("[PUR-03] a text that is not a CSR", () => {
  const half = good.pem.split("\n").slice(0, 5).join("\n");
  test.each([
    ["nothing", ""],
    ["only spaces", " \n "],
    ["rubbish", "This is not a CSR at all"],
    ["a truncated CSR", half],
    ["a broken CSR", good.pem.replace(/\n.{20}/, "\n????????????????????")],
    ["two CSRs", good.pem + makeCsr().pem],
  ])("[PUR-03] such as %s gets 'Failed to decode the imported CSR' and the reason", async (_, csr) => {
    const message = await refusalOf(csr);
    expect(message).toMatch(/^Failed to decode the imported CSR\. .{20,}/);
  });

  test("[PUR-03] such as a certificate is refused", async () => {
    const { openssl } = await import("../support/openssl");
    const args = ["req", "-x509", "-key", good.keyFile, "-subj", "/CN=x", "-days", "1"];
    expect(await refusalOf(openssl(args))).toContain("This is a certificate, not a CSR");
  });

  test("[PUR-03] an empty file after a refused import is refused itself, not the text", async () => {
    const buyer = await buyerAtOrder();
    await importing(buyer, "rubbish");
    const { status, errors, values } = await errorsOf(
      await buyer.order({ csr: "rubbish", csrFile: fileOf(""), intent: "import" }),
    );
    expect([status, Object.keys(errors)]).toEqual([422, ["csrFile"]]);
    expect(errors.csrFile).toContain("empty");
    expect(values.csr).toBe("rubbish");
  });

  test("[PUR-03] in a file gets its message at the file field", async () => {
    const buyer = await buyerAtOrder();
    const { errors } = await errorsOf(await buyer.order({ csr: "", csrFile: fileOf("rubbish"), intent: "import" }));
    expect(Object.keys(errors)).toEqual(["csrFile"]);
    expect(errors.csrFile).toContain(csrMessages.decode);
  });

  test("[PUR-03] of 2 MB is answered clearly; the other fields keep their values and nothing of it is stored", async () => {
    const buyer = await buyerAtOrder();
    const { status, errors, values } = await errorsOf(await importing(buyer, "A".repeat(2 * 1024 * 1024)));
    expect(status).toBe(422);
    expect(errors.csr).toContain("larger than 64 KB");
    expect(values).toMatchObject({ purchaseOrderNumber: ORDER.purchaseOrderNumber, validityPeriod: "2" });
    expect((await draftRow(buyer.draft))?.data.length).toBeLessThan(2000);
    expect((await pageOf(buyer)).values.purchaseOrderNumber).toBe(ORDER.purchaseOrderNumber);
  });
});

describe("[PUR-11] a private key", () => {
  const rsa = keyPem(good.keyFile);
  const secrets: [string, string][] = [
    ["PKCS #8", rsa],
    ["elliptic curve", keyPem(makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"))],
    ["with the CSR", rsa + good.pem],
    ["behind the CSR", good.pem + rsa],
    ["without its first line", rsa.split("\n").slice(1).join("\n")],
    ["bare base64", rsa.replace(/-----.*-----/g, "").trim()],
    ["in a text that is too long", "x".repeat(100_000) + rsa],
  ];
  const line = rsa.split("\n")[5] ?? "";
  const isNowhere = async (buyer: Buyer) => {
    for (const row of await getDb().selectFrom("drafts").selectAll().where("userId", "=", buyer.user.id).execute())
      expect(row.data).not.toContain(line);
    const audit = await getDb().selectFrom("auditEntries").selectAll().execute();
    expect(JSON.stringify(audit)).not.toContain(line);
  };

  test.each(secrets)("[PUR-11] as %s is refused, never stored and never shown again", async (_, secret) => {
    const buyer = await buyerAtOrder();
    await importing(buyer, good.pem);
    const response = await importing(buyer, secret);
    const body = await response.clone().text();
    const { status, errors, values } = await errorsOf(response);
    expect(status).toBe(422);
    expect(errors.csr).toMatch(/^Failed to decode the imported CSR\. .*private key/);
    expect(values.csr).toBe("");
    expect(values.purchaseOrderNumber).toBe(ORDER.purchaseOrderNumber);
    expect(body).not.toContain(line);
    expect((await pageOf(buyer)).details).toBeNull();
    await isNowhere(buyer);
  });

  test.each(["next", "apply", "update"])("[PUR-11] is refused when sent with %s instead of Import", async (intent) => {
    const buyer = await buyerAtOrder();
    const response = await buyer.order({ csr: rsa, intent });
    expect(await response.clone().text()).not.toContain(line);
    const { errors, values } = await errorsOf(response);
    expect(errors.csr).toContain("private key");
    expect(values.csr).toBe("");
    await isNowhere(buyer);
  });

  test("[PUR-11] is forgotten by Back", async () => {
    const buyer = await buyerAtOrder();
    expect((await buyer.order({ csr: rsa, intent: "back" })).headers.get("Location")).toBe(
      buyer.url("contact-details"),
    );
    expect((await pageOf(buyer)).values.csr).toBe("");
    await isNowhere(buyer);
  });

  test("[PUR-11] in a file leaves the text box unchanged", async () => {
    const buyer = await buyerAtOrder();
    const response = await buyer.order({ csr: good.pem, csrFile: fileOf(rsa, "private.key"), intent: "import" });
    const { errors, values } = await errorsOf(response);
    expect(errors.csrFile).toContain("private key");
    expect(normaliseCsrText(String(values.csr))).toBe(good.pem.trim());
    await isNowhere(buyer);
  });
});

describe("[PUR-11] CSRs that are refused", () => {
  test("[PUR-11] for a key of 1024 bits", async () => {
    expect(await refusalOf(makeCsr({ bits: 1024 }).pem)).toContain("RSA key size: the key has 1024 bits");
  });

  test("[PUR-11] for an elliptic curve key", async () => {
    const keyFile = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
    expect(await refusalOf(makeCsr({ keyFile }).pem)).toContain("Key algorithm");
  });

  test("[PUR-11] for a signature that does not verify", async () => {
    const der = Buffer.from(good.der);
    der[der.length - 10] = (der[der.length - 10] ?? 0) ^ 1;
    const buyer = await buyerAtOrder();
    const { errors } = await errorsOf(await buyer.order({ csr: "", csrFile: fileOf(der), intent: "import" }));
    expect(errors.csrFile).toContain("CSR signature");
  });

  test("[PUR-11] with every broken rule named", async () => {
    const message = await refusalOf(makeCsr({ bits: 1024, subject: "/CN=oftp.acme.example" }).pem);
    expect(message).toContain("RSA key size");
    expect(message).toContain("organisation (O) is missing");
    expect(message).toContain("country (C) is missing");
  });

  test("[PUR-11] for a blocked key, also one blocked after the import", async () => {
    const blocked = makeCsr();
    const buyer = await buyerAtOrder();
    await importing(buyer, blocked.pem);
    const read = readCsr(blocked.pem);
    if (!read.ok) throw new Error("not read");
    await inTransaction((trx) => blockKey(trx, read.csr.keyIdentity, "test"));
    expect((await errorsOf(await buyer.order({ csr: blocked.pem }))).errors.csr).toContain("this key is blocked");
    expect(await refusalOf(blocked.pem)).toContain("this key is blocked");
  });

  test("[PUR-11] for a key of another subject; the same subject may order again", async () => {
    const first = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(first.pem);
    expect((await buyer.invoice()).status).toBe(303);
    const stolen = makeCsr({ keyFile: first.keyFile, subject: "/C=FR/O=Other SA/CN=other.example" });
    expect(await refusalOf(stolen.pem)).toBe("This key cannot be used; create a new one.");
    expect((await importing(await buyerAtOrder(), first.pem)).status).toBe(303);
  });
});
