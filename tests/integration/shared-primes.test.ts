import { beforeAll, describe, expect, test } from "vitest";
import { readCsr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { getQueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { compareAgain, compareKey } from "~/domain/keys/key-comparison.service.server";
import { extendProducts } from "~/domain/keys/modulus-products.service.server";
import { checkAllKeys } from "~/domain/keys/nightly-check.service.server";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { findComparison } from "~db/repositories/key-comparisons.server";
import { inTransaction } from "~db/transaction.server";
import { useForgedCsrs } from "../ca/csr-forging";
import { prime, rsaKeyOf } from "../ca/weak-keys";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  issueCertificate,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { textOf } from "../support/outbox";
import { usePortal } from "../support/portal";
import { errorsOf } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal();
const { file, makeCsr } = useForgedCsrs();

let admin: Awaited<ReturnType<typeof createAdmin>>;
let approver: SessionUser;

beforeAll(async () => {
  admin = await createAdmin();
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const csrOf = (p: bigint, q: bigint) => makeCsr({ keyFile: file("key", rsaKeyOf(p, q)) });

/** Returns CSRs of two keys with a common prime. */
function sharing() {
  const shared = prime(1024);
  return [csrOf(shared, prime(1024)), csrOf(shared, prime(1024))] as const;
}

const order = async (csr: { der: Uint8Array }) => createCertificateOrder(await createUser(), csr.der, checksDone());

function keyOf(csr: { der: Uint8Array }) {
  const read = readCsr(csr.der);
  if (!read.ok || read.csr.publicKey.algorithm !== "RSA") throw new Error("not read");
  return { keyIdentity: read.csr.keyIdentity, modulus: read.csr.publicKey.modulus };
}

const mailsAbout = (kind: string, keyIdentity: string) =>
  getDb().selectFrom("mails").selectAll().where("dedupeKey", "like", `${kind}:${keyIdentity}%`).execute();

/** Returns the reports to an administrator that name a certificate. */
const reportsAbout = async (certificateId: number, { email } = admin) => {
  const mails = await getDb()
    .selectFrom("mails")
    .selectAll()
    .where("dedupeKey", "like", "key-report:%")
    .where("recipient", "=", email)
    .execute();
  const texts = await Promise.all(mails.map(async (mail) => ({ ...mail, text: await textOf(mail) })));
  return texts.filter(({ text }) => new RegExp(`Certificate ${certificateId}\\b`).test(text));
};

describe("[PUR-11] two keys with a common prime before any job has run", () => {
  test("[PUR-11] that are ordered and approved at once are both blocked and reported to owners and staff, and neither is issued", async () => {
    const locked = await createAdmin({ adminLockedAt: new Date() });
    const [one, other] = sharing();
    const orders = [await order(one), await order(other)];
    const [first, second] = orders as [(typeof orders)[0], (typeof orders)[0]];
    await expect(approveOrder(first.id, approver)).rejects.toThrow("shares a prime factor");
    await expect(approveOrder(second.id, approver)).rejects.toThrow("blocked");
    for (const { id, userId, keyIdentity } of orders) {
      expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null });
      expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
      expect((await auditEventsOf(id)).filter((event) => event === "certificate.key-shares-factor")).toHaveLength(1);
      const [mail, ...rest] = await mailsAbout("key-blocked", keyIdentity);
      const owner = await getDb().selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
      expect([mail?.recipient, rest]).toEqual([owner?.email, []]);
      expect(await reportsAbout(id)).toHaveLength(1);
      expect(await reportsAbout(id, locked)).toEqual([]);
    }
    const [report] = await reportsAbout(first.id);
    expect(report?.text).toContain(`Certificate ${second.id} (Pending)`);
  });

  test("[PUR-11] are found under the lock of the approval when one is stored after the search", async () => {
    const [one, other] = sharing();
    const first = await order(one);
    // An approval does this outside its transaction.
    expect(await compareKey(keyOf(one))).toBeNull();
    const version = await findComparison(getDb(), first.keyIdentity);
    const second = await order(other);
    expect((await readCertificate(second.id)).modulusProductId).toBeNull();
    const key = keyOf(one);
    const found = new Map([[key.keyIdentity, { keyIdentities: [second.keyIdentity] }]]);
    expect(await inTransaction((trx) => compareAgain(trx, [key]))).toEqual(found);
    await extendProducts(); // the key is now in a product that has changed since
    expect((await readCertificate(second.id)).modulusProductId).toBeGreaterThan(0);
    expect(await inTransaction((trx) => compareAgain(trx, [key]))).toEqual(found);
    expect(await findComparison(getDb(), first.keyIdentity)).toBe(version);
    await expect(approveOrder(first.id, approver)).rejects.toThrow("shares a prime factor");
    await expect(approveOrder(second.id, approver)).rejects.toThrow("blocked");
  });

  test("[PUR-11] in two simultaneous approvals are not both issued, and both are blocked", async () => {
    const [one, other] = sharing();
    const orders = [await order(one), await order(other)];
    const answers = await Promise.allSettled(orders.map(({ id }) => approveOrder(id, approver)));
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const { keyIdentity } of orders) expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });

  test("[PUR-11] are found at the import, where the new key is blocked too, with an entry and a message to its user", async () => {
    const [one, other] = sharing();
    const { keyIdentity, id } = await issueCertificate({ customer: await createUser(), csr: one.der });
    const buyer = await newBuyer();
    await buyer.contact();
    const importing = async () => (await errorsOf(await buyer.order({ csr: other.pem, intent: "import" }))).errors.csr;
    expect(await importing()).toContain("shares a prime factor with another key");
    expect(await importing()).toContain("this key is blocked");
    const brought = keyOf(other);
    expect(await isKeyBlocked(getDb(), brought.keyIdentity)).toBe(true);
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["actorId", "userId"])
      .where("event", "=", "key.shares-factor")
      .where("userId", "=", buyer.user.id)
      .execute();
    expect(entries).toEqual([{ actorId: buyer.user.id, userId: buyer.user.id }]);
    expect((await mailsAbout("key-blocked", brought.keyIdentity)).map(({ recipient }) => recipient)).toEqual([
      buyer.user.email,
    ]);
    expect(await auditEventsOf(id)).toContain("certificate.key-shares-factor");
    expect((await reportsAbout(id))[0]?.text).toContain(`A key of a CSR without an order, account ${buyer.user.id}`);
  });

  test("[PUR-11] that share both primes with other keys of one product lead to every one of them", async () => {
    const [p, q] = [prime(1024), prime(1024)];
    const others = [await order(csrOf(p, prime(1024))), await order(csrOf(q, prime(1024)))];
    await extendProducts();
    const both = await order(csrOf(p, q));
    await expect(approveOrder(both.id, approver)).rejects.toThrow("shares a prime factor");
    for (const { keyIdentity } of [both, ...others]) expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });

  test("[PUR-11] lead to one comparison with all keys, and then only with changed ones", async () => {
    const key = keyOf(csrOf(prime(1024), prime(1024)));
    await order(csrOf(prime(1024), prime(1024)));
    await extendProducts();
    expect(await compareKey(key)).toBeNull();
    const version = await findComparison(getDb(), key.keyIdentity);
    // A product that has not changed is not read again, so this change of it is not noticed.
    await getDb()
      .updateTable("modulusProducts")
      .set({ product: Buffer.from([1]) })
      .execute();
    await order(csrOf(prime(1024), prime(1024)));
    await extendProducts();
    expect(await compareKey(key)).toBeNull();
    expect(await findComparison(getDb(), key.keyIdentity)).toBeGreaterThan(version ?? 0);
  });

  describe("[PUR-11] the page of an order compares its key ahead", () => {
    /** Stores an order whose key was compared, and another one after it. */
    async function compared(csr: { der: Uint8Array }) {
      const stored = await order(csr);
      expect(await compareKey(keyOf(csr))).toBeNull();
      await order(csrOf(prime(1024), prime(1024)));
      await extendProducts();
      return stored;
    }

    test("[PUR-11] so that its approval does not do so again", async () => {
      const p = prime(1024);
      const { id } = await compared(csrOf(p, prime(1024)));
      await getQueueOrder(id, approver);
      // What the page has read is not read again, so this change of it is not noticed.
      await getDb()
        .updateTable("modulusProducts")
        .set({ product: Buffer.from((p * prime(1024)).toString(16).padStart(512, "0"), "hex") })
        .execute();
      expect((await approveOrder(id, approver)).status).toBe("Issued");
    });

    test("[PUR-11] but a key that has arrived before or since is found by the approval", async () => {
      const [one, other] = sharing();
      const first = await compared(one);
      await getQueueOrder(first.id, approver);
      await order(other);
      await extendProducts();
      await expect(approveOrder(first.id, approver)).rejects.toThrow("shares a prime factor");
      const [third, fourth] = sharing();
      const second = await compared(third);
      await order(fourth);
      await extendProducts();
      await getQueueOrder(second.id, approver);
      await expect(approveOrder(second.id, approver)).rejects.toThrow("shares a prime factor");
    });
  });
});

describe("[PUR-11] the nightly check of all keys", () => {
  test("[PUR-11] adds a key that is in no product, reports it to staff, and compares it with all others", async () => {
    await checkAllKeys(new Date()).catch(() => undefined); // reports what the tests above have left
    const [one, other] = sharing();
    const known = await order(one);
    await extendProducts();
    // A row that was changed by hand, and a certificate from the time when approvals did not compare keys.
    await getDb()
      .updateTable("modulusProducts")
      .set({ product: Buffer.from([7]) })
      .execute();
    await setCertificate(known.id, { status: "Issued" });
    const second = await order(other);
    await expect(checkAllKeys(new Date())).rejects.toThrow(/Bad keys: \d+ of \d+\./);
    for (const { id, keyIdentity } of [known, second]) {
      const { modulusProductId } = await readCertificate(id);
      expect(modulusProductId).toBeGreaterThan(0);
      expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
      expect(await auditEventsOf(id)).toContain("certificate.key-shares-factor");
    }
    const subjects = (await reportsAbout(known.id)).map(({ subject }) => subject).sort();
    expect(subjects).toEqual([
      "Bad keys are in use",
      "Keys were missing from the search for shared primes",
      "RSA keys share a prime factor",
    ]);
  });

  test("[PUR-11] repairs an RSA key without a modulus and one whose product is missing", async () => {
    const orders = [await order(makeCsr()), await order(makeCsr())];
    await extendProducts();
    await setCertificate(orders[0]?.id ?? 0, { modulusProductId: 0 });
    await setCertificate(orders[1]?.id ?? 0, { modulusProductId: 999_999 });
    await checkAllKeys(new Date()).catch(() => undefined);
    for (const { id, keyIdentity } of orders) {
      const { modulusProductId } = await readCertificate(id);
      expect(modulusProductId).toBeGreaterThan(0);
      expect(modulusProductId).toBeLessThan(999_999);
      // The modulus was in a product already. A key does not share primes with itself.
      expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(false);
      expect(await findComparison(getDb(), keyIdentity)).not.toBeNull();
    }
  });
});

describe("[PUR-11] small prime factors", () => {
  // With the two top bits of the large prime set, the products have 2048 bits.
  test.each([
    ["the largest prime below 2^24", 16_777_213n, 2024],
    ["the first prime that trial division leaves", 104_743n, 2031],
  ])("[PUR-11] %s are refused at the import and at approval", async (_, factor, bits) => {
    const csr = csrOf(factor, prime(bits));
    const buyer = await newBuyer();
    await buyer.contact();
    const told = "RSA key strength: the modulus has a prime factor below 2^24.";
    expect((await errorsOf(await buyer.order({ csr: csr.pem, intent: "import" }))).errors.csr).toContain(told);
    await expect(approveOrder((await order(csr)).id, approver)).rejects.toThrow(told);
  });
});
