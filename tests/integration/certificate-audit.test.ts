import { describe, expect, test } from "vitest";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { auditEverything } from "~/domain/certificate-audit/audit.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  auditEventsOf,
  issueCertificate,
  readCertificate,
  setCertificate,
  storeRevocation,
} from "../support/certificates";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();

/** Returns the open findings as 'rule, subject: cause', by rule. */
async function openFindings(): Promise<string[]> {
  const rows = await getDb().selectFrom("auditFindings").selectAll().where("settledAt", "is", null).execute();
  return rows.map(({ rule, subject, cause }) => `${rule}, ${subject}: ${cause}`).toSorted();
}

/** Runs the audit and returns what is open afterwards. */
async function audit(now = new Date()): Promise<string[]> {
  await auditEverything(now);
  return openFindings();
}

/** Returns a certificate of a customer of its own. */
const issued = async (order: Parameters<typeof issueCertificate>[0] = {}) =>
  issueCertificate({ customer: await createUser(), ...order });

const publish = (at = new Date()) => publishCrls("issuing-sha2", at);

async function revoke(certificate: Awaited<ReturnType<typeof issued>>) {
  await storeRevocation(certificate);
  await publish();
}

describe("the nightly audit", () => {
  test("[CAL-04][AUD-02] finds nothing wrong with what the portal issues, in force and revoked, and says what it audited", async () => {
    await renewResponders();
    await issued();
    await issued({ order: { hierarchy: "g3" } });
    await revoke(await issued());
    expect(await audit()).toEqual([]);
    expect(await auditEverything(new Date())).toBe("3 certificates audited, 0 findings open, 0 settled");
  });

  test("[CAL-04][AUD-02] finds a certificate that was changed in the database; the finding ends when it is restored", async () => {
    const { id, der } = await issued();
    const changed = Buffer.from(der);
    changed[changed.length - 300] = (changed[changed.length - 300] ?? 0) ^ 1;
    await setCertificate(id, { der: changed });
    const cause =
      "The certificate in the database is not signed with the key of its CA, so it was changed after it was issued.";
    const first = new Date();
    const found = await audit(first);
    expect(found.filter((text) => text.startsWith("signature") || text.startsWith("unreadable"))).toHaveLength(1);
    expect(found.join()).toContain(`certificate ${id}`);
    expect(found).toEqual([`signature, certificate ${id}: ${cause}`]);

    await audit(addDays(first, 1));
    const finding = await getDb().selectFrom("auditFindings").selectAll().executeTakeFirstOrThrow();
    expect(finding).toMatchObject({
      firstSeenAt: first.toISOString(),
      lastSeenAt: addDays(first, 1).toISOString(),
      settledAt: null,
    });
    expect((await auditEventsOf(id)).filter((event) => event.startsWith("certificate-audit"))).toEqual([
      "certificate-audit.found",
    ]);

    await setCertificate(id, { der });
    expect(await audit(addDays(first, 2))).toEqual([]);
    expect((await auditEventsOf(id)).slice(-2)).toEqual(["certificate-audit.found", "certificate-audit.settled"]);
  });

  test("[CAL-04] finds a row whose certificate is another one's, and names that one", async () => {
    const [one, other] = [await issued(), await issued()];
    await setCertificate(one.id, { der: other.der });
    expect(await audit()).toEqual([
      `another-certificate, certificate ${one.id}: The database has the serial number ${one.serialNumber}, the certificate has ${other.serialNumber}. That is certificate ${other.id}.`,
    ]);
    await setCertificate(one.id, { der: one.der });
    expect(await audit()).toEqual([]);
  });

  test("[CAL-04] finds columns and a recorded profile that differ from the certificate", async () => {
    const { id, expiryDate, thumbprint, certificateProfile, commonName } = await issued();
    await setCertificate(id, { expiryDate: addDays(new Date(), 9), thumbprint: "00".repeat(20), commonName: "other" });
    const profile = JSON.parse(certificateProfile ?? "{}") as { keyUsage: string[] };
    await setCertificate(id, { certificateProfile: JSON.stringify({ ...profile, keyUsage: ["digitalSignature"] }) });
    expect(await audit()).toEqual([
      `profile-differs, certificate ${id}: The issued certificate differs from its order: keyUsage. (intended-key-usage, practice statement §7.1)`,
      `row-differs, certificate ${id}: The database and the certificate differ in: expiry date, thumbprint, common name.`,
    ]);
    await setCertificate(id, { expiryDate, thumbprint, certificateProfile, commonName });
    expect(await audit()).toEqual([]);
  });

  test("[CAL-04] finds valid certificates of which the database says that they ended or were never issued", async () => {
    const [expired, cancelled, revoked, moved] = [await issued(), await issued(), await issued(), await issued()];
    await revoke(revoked);
    const stranger = await createUser();
    await setCertificate(expired.id, { status: "Expired" });
    await setCertificate(cancelled.id, { status: "Cancelled" });
    const yesterday = addDays(new Date(), -1).toISOString();
    await setCertificate(revoked.id, { expiryDate: yesterday });
    await setCertificate(moved.id, { companyId: stranger.companyId });
    const until = (expired.expiryDate ?? "").slice(0, 10);
    expect(await audit()).toEqual([
      `row-differs, certificate ${expired.id}: In the database its status is Expired. The certificate is valid until ${until}.`,
      `row-differs, certificate ${cancelled.id}: In the database its status is Cancelled. The certificate is valid until ${until}.`,
      `row-differs, certificate ${revoked.id}: In the database it ended on ${yesterday.slice(0, 10)}. The certificate is valid until ${until}.`,
      `row-differs, certificate ${moved.id}: It belongs to another company than its order.`,
    ]);
    await setCertificate(expired.id, { status: "Issued" });
    await setCertificate(cancelled.id, { status: "Issued" });
    await setCertificate(revoked.id, { expiryDate: revoked.expiryDate });
    await setCertificate(moved.id, { companyId: moved.companyId });
    expect(await audit()).toEqual([]);
  });

  test("[CAL-04] a changed serial number that is nobody's is a changed column", async () => {
    const { id, serialNumber } = await issued();
    await setCertificate(id, { serialNumber: "0A0B" });
    expect(await audit()).toEqual([
      `row-differs, certificate ${id}: The database has the serial number 0A0B, the certificate has ${serialNumber}.`,
    ]);
    await setCertificate(id, { serialNumber });
    expect(await audit()).toEqual([]);
  });

  test("[CAL-04] finds columns that the portal cannot have written, also of a successor, and goes on", async () => {
    const [names, profile, other] = [await issued(), await issued(), await issued()];
    await setCertificate(names.id, { subjectAlternateName: "{}" });
    await setCertificate(profile.id, { certificateProfile: "not JSON" });
    await setCertificate(other.id, {
      previousCertificateId: names.id,
      subjectAlternateName: JSON.stringify([{ type: "dns", value: "added.example.com" }]),
    });
    const differ = "The database and the certificate differ in:";
    expect(await audit()).toEqual([
      `row-differs, certificate ${names.id}: ${differ} alternative names.`,
      `row-differs, certificate ${profile.id}: ${differ} profile.`,
      `row-differs, certificate ${other.id}: ${differ} alternative names.`,
    ]);
    await setCertificate(names.id, names);
    await setCertificate(profile.id, profile);
    await setCertificate(other.id, other);
    expect(await audit()).toEqual([]);
  });

  test("[PUR-11][CAL-04] finds a key that was blocked later, and one that was listed later, until the certificate is revoked", async () => {
    const [blocked, listed] = [await issued(), await issued()];
    await getDb()
      .insertInto("blockedKeys")
      .values({ keyIdentity: blocked.keyIdentity, reason: "compromised", createdAt: new Date() })
      .execute();
    const now = new Date();
    const list = { name: "leaked keys", keyCount: 1, hasDebianKeys: false, createdAt: now, updatedAt: now };
    const { id: listId } = await getDb().insertInto("keyLists").values(list).returning("id").executeTakeFirstOrThrow();
    const fingerprint = Buffer.from(listed.publicKeySha256, "hex");
    await getDb().insertInto("listedKeys").values({ fingerprint, listId }).execute();
    expect(await audit()).toEqual([
      `key, certificate ${blocked.id}: The key is blocked.`,
      `key, certificate ${listed.id}: The key is on the list 'leaked keys' of known bad keys.`,
    ]);
    await revoke(blocked);
    expect(await audit()).toEqual([
      `key, certificate ${listed.id}: The key is on the list 'leaked keys' of known bad keys.`,
    ]);
    await getDb().deleteFrom("blockedKeys").execute();
    await getDb().deleteFrom("listedKeys").execute();
    expect(await audit()).toEqual([]);
  });

  test("[PUR-11][CAL-04] finds a name that is refused today, while the certificate can be renewed, and does not repeat it", async () => {
    const { allow } = getConfig().names;
    allow.push("internal", "private-address");
    const { id, status } = await issued({ csr: makeCsr({ san: ["DNS:srv.internal", "IP:10.0.0.1"] }).der });
    expect(await audit()).toEqual([]);
    allow.length = 0;
    expect(await audit()).toEqual([
      `names, certificate ${id}: Rules for names that it breaks: Internal names, Private addresses.`,
    ]);
    await setCertificate(id, { status: "Renewed" });
    expect(await audit()).toEqual([]);
    await setCertificate(id, { status });
    allow.push("internal", "private-address");
    expect(await audit()).toEqual([]);
    allow.length = 0;
    await setCertificate(id, { status: "Renewed" });
  });

  test("[CAL-03][REV-04] finds a revoked certificate that is missing from the CRL", async () => {
    const certificate = await issued();
    await publish();
    const { crlNumber } = await getAuthority(getDb(), "issuing-sha2");
    await storeRevocation(certificate);
    // Somebody claims that the first CRL had the entry already, so no delta CRL will ever contain it.
    await setCertificate(certificate.id, { firstCrlNumber: 1 });
    expect(await audit()).toEqual([
      `missing-from-crl, certificate ${certificate.id}: It is revoked in the database, but not on the base CRL of issuing-sha2, number ${crlNumber}.`,
    ]);
    await publish();
    expect(await audit()).toEqual([]);
  });

  test("[CAL-03][REV-04] finds a revocation that was taken back in the database, on CRLs and by OCSP", async () => {
    const certificate = await issued();
    await revoke(certificate);
    const { revokedCertificateDer, status } = await getDb()
      .selectFrom("certificates")
      .select(["revokedCertificateDer", "status"])
      .where("id", "=", certificate.id)
      .executeTakeFirstOrThrow();
    await setCertificate(certificate.id, { status: "Issued" });
    const texts = await audit();
    expect(texts).toContainEqual(
      `ocsp-differs, certificate ${certificate.id}: OCSP answers 'revoked'. In the database the certificate is Issued.`,
    );
    expect(texts.join()).toContain(`surplus-on-crl, certificate ${certificate.id}: It is on the base CRL`);
    await setCertificate(certificate.id, { status, revokedCertificateDer: null });
    expect(await audit()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^revocation-incomplete, certificate ${certificate.id}: In the database the certificate is revoked, but has no entry for the CRLs\\.`,
        ),
      ),
    ]);
    await setCertificate(certificate.id, { revokedCertificateDer });
    expect(await audit()).toEqual([]);
  });

  test("[CAL-03] finds a CRL, an OCSP responder and a CA that were changed", async () => {
    const crl = await getDb()
      .selectFrom("crlFiles")
      .selectAll()
      .orderBy("crlId", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const broken = Buffer.from(crl.der);
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    await getDb().updateTable("crlFiles").set({ der: broken }).where("crlId", "=", crl.crlId).execute();
    const responder = await getDb().selectFrom("ocspResponders").selectAll().limit(1).executeTakeFirstOrThrow();
    const ofResponder = getDb().updateTable("ocspResponders").where("id", "=", responder.id);
    await ofResponder.set({ serialNumber: "7A01" }).execute();
    const ca = await getAuthority(getDb(), "issuing-g3");
    const ofCa = getDb().updateTable("authorities").where("id", "=", ca.id);
    await ofCa.set({ notAfter: addDays(new Date(), 1) }).execute();
    const texts = await audit();
    expect(texts.map((text) => text.split(",")[0])).toEqual(["authority", "crl", "responder"]);
    expect(texts[0]).toContain(
      "the certificate of issuing-g3: The database and the certificate differ in: expiry date.",
    );
    expect(texts[1]).toContain("It is not signed with the key of its CA");
    expect(texts[2]).toContain("The database and the certificate differ in: serial number.");
    await getDb().updateTable("crlFiles").set({ der: crl.der }).where("crlId", "=", crl.crlId).execute();
    await ofResponder.set({ serialNumber: responder.serialNumber }).execute();
    await ofCa.set({ notAfter: ca.notAfter }).execute();
    expect(await audit()).toEqual([]);
  });

  test.each([
    ["a revocation of yesterday", (id: number) => setCertificate(id, { updatedAt: addDays(new Date(), -1) })],
    [
      "a revocation that was published a moment ago",
      async (certificateId: number) => {
        const at = new Date(Date.now() - 1000);
        await getDb()
          .insertInto("revocationPublications")
          .values({ certificateId, askedAt: at, publishedAt: at })
          .execute();
      },
    ],
  ])("[CAL-03][REV-04] finds that the latest CRLs are gone, so that an older one lacks %s", async (_, prepare) => {
    await publish();
    const certificate = await issued();
    await revoke(certificate);
    await publish();
    await prepare(certificate.id);
    const rows = await getDb().selectFrom("crls").selectAll().orderBy("id", "desc").limit(20).execute();
    const { firstCrlNumber } = await readCertificate(certificate.id);
    const gone = rows.filter(({ number }) => number >= (firstCrlNumber ?? 0)).map(({ id }) => id);
    await getDb().deleteFrom("crls").where("id", "in", gone).execute();
    expect(await audit()).toContainEqual(
      expect.stringMatching(new RegExp(`^missing-from-crl, certificate ${certificate.id}: It is revoked`)),
    );
    await publish();
    expect(await audit()).toEqual([]);
  });
});
