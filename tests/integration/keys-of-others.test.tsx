import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCsr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { type BadKey, checkStoredKeys } from "~/domain/keys/check.service.server";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import { getDb } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { newProgram } from "../support/api";
import {
  checksDone,
  createCertificateOrder,
  issueCertificate,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { Buyer, newBuyer, ordersOf, secondWindow, startPurchase } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

const dir = mkdtempSync(join(tmpdir(), "marque-keys-of-others-"));
const config = join(dir, "portal.json");
const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as { certificates: object };
writeFileSync(
  config,
  JSON.stringify({ ...shipped, certificates: { ...shipped.certificates, keyAlgorithms: ["RSA", "EC"] } }),
);
afterAll(() => rmSync(dir, { recursive: true }));

usePortal({ PORTAL_CONFIG: config, RATE_LIMITS: "on" });
const { makeCsr, makeKey } = useOpenssl();

const REFUSED = "This key cannot be used; create a new one.";

type User = Awaited<ReturnType<typeof createUser>>;
let victim: User;
let approver: SessionUser;
let staff: Visitor;

beforeAll(async () => {
  victim = await createUser({ company: "Victim GmbH" });
  const admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const atOrder = async () => {
  const buyer = await newBuyer();
  await buyer.contact();
  return buyer;
};
const importing = async (buyer: Awaited<ReturnType<typeof atOrder>>, csr: string) =>
  errorsOf(await buyer.order({ csr, intent: "import" }));
const refusedImport = async (csr: string) => {
  const answer = await (await atOrder()).order({ csr, intent: "import" });
  return answer.status === 422 ? (await errorsOf(answer)).errors.csr : answer.status;
};
const attempts = (certificateId: number) =>
  getDb()
    .selectFrom("auditEntries")
    .select(["actorId", "userId", "message"])
    .where("event", "=", "key.of-another-account")
    .where("certificateId", "=", certificateId)
    .execute();

describe("[PUR-11] the key of another account's certificate", () => {
  test("[PUR-11] is refused without a reason when its certificate is valid, and recorded with both accounts", async () => {
    const csr = makeCsr();
    const { id } = await issueCertificate({ customer: victim, csr: csr.der });
    const thief = await atOrder();
    const { status, errors } = await importing(thief, csr.pem);
    expect([status, errors.csr]).toEqual([422, REFUSED]);
    expect(await attempts(id)).toEqual([
      {
        actorId: thief.user.id,
        userId: thief.user.id,
        message: `Account ${thief.user.id} sent a CSR with the public key of certificate ${id} of another account: refused.`,
      },
    ]);
    const owner = await signedInAs(victim);
    const own = await new Buyer(victim, owner, await startPurchase(owner)).upToInvoice(csr.pem);
    expect((await own.invoice()).status).toBe(303); // the owner can still order with the key
  });

  test.each(["Expired", "Revoked", "Renewed", "Downloaded", "RequestRevoke"] as const)(
    "[PUR-11] is refused when the certificate is %s",
    async (status) => {
      const csr = makeCsr();
      const { id } = await issueCertificate({ customer: victim, csr: csr.der });
      await setCertificate(id, { status });
      expect(await refusedImport(csr.pem)).toBe(REFUSED);
    },
  );

  test("[PUR-11] is refused with another subject, another exponent, or another encoding of an EC key", async () => {
    const csr = makeCsr();
    await issueCertificate({ customer: victim, csr: csr.der });
    const renamed = makeCsr({ keyFile: csr.keyFile, subject: "/C=FR/O=Other SA/CN=other.example" });
    expect(await refusedImport(renamed.pem)).toBe(REFUSED);

    const keyFile = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
    const ec = makeCsr({ keyFile, args: [] });
    await issueCertificate({ customer: victim, csr: ec.der });
    const compressed = makeKey("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
    openssl(["ec", "-in", keyFile, "-conv_form", "compressed", "-out", compressed]);
    const again = makeCsr({ keyFile: compressed, args: [] });
    const [one, other] = [readCsr(ec.pem), readCsr(again.pem)];
    expect(one.ok && other.ok && one.csr.keyIdentity === other.csr.keyIdentity).toBe(true);
    expect(Buffer.compare(ec.der, again.der)).not.toBe(0);
    expect(await refusedImport(again.pem)).toBe(REFUSED);
  });

  test("[PUR-11] is not mentioned after it was blocked; a certificate that was never issued does not count", async () => {
    const csr = makeCsr();
    const { keyIdentity } = await issueCertificate({ customer: victim, csr: csr.der });
    await getDb().insertInto("blockedKeys").values({ keyIdentity, reason: "test", createdAt: new Date() }).execute();
    expect(await refusedImport(csr.pem)).toBe(REFUSED);
    const ended = makeCsr();
    await createCertificateOrder(victim, ended.der, { status: "Rejected" });
    expect(await refusedImport(ended.pem)).toBe(303);
  });

  test("[PUR-11] is refused and recorded at Next and when the order is completed", async () => {
    const csr = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(csr.pem);
    const { id } = await issueCertificate({ customer: victim, csr: csr.der });
    expect((await errorsOf(await buyer.order({ csr: csr.pem }))).errors.csr).toBe(REFUSED);
    expect((await errorsOf(await buyer.invoice())).errors.form).toContain(REFUSED);
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    expect(await attempts(id)).toHaveLength(2);
  });

  test("[PUR-11] [API-03] is refused by DecodeCsrWithValidation and CompletePurchaseJourney; a pending order is not mentioned", async () => {
    const csr = makeCsr();
    await issueCertificate({ customer: victim, csr: csr.der });
    const { client } = await newProgram();
    const decode = async (pem: string, checkUniqueness = false) =>
      (
        await client.post<{ item1: object | null; item2: string }>("certificates/DecodeCsrWithValidation", {
          csr: pem,
          checkUniqueness,
        })
      ).content;
    expect(await decode(csr.pem)).toMatchObject({ item1: null, item2: REFUSED });
    const pending = makeCsr();
    await createCertificateOrder(victim, pending.der);
    expect((await decode(pending.pem)).item2).toBe("");
    expect(await decode(pending.pem, true)).toEqual({
      item1: null,
      item2: REFUSED,
      rules: [expect.objectContaining({ code: "key-of-another", message: REFUSED })],
    });
  });

  test("[REN-03] [MAN-03] is refused in a renewal and in a reissue", async () => {
    const csr = makeCsr();
    const { keyFile } = csr;
    const { id } = await issueCertificate({ customer: victim, csr: csr.der });
    const { renewer, original } = await newRenewer(makeCsr().der);
    await renewer.contact();
    expect((await errorsOf(await renewer.order({ csr: csr.pem, intent: "import" }))).errors.csr).toBe(REFUSED);
    const params = { id: String(original.id) };
    const url = `/home/certificate/reissue/${original.id}`;
    const fields = { csr: makeCsr({ keyFile }).pem, reason: "Key lost" };
    const answer = await run(reissuePage.action, await staff.post(url, fields), params);
    expect((await errorsOf(answer)).errors.csr).toBe(REFUSED);
    expect((await attempts(id)).map(({ userId }) => userId)).toEqual([renewer.user.id, renewer.user.id]);
  });

  test("[PUR-11] can be tried ten times an hour; then no CSR of the account is checked, not even a sound one", async () => {
    const csr = makeCsr();
    const { id } = await issueCertificate({ customer: victim, csr: csr.der });
    const thief = await atOrder();
    for (let tries = 0; tries < 10; tries += 1) expect((await importing(thief, csr.pem)).errors.csr).toBe(REFUSED);
    const stopped = /^Too many attempts: at most 10 CSRs by one account whose key cannot be used within 60 minutes\./;
    expect((await importing(thief, csr.pem)).errors.csr).toMatch(stopped);
    const answer = await thief.order({ csr: makeCsr().pem, intent: "import" });
    expect([answer.status, Number(answer.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect((await errorsOf(answer)).errors.csr).toMatch(stopped);
    expect(await attempts(id)).toHaveLength(10);
    expect(await refusedImport(makeCsr().pem)).toBe(303); // other keys are not affected
  });
});

describe("[PUR-11] one key in the open orders of two accounts", () => {
  test("[PUR-11] [MAN-03] staff see whose it is; the order approved second is refused, on the page and by the service", async () => {
    const csr = makeCsr();
    const thief = await createUser({ company: "Thief Ltd" });
    const [first, second] = [
      await createCertificateOrder(victim, csr.der, checksDone()),
      await createCertificateOrder(thief, csr.der, checksDone()),
    ];
    const open = (id: number) =>
      openPage(queueOrder, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
    const pending = await open(second.id);
    expect(pageText(pending.html)).toContain("Other pending orders have the same public key:");
    expect(pageText(pending.html)).toContain(`(Pending), Victim GmbH, ${victim.email}`);
    expect((await approveOrder(first.id, approver)).status).toBe("Issued");

    const { html } = await open(second.id);
    expect(pageText(html)).toContain("This public key is another account's. The order cannot be approved: reject it.");
    expect(pageText(html)).toContain(`(Issued), Victim GmbH, ${victim.email}`);
    expect(select(html, `a[href="/home/users/${victim.id}"]`)).toHaveLength(1);
    expect(select(html, `a[href="/home/certificate-details/${first.id}"]`)).toHaveLength(1);

    const url = `/home/certificate-queue/${second.id}`;
    const answer = await run(queueOrder.action, await staff.post(url, { intent: "approve" }), {
      id: String(second.id),
    });
    const told = `The CSR of this order is not accepted any more: reject the order.\n${REFUSED}`;
    expect((await errorsOf(answer)).errors.form).toBe(told);
    await expect(approveOrder(second.id, approver)).rejects.toThrow(told);
    expect(await readCertificate(second.id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[PUR-11] only one of two simultaneous approvals succeeds", async () => {
    const csr = makeCsr();
    const orders = [
      await createCertificateOrder(victim, csr.der, checksDone()),
      await createCertificateOrder(await createUser(), csr.der, checksDone()),
    ];
    const answers = await Promise.allSettled(orders.map(({ id }) => approveOrder(id, approver)));
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const reasons = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
    expect(reasons.join()).toContain(REFUSED);
    const rows = await Promise.all(orders.map(({ id }) => readCertificate(id)));
    expect(rows.map(({ status }) => status).sort()).toEqual(["Issued", "Pending"]);
  });

  test("[PUR-11] an approval waits for another that decides about its key, and then sees the result", async () => {
    const csr = makeCsr();
    const other = await issueCertificate({ customer: victim, csr: csr.der });
    // The state before the other account got its certificate.
    await setCertificate(other.id, { der: null, tbsCertificate: null, status: "Pending" });
    const order = await createCertificateOrder(await createUser(), csr.der, checksDone());
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const deciding = inTransaction(async (trx) => {
      await lockKey(trx, order.keyIdentity);
      await trx
        .updateTable("certificates")
        .set({ tbsCertificate: other.tbsCertificate, der: other.der, status: "Issued" })
        .where("id", "=", other.id)
        .execute();
      locked();
      await untilOthersWait();
    });
    await isLocked;
    const asked = approveOrder(order.id, approver);
    await Promise.all([expect(asked).rejects.toThrow(REFUSED), deciding]);
    expect(await readCertificate(order.id)).toMatchObject({ status: "Pending", tbsCertificate: null });
  });

  test("[PUR-11] [CON-01] after a merge the two accounts have one owner and the key is allowed", async () => {
    const csr = makeCsr();
    const former = await createUser();
    const { id } = await issueCertificate({ customer: former, csr: csr.der });
    const buyer = await atOrder();
    expect((await importing(buyer, csr.pem)).errors.csr).toBe(REFUSED);
    const { id: userId, companyId } = buyer.user;
    await setCertificate(id, { userId, companyId }); // as a merge of accounts does
    const next = await secondWindow(buyer);
    await next.contact();
    expect((await next.order({ csr: csr.pem, intent: "import" })).status).toBe(303);
  });

  test("[PUR-11] two older certificates of different accounts with one key are named by the check of all keys", async () => {
    const csr = makeCsr();
    const [mine, theirs] = [
      await issueCertificate({ customer: victim, csr: csr.der }),
      await issueCertificate({ customer: victim, csr: csr.der }),
    ];
    const named = async () => {
      const bad: BadKey[] = [];
      await checkStoredKeys((key) => void bad.push(key));
      return bad.filter(({ id }) => [mine.id, theirs.id].includes(id)).map(({ message }) => message);
    };
    expect(await named()).toEqual([]);
    await setCertificate(theirs.id, { companyId: (await createUser()).companyId });
    const message = "The key has certificates of several companies: nobody knows who has the private key.";
    expect(await named()).toEqual([message, message]);
  });
});
