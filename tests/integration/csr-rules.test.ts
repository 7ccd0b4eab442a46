import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { insertListedKeys, saveKeyList } from "~db/repositories/listed-keys.server";
import { inTransaction } from "~db/transaction.server";
import { badCsrs } from "../ca/bad-csrs";
import { useForgedCsrs } from "../ca/csr-forging";
import { nextPrime, prime, rsaKeyOf } from "../ca/weak-keys";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { preparedKey } from "../support/keys";
import { openssl, SUBJECT } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { TEST_PASSPHRASE, TEST_RESPONDER_PASSPHRASE } from "../support/template";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { type Buyer, newBuyer, ordersOf, secondWindow } from "./purchase-journey";

const portal = usePortal();
const forging = useForgedCsrs();
const { file, makeCsr } = forging;

let buyer: Buyer;
let staff: Visitor;
let approver: SessionUser;

beforeAll(async () => {
  buyer = await newBuyer();
  await buyer.contact();
  const admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const importing = (csr: string) => buyer.order({ csr, intent: "import" });
async function refusalOf(csr: string): Promise<string> {
  const { status, errors } = await errorsOf(await importing(csr));
  expect(status).toBe(422);
  return errors.csr ?? "";
}

const blacklisted = (keyFile: string) =>
  createHash("sha1")
    .update(openssl(["rsa", "-in", keyFile, "-noout", "-modulus"]))
    .digest()
    .subarray(10);
const spkiHash = (keyFile: string) =>
  createHash("sha256")
    .update(Buffer.from(openssl(["pkey", "-in", keyFile, "-pubout"]).replace(/-----.*-----/g, ""), "base64"))
    .digest();
const listKey = (fingerprint: Buffer, name = "test list") =>
  inTransaction(async (trx) =>
    insertListedKeys(trx, await saveKeyList(trx, { name, hasDebianKeys: false }, new Date()), [fingerprint]),
  );
const LISTED = "Public key: this key is on the list 'test list' of known bad keys";

describe("[PUR-11] the corpus of bad CSRs in the wizard", () => {
  test.each(badCsrs(forging).filter(([title]) => !title.includes("10 MB")))(
    "[PUR-11] %s: refused with the reason, nothing is shown as imported",
    async (_, __, names, input) => {
      const isText = typeof input === "string";
      const fields = isText ? { csr: input } : { csr: "", csrFile: new File([Buffer.from(input)], "request.csr") };
      const response = await buyer.order({ ...fields, intent: "import" });
      if (response.status === 413) return expect(input.length).toBeGreaterThan(512 * 1024);
      const { status, errors } = await errorsOf(response);
      expect(status).toBe(422);
      expect(errors[isText ? "csr" : "csrFile"]).toMatch(names);
    },
  );

  test("[PUR-11] a country outside ISO 3166-1 is refused unless the configuration lists it", async () => {
    const csr = makeCsr({ subject: "/C=XK/L=Prishtina/O=Acme/CN=acme.example" }).pem;
    expect((await errorsOf(await importing(csr))).errors.csr).toContain("the country (C) must be");
    const { otherCountries } = getConfig().certificates;
    otherCountries.push("XK");
    expect((await importing(csr)).status).toBe(303);
    otherCountries.pop();
  });

  test("[PUR-11] text after a CSR is not stored", async () => {
    const made = makeCsr();
    const both = Buffer.concat([made.der, Buffer.from("0404deadbeef", "hex")]).toString("base64");
    const response = await importing(both);
    expect((await errorsOf(response)).errors.csr).toContain("More data follows after the CSR");
    const drafts = await getDb().selectFrom("drafts").select("data").execute();
    expect(JSON.stringify(drafts)).not.toContain(both.slice(-12));
  });
});

describe("[PUR-11] weak keys in the wizard", () => {
  test("[PUR-11] close primes and ROCA keys are refused with the rule and advice", async () => {
    const p = prime(1024);
    const close = makeCsr({ keyFile: file("key", rsaKeyOf(p, nextPrime(p))) });
    expect(await refusalOf(close.pem)).toBe(
      "RSA key strength: the two primes of the key are so close together that it can be broken at once. Use another tool to create a new key, and a CSR with it.",
    );
    const roca = makeCsr({ keyFile: preparedKey("2048-roca") });
    expect(await refusalOf(roca.pem)).toContain("the ROCA weakness (CVE-2017-15361)");
  });

  test("[PUR-11] a prime as modulus is refused at the import, and at the approval of an existing order", async () => {
    const { pem } = makeCsr({ keyFile: preparedKey("2048-prime-modulus") });
    const told =
      "RSA key strength: the modulus is itself a prime and no product of two, so everybody can calculate the private key. Create a new key and a CSR with it.";
    expect(await refusalOf(pem)).toBe(told);
    const { id } = await createCertificateOrder(await createUser(), pem, checksDone());
    await expect(approveOrder(id, approver)).rejects.toThrow(told);
  });

  test("[PUR-11] a prime of another customer's key is refused; the other key is blocked and recorded in the audit trail", async () => {
    const shared = prime(1024);
    const [first, sound] = [rsaKeyOf(shared, prime(1024)), rsaKeyOf(prime(1024), prime(1024))].map((key) =>
      makeCsr({ keyFile: file("key", key) }),
    );
    const [known, other] = [
      await createCertificateOrder(await createUser(), first?.der, checksDone()),
      await createCertificateOrder(await createUser(), sound?.der, checksDone()),
    ];
    expect(await extendProducts()).toBeGreaterThanOrEqual(2);
    expect(await extendProducts()).toBe(0);
    const second = makeCsr({ keyFile: file("key", rsaKeyOf(shared, prime(1024))) });
    expect(await refusalOf(second.pem)).toMatch(
      /^RSA key strength: the key shares a prime factor with another key.* Create a new key/,
    );
    expect(await isKeyBlocked(getDb(), known.keyIdentity)).toBe(true);
    expect(await auditEventsOf(known.id)).toContain("certificate.key-shares-factor");
    expect(await isKeyBlocked(getDb(), other.keyIdentity)).toBe(false);
    await expect(approveOrder(known.id, approver)).rejects.toThrow("blocked");
    expect((await approveOrder(other.id, approver)).status).toBe("Issued");
  });

  test("[PUR-11] two simultaneous orders that share a prime are both refused approval", async () => {
    const shared = prime(1024);
    const ids = [];
    for (const q of [prime(1024), prime(1024)]) {
      const { der } = makeCsr({ keyFile: file("key", rsaKeyOf(shared, q)) });
      ids.push((await createCertificateOrder(await createUser(), der, checksDone())).id);
    }
    await extendProducts();
    const [first = 0, second = 0] = ids;
    await expect(approveOrder(first, approver)).rejects.toThrow("shares a prime factor");
    await expect(approveOrder(second, approver)).rejects.toThrow("blocked");
  });

  test("[PUR-11] the same key again for the same subject does not count as a shared prime", async () => {
    const { pem, der } = makeCsr();
    await createCertificateOrder(await createUser(), der);
    await createCertificateOrder(await createUser(), der);
    await extendProducts();
    expect((await importing(pem)).status).toBe(303);
  });

  test("[PUR-11] more keys than one product holds are compared", async () => {
    const row = await createCertificateOrder(await createUser(), makeCsr().der);
    await extendProducts();
    const { modulusProductId: last } = await readCertificate(row.id);
    await getDb().updateTable("modulusProducts").set({ keyCount: 256 }).where("id", "=", last).execute();
    const shared = prime(1024);
    const { der } = makeCsr({ keyFile: file("key", rsaKeyOf(shared, prime(1024))) });
    const next = await createCertificateOrder(await createUser(), der);
    await extendProducts();
    expect((await readCertificate(next.id)).modulusProductId).toBe((last ?? 0) + 1);
    const other = makeCsr({ keyFile: file("key", rsaKeyOf(shared, prime(1024))) });
    expect(await refusalOf(other.pem)).toContain("shares a prime factor");
  });

  test("[PUR-11] the key of an OCSP responder is refused", async () => {
    const { privateKey } = await getDb().selectFrom("ocspResponders").select("privateKey").executeTakeFirstOrThrow();
    const keyFile = join(portal.dataDir, "responder.key.pem");
    writeFileSync(keyFile, privateKey ?? "");
    const args = ["req", "-new", "-key", keyFile, "-passin", `pass:${TEST_RESPONDER_PASSPHRASE}`, "-subj", SUBJECT];
    expect(await refusalOf(openssl(args))).toContain("or of its OCSP responder");
  });

  test("[PUR-11] the key of a certificate authority is refused", async () => {
    const caKey = join(portal.dataDir, "ca", "issuing-sha2.key.pem");
    const args = ["req", "-new", "-key", caKey, "-passin", `pass:${TEST_PASSPHRASE}`, "-subj", SUBJECT];
    expect(readFileSync(caKey, "utf8")).toContain("ENCRYPTED");
    expect(await refusalOf(openssl(args))).toContain("Public key: this is the key of a certificate authority");
  });
});

describe("[PUR-11] known bad keys", () => {
  test.each([
    ["the fingerprint of openssl-blacklist", blacklisted],
    ["SHA-256 of SubjectPublicKeyInfo", spkiHash],
  ])("[PUR-11] by %s: refused at the import, at Next, and when the order is completed", async (_, fingerprintOf) => {
    const { keyFile, pem } = makeCsr();
    const other = await (await newBuyer()).upToInvoice(pem);
    await importing(pem);
    await listKey(fingerprintOf(keyFile));
    expect(await refusalOf(pem)).toContain(LISTED);
    expect((await errorsOf(await other.order({ csr: pem }))).errors.csr).toContain(LISTED);
    const completed = await errorsOf(await other.invoice());
    expect(completed.status).toBe(422);
    expect(completed.errors.form).toContain(LISTED);
    expect(await ordersOf(other.user.id)).toEqual([]);
    expect((await importing(makeCsr().pem)).status).toBe(303);
  });

  test("[PUR-11] that are blocked after the order was placed are shown to staff, who cannot approve", async () => {
    const { keyFile, der } = makeCsr();
    const { id } = await createCertificateOrder(await createUser(), der, checksDone());
    await listKey(blacklisted(keyFile));
    const url = `/home/certificate-queue/${id}`;
    const shown = await run(queueOrder.loader, staff.get(url), { id: String(id) });
    expect(await shown.json()).toMatchObject({
      order: {
        keyMarks: [{ code: "key-listed", message: "This public key is on the list 'test list' of known bad keys." }],
      },
    });
    const answer = await run(queueOrder.action, await staff.post(url, { intent: "approve" }), { id: String(id) });
    expect(answer.status).toBe(422);
    expect((await errorsOf(answer)).errors.form).toBe(
      "The public key of this order is on the list 'test list' of known bad keys: reject the order.",
    );
    await expect(approveOrder(id, approver)).rejects.toThrow("known bad keys");
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });
});

describe("[PUR-11] the rules at approval equal those of the import", () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    ["a weak key", () => makeCsr({ bits: 1024 }).der, /RSA key size: the key has 1024 bits/],
    ["a country", () => makeCsr({ subject: "/C=XX/O=Acme/CN=acme" }).der, /the country \(C\) must be/],
    ["an unknown signature", () => makeCsr({ digest: "sha1" }).der, /CSR signature algorithm/],
  ])("[PUR-11] an order from before a rule: %s", async (_, der, rule) => {
    const { id } = await createCertificateOrder(await createUser(), der(), checksDone());
    const at = paths.certificateQueueOrder(id);
    expect(pageText((await openPage(queueOrder, staff, at, { params: { id: String(id) } })).html)).toMatch(rule);
    const asked = approveOrder(id, approver);
    await expect(asked).rejects.toThrow(rule);
    await expect(asked).rejects.toThrow("The CSR of this order is not accepted any more: reject the order.");
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[PUR-11] a stored CSR that can no longer be read is refused", async () => {
    const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
    await setCertificate(id, { csr: Buffer.from("3000", "hex") });
    await expect(approveOrder(id, approver)).rejects.toThrow("not accepted any more");
  });

  test("[PUR-11] another open order of the same user with the key and another subject prevents the approval", async () => {
    const { keyFile, pem } = makeCsr();
    const own = await (await newBuyer()).upToInvoice(pem);
    expect((await own.invoice()).status).toBe(303);
    const other = makeCsr({ keyFile, subject: "/C=DE/O=Acme GmbH/CN=second.acme.example" });
    const next = await secondWindow(own);
    await next.contact();
    expect((await errorsOf(await next.order({ csr: other.pem, intent: "import" }))).errors.csr).toContain(
      "this key belongs to a certificate or an order of another subject",
    );
  });
});
