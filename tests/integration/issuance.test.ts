import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { toPem } from "~/ca/pem.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { findIssuer, findRoot } from "~/domain/authorities/authorities.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { addYears } from "~/lib/dates";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import { action } from "~/routes/home.certificate-queue.$id/route";
import * as queueList from "~/routes/home.certificate-queue._index";
import { getDb } from "~db/connection.server";
import { blockKey, lockKey } from "~db/repositories/blocked-keys.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type HierarchyName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { auditEventsOf, checksDone, createCertificateOrder, mailsOf, readCertificate } from "../support/certificates";
import { atOneMoment } from "../support/clock";
import { createAdmin, createUser } from "../support/factories";
import { untilOthersWait } from "../support/lock-waits";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { file, makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let staff: Visitor;
let approver: SessionUser;

beforeAll(async () => {
  anna = await createUser();
  const admin = await createAdmin();
  staff = await signedInAs(admin);
  const user = await findSessionUser({ id: admin.id, epoch: 0 });
  if (!user) throw new Error("no administrator");
  approver = user;
});

const order = (der: Uint8Array = makeCsr().der, given: Parameters<typeof createCertificateOrder>[2] = {}) =>
  createCertificateOrder(anna, der, { ...checksDone(), ...given });
const approve = async (id: number) =>
  run(action, await staff.post(`/home/certificate-queue/${id}`, { intent: "approve", confirmed: "yes" }), {
    id: String(id),
  });

async function chainFiles(hierarchy: HierarchyName) {
  const [root, issuing] = [await findRoot(getDb(), hierarchy), await findIssuer(getDb(), hierarchy)];
  if (!root || !issuing) throw new Error("no hierarchy");
  return {
    root: file("pem", toPem("CERTIFICATE", root.certificate)),
    issuing: file("pem", toPem("CERTIFICATE", issuing.certificate)),
  };
}

const SUBJECT = "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example";

describe("issuing a certificate", () => {
  test.each(["sha2", "g3"] as const)(
    "[CAL-02] of %s gives one that openssl verifies up to the root",
    async (hierarchy) => {
      const san = ["DNS:edi.acme.example", "IP:192.0.2.7", "email:edi@acme.example", "URI:https://acme.example/"];
      const { id } = await order(makeCsr({ subject: SUBJECT, san }).der, { hierarchy });
      expect((await approve(id)).status).toBe(303);
      const row = await readCertificate(id);
      const leaf = file("pem", toPem("CERTIFICATE", row.der ?? Buffer.alloc(0)));
      const { root, issuing } = await chainFiles(hierarchy);
      expect(openssl(["verify", "-x509_strict", "-CAfile", root, "-untrusted", issuing, leaf])).toBe(`${leaf}: OK\n`);
      const text = openssl(["x509", "-in", leaf, "-noout", "-text", "-nameopt", "RFC2253"]);
      expect(text).toContain("Subject: CN=oftp.acme.example,OU=EDI,O=Acme GmbH,L=Muenchen,ST=Bayern,C=DE");
      expect(text).toContain(`Signature Algorithm: ${hierarchy === "sha2" ? "sha256" : "sha512"}WithRSAEncryption`);
      for (const name of [
        "DNS:edi.acme.example",
        "IP Address:192.0.2.7",
        "email:edi@acme.example",
        "DNS:oftp.acme.example",
      ])
        expect(text).toContain(name);
    },
  );

  test("[CAL-02] stores the same data in the row as in the certificate", async () => {
    const { id } = await order(undefined, { validityYears: 3 });
    // At midnight before a leap day, one millisecond changes the end of the validity by a whole day.
    const before = await atOneMoment(async (now) => {
      await approve(id);
      return now;
    });
    const row = await readCertificate(id);
    const certificate = describeCertificate(row.der ?? Buffer.alloc(0));
    expect(row).toMatchObject({
      status: "Issued",
      serialNumber: certificate.serialNumber,
      thumbprint: certificate.thumbprint,
      startDate: certificate.startDate,
      expiryDate: certificate.endDate,
      publicKeySha256: certificate.spkiSha256,
      decidedBy: approver.id,
    });
    const years = Date.parse(certificate.endDate) - addYears(before, 3).getTime();
    expect(Math.abs(years)).toBeLessThan(60_000);
    expect(row.searchText).toContain(certificate.serialNumber.toLowerCase());
  });

  test("[PUR-04] turns a typed OFTP ID into the serial number and an oftp:// name", async () => {
    const { id } = await order(undefined, { ssid: "O0177ABCD OD", isManualSsid: true });
    await approve(id);
    const { subject, subjectAlternateName } = describeCertificate((await readCertificate(id)).der ?? Buffer.alloc(0));
    expect(subject.deviceSerialNumber).toBe("O0177ABCD OD");
    expect(subjectAlternateName).toContainEqual({ type: "ssid", value: "O0177ABCD OD" });
  });

  test("[PUR-05] sets the key usage from the chosen usage", async () => {
    const { id } = await order(undefined, { hasSecureSession: false, hasEmail: false, hasEncryption: false });
    await approve(id);
    const { keyUsage, enhancedKeyUsage } = describeCertificate((await readCertificate(id)).der ?? Buffer.alloc(0));
    expect([keyUsage, enhancedKeyUsage]).toEqual([["digitalSignature", "nonRepudiation"], []]);
  });

  test("[AUD-02][MAI-01] records approval and issue in the audit trail and sends one mail with instructions", async () => {
    const { id, orderId } = await order();
    await approve(id);
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
    const mails = await mailsOf(orderId);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.recipient).toBe(anna.email);
    expect(mails[0]?.text).toContain(`http://portal.test/home/certificate-download/${id}`);
    expect(mails[0]?.text).toContain("How to install");
  });

  test("[CAL-04] uses serial numbers of 16 random bytes that never repeat", async () => {
    const { der } = makeCsr();
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await order(der)).id));
    await Promise.all(ids.map(approve));
    const serials = await Promise.all(ids.map(async (id) => (await readCertificate(id)).serialNumber ?? ""));
    expect(new Set(serials).size).toBe(8);
    // Serial numbers are written without leading zero bytes.
    for (const serial of serials) expect(serial).toMatch(/^([0-7][0-9A-F])?[0-9A-F]{24,30}$/);
  });
});

/** Stores an order that was approved while the key store was not available. */
async function interrupted(given: Parameters<typeof createCertificateOrder>[2] = {}) {
  const { id } = await order(undefined, given);
  const { hash } = await getSigner("issuing-sha2");
  setSigner("issuing-sha2", { hash, sign: () => Promise.reject(new Error("the key store is away")) });
  try {
    await expect(approveOrder(id, approver)).rejects.toThrow("the key store is away");
  } finally {
    setSigner("issuing-sha2", null);
  }
  return readCertificate(id);
}

const block = (keyIdentity: string) => inTransaction((trx) => blockKey(trx, keyIdentity, "test"));

describe("one key, one subject", () => {
  test("[PUR-11][MAN-03] an order whose key belongs to another subject cannot be approved until one of them is rejected", async () => {
    const { der } = makeCsr();
    const [first, second] = [await order(der), await order(der, { organisation: "Somebody Else AG" })];
    const message =
      "The public key of this order belongs to a certificate or an order of another subject: reject one of the orders.";
    for (const { id } of [first, second]) {
      await expect(approveOrder(id, approver)).rejects.toThrow(message);
      expect((await readCertificate(id)).tbsCertificate).toBeNull();
    }
    const page = { params: { id: String(first.id) } };
    const { html } = await openPage(queueOrder, staff, `/home/certificate-queue/${first.id}`, page);
    expect(html).toContain("This public key belongs to a certificate or an order of another subject.");
    await getDb().updateTable("certificates").set({ status: "Rejected" }).where("id", "=", second.id).execute();
    expect((await approveOrder(first.id, approver)).status).toBe("Issued");
  });

  test("[CAL-04][REV-04] an approval waits for a revocation that is blocking its key", async () => {
    const { id, keyIdentity } = await order();
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const blocking = inTransaction(async (trx) => {
      await lockKey(trx, keyIdentity);
      await blockKey(trx, keyIdentity, "test");
      locked();
      await untilOthersWait();
    });
    await isLocked;
    await expect(approveOrder(id, approver)).rejects.toThrow("blocked");
    await blocking;
    expect(await readCertificate(id)).toMatchObject({ tbsCertificate: null, status: "Pending" });
  });

  test("[CAL-04][REV-04] a certificate whose key is blocked while it is being signed is issued and revoked at once", async () => {
    const { id, keyIdentity, orderId } = await order();
    const real = await getSigner("issuing-sha2");
    let signed = 0;
    setSigner("issuing-sha2", {
      hash: real.hash,
      sign: async (tbs) => {
        if ((signed += 1) === 1) await block(keyIdentity);
        return real.sign(tbs);
      },
    });
    try {
      await expect(approveOrder(id, approver)).rejects.toThrow("it has been revoked at once");
    } finally {
      setSigner("issuing-sha2", null);
    }
    const row = await readCertificate(id);
    expect(row).toMatchObject({ status: "Revoked", revocationReason: 1, revokedBy: null });
    const list = await findLatestCrl(getDb(), row.authorityId ?? 0, false);
    expect(openssl(["crl", "-inform", "DER", "-noout", "-text"], list?.der)).toContain(row.serialNumber);
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued", "certificate.revoked"]);
    expect((await mailsOf(orderId)).map(({ dedupeKey }) => dedupeKey)).toEqual([`certificate-revoked:${id}`]);
  });
});

describe("an issuing that does not finish", () => {
  test("[CAL-04][MAN-03] is shown in the queue and on the order, and is tried again", async () => {
    const { id, orderId } = await interrupted();
    const text = "Issuing is under way or failed, it is tried again every minute";
    expect((await openPage(queueList, staff, `/home/certificate-queue?search=SO-${orderId}`)).html).toContain(text);
    const path = `/home/certificate-queue/${id}`;
    expect((await openPage(queueOrder, staff, path, { params: { id: String(id) } })).html).toContain(text);
    expect(await finishInterruptedIssuing()).toBe(1);
    expect((await openPage(queueOrder, staff, path, { params: { id: String(id) } })).html).not.toContain(text);
  });

  test("[CAL-04][AUD-02] is undone when the recorded TBS is not as intended: the order is open again and gets another serial number", async () => {
    const recorded = await interrupted();
    const { id, certificateProfile, serialNumber } = recorded;
    const profile = { ...(JSON.parse(certificateProfile ?? "") as object), keyUsage: ["keyCertSign"] };
    await getDb()
      .updateTable("certificates")
      .set({ certificateProfile: JSON.stringify(profile) })
      .where("id", "=", id)
      .execute();
    await expect(finishInterruptedIssuing()).rejects.toThrow(
      "The certificate has not been issued and the order is pending again. The issued certificate differs from its order: keyUsage.",
    );
    expect(await readCertificate(id)).toMatchObject({
      status: "Pending",
      tbsCertificate: null,
      certificateProfile: null,
      serialNumber: null,
      authorityId: null,
      decidedAt: null,
      decidedBy: null,
      der: null,
    });
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issuing-undone"]);
    expect(await finishInterruptedIssuing()).toBe(0);
    const issued = await approveOrder(id, approver);
    expect(issued.status).toBe("Issued");
    expect(issued.serialNumber).not.toBe(serialNumber);
  });

  test("[CAL-04][REV-04] is undone when its key was blocked in the meantime", async () => {
    const { id, keyIdentity } = await interrupted();
    await block(keyIdentity);
    await expect(finishInterruptedIssuing()).rejects.toThrow("Its public key was reported as compromised.");
    expect(await readCertificate(id)).toMatchObject({ status: "Pending", tbsCertificate: null, der: null });
    await expect(approveOrder(id, approver)).rejects.toThrow("blocked");
    expect(await finishInterruptedIssuing()).toBe(0);
  });
});

describe("one certificate for one order", () => {
  test("[CAL-04] several simultaneous approvals by one person issue one certificate and one mail, with equal answers", async () => {
    const { id, orderId } = await order();
    const answers = await Promise.all(Array.from({ length: 6 }, () => approve(id)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
    expect(await mailsOf(orderId)).toHaveLength(1);
  });

  test("[CAL-04] an approval and the job that finishes interrupted ones do not issue two", async () => {
    const { id, orderId } = await order();
    const real = await getSigner("issuing-sha2");
    let finished: Promise<number> | undefined;
    setSigner("issuing-sha2", {
      hash: real.hash,
      sign: async (tbs) => {
        const signature = await real.sign(tbs);
        if (!finished) await (finished = finishInterruptedIssuing()); // the other process is faster
        return signature;
      },
    });
    try {
      await approveOrder(id, approver);
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect(await finished).toBe(1);
    expect(await auditEventsOf(id)).toEqual(["certificate.approved", "certificate.issued"]);
    expect(await mailsOf(orderId)).toHaveLength(1);
  });

  test("[CAL-04] after a failure of the signer the order stays recorded, and the job finishes it with the same serial number", async () => {
    const { id } = await order();
    const { hash } = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash, sign: () => Promise.reject(new Error("the key store is away")) });
    try {
      await expect(approveOrder(id, approver)).rejects.toThrow("the key store is away");
    } finally {
      setSigner("issuing-sha2", null);
    }
    const recorded = await readCertificate(id);
    expect(recorded).toMatchObject({ status: "Pending", der: null });
    await expect(approveOrder(id, approver)).rejects.toThrow(
      "This order has already been approved and its certificate is being issued.",
    );
    expect(await finishInterruptedIssuing()).toBe(1);
    expect(await finishInterruptedIssuing()).toBe(0);
    const issued = await readCertificate(id);
    expect(issued).toMatchObject({ status: "Issued", serialNumber: recorded.serialNumber });
    expect(new X509Certificate(issued.der ?? Buffer.alloc(0)).serialNumber).toBe(recorded.serialNumber);
  });

  test("[CAL-04] a certificate that is not as intended is never stored", async () => {
    const { id } = await order();
    const { hash } = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash, sign: () => Promise.resolve(new Uint8Array(256)) });
    try {
      await expect(approveOrder(id, approver)).rejects.toThrow("differs from its order: signature");
      await expect(finishInterruptedIssuing()).rejects.toThrow("signature");
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect((await readCertificate(id)).der).toBeNull();
    expect(await finishInterruptedIssuing()).toBe(1);
  });

  test("[CAL-04] nothing is recorded without the key of the CA", async () => {
    const { id } = await order();
    const broken = Promise.reject<never>(new Error("no key"));
    broken.catch(() => undefined);
    setSigner("issuing-sha2", broken);
    try {
      await expect(approveOrder(id, approver)).rejects.toThrow("no key");
    } finally {
      setSigner("issuing-sha2", null);
    }
    expect(await readCertificate(id)).toMatchObject({ tbsCertificate: null, decidedAt: null });
  });

  test("[CAL-04] a check that is withdrawn before the record stops the approval", async () => {
    const { id, keyIdentity } = await order();
    await getDb().insertInto("blockedKeys").values({ keyIdentity, reason: "test", createdAt: new Date() }).execute();
    await expect(approveOrder(id, approver)).rejects.toThrow("blocked");
    expect(await readCertificate(id)).toMatchObject({ tbsCertificate: null, status: "Pending" });
  });
});
