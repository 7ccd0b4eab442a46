import { describe, expect, test, vi } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { renewBaseCrls } from "~/domain/authorities/renewal.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { getDb } from "~db/connection.server";
import { isKeyBlocked, lockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { auditEventsOf, mailsOf, readCertificate } from "../support/certificates";
import { untilOthersWait } from "../support/lock-waits";
import { openssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { at, confirmed, inSeconds, inWholeSeconds, kindsOf, lists, toastOf, useRevoking } from "./revoking";

const { people, issue, send, verifyWithLists } = useRevoking();

describe("revoking a certificate now", () => {
  test("[REV-03][REV-04][CAL-03] changes openssl's result from good to revoked with the answer", async () => {
    const { id, der, serialNumber, orderId } = await issue();
    await publishCrls("issuing-sha2");
    expect(await verifyWithLists(der)).toContain(": OK\n");

    const answer = await send(id, confirmed({ revocationReason: "4", revocationDescription: "Replaced" }));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    expect(await toastOf(answer)).toEqual({ kind: "ok", text: "The certificate has been revoked successfully." });
    expect(await verifyWithLists(der)).toContain("certificate revoked");

    const row = await readCertificate(id);
    expect(row).toMatchObject({
      status: "Revoked",
      revocationReason: 4,
      revocationDescription: "Replaced",
      revokedBy: people.customer.id,
    });
    const { base, delta } = await lists();
    for (const list of [base, delta]) expect(describeCrl(list.der).find(serialNumber)).toMatchObject({ reason: 4 });
    const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], delta.der);
    expect(text).toMatch(/Delta CRL Indicator: critical/);
    expect(text).toContain("Superseded");
    expect(await auditEventsOf(id)).toContain("certificate.revoked");
    const mails = (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith("certificate-revoked"));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.sentAt).not.toBeNull();
    expect(await textOf(mails[0])).toContain("Superseded");
  });

  test("[REV-04] answers without waiting for other messages of the order, such as its invoice", async () => {
    const { id, orderId } = await issue();
    const waiting = async () =>
      (await mailsOf(orderId)).filter(({ sentAt }) => sentAt === null).map(({ dedupeKey }) => dedupeKey);
    const before = await waiting();
    expect(before).toContain(`certificate-issued:${id}`);
    await send(id, confirmed());
    expect(await waiting()).toEqual(before);
    const confirmation = (await mailsOf(orderId)).find(({ dedupeKey }) => dedupeKey === `certificate-revoked:${id}`);
    expect(confirmation?.sentAt).not.toBeNull();
  });

  test("[REV-04] for the reason Unspecified omits the extension", async () => {
    const { id, serialNumber } = await issue();
    await send(id, confirmed({ revocationReason: "0", revocationDescription: "Not needed" }));
    const { base } = await lists();
    expect(describeCrl(base.der).find(serialNumber)).toMatchObject({ reason: 0, invalidityDate: null });
    const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], base.der);
    expect(text.split(`Serial Number: ${serialNumber}`)[1]?.split("Serial Number")[0]).not.toContain("Reason Code");
  });

  test("[REV-04] for a past time makes it the invalidity date", async () => {
    const { id, serialNumber } = await issue();
    const past = inWholeSeconds(-100);
    expect((await send(id, confirmed(at(past)))).status).toBe(303);
    const row = await readCertificate(id);
    expect(row.invalidityDate).toBe(past.toISOString());
    expect(Date.parse(row.revocationDate ?? "")).toBeGreaterThan(past.getTime());
    const entry = describeCrl((await lists()).base.der).find(serialNumber);
    expect(entry?.invalidityDate).toEqual(past);
  });

  test("[REV-04][PUR-11] for a compromised key blocks it for ever; other reasons block nothing", async () => {
    const [compromised, superseded] = [await issue(), await issue()];
    await send(compromised.id, confirmed({ revocationReason: "1" }));
    await send(superseded.id, confirmed({ revocationReason: "4" }));
    expect(await isKeyBlocked(getDb(), compromised.keyIdentity)).toBe(true);
    expect(await isKeyBlocked(getDb(), superseded.keyIdentity)).toBe(false);
  });

  test("[REV-04][CAL-04] waits for another transaction that decides about its key", async () => {
    const { id, keyIdentity } = await issue();
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const deciding = inTransaction(async (trx) => {
      await lockKey(trx, keyIdentity);
      locked();
      await untilOthersWait();
      return isKeyBlocked(trx, keyIdentity);
    });
    await isLocked;
    const answer = await send(id, confirmed({ revocationReason: "1" }));
    expect([await deciding, answer.status]).toEqual([false, 303]);
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });

  test("[REV-03] sent again while its CRLs have a number but are not stored waits for them", async () => {
    const { id, der } = await issue();
    const fields = confirmed();
    await send(id, fields);
    const { base } = await lists();
    await getDb().deleteFrom("crls").where("number", "=", base.number).execute();
    expect(await verifyWithLists(der)).not.toContain("certificate revoked");
    expect((await send(id, fields)).status).toBe(303);
    expect(await verifyWithLists(der)).toContain("certificate revoked");
    expect((await lists()).delta.number).toBe((await lists()).base.number);
  });

  test("[REV-03] is irreversible and guarded against a double submit", async () => {
    const { id, orderId, der } = await issue();
    const fields = confirmed({ revocationDescription: "Replaced" });
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const answer = await send(id, fields);
        expect(await verifyWithLists(der)).toContain("certificate revoked");
        return answer;
      }),
    );
    const first = await readCertificate(id);
    const { base } = await lists();
    expect(await kindsOf(answers)).not.toContain("bad");
    const again = await send(id, fields);
    expect([again.status, await toastOf(again)]).toEqual([
      303,
      { kind: "ok", text: "The certificate has been revoked successfully." },
    ]);
    expect((await lists()).base.number).toBe(base.number);
    const later = inSeconds(60);
    const openedLater = { ...at(later), loadedAt: later.toISOString() };
    const others = [{ revocationReason: "1" }, { revocationDescription: "Lost" }, openedLater];
    const refusals = [
      ...(await Promise.all(others.map((change) => send(id, { ...fields, ...change })))),
      await send(id, fields, people.admin.visitor),
    ];
    for (const answer of refusals)
      expect(await toastOf(answer)).toEqual({
        kind: "bad",
        text: "There was an issue while revoking the certificate. The certificate has been revoked. Your request changed nothing.",
      });
    expect(await readCertificate(id)).toMatchObject({ revocationReason: 4, revocationDate: first.revocationDate });
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.revoked")).toHaveLength(1);
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
  });

  test("[REV-03] is possible for an administrator, and the customer is told", async () => {
    const { id, orderId } = await issue();
    expect((await send(id, confirmed(), people.admin.visitor)).status).toBe(303);
    expect((await readCertificate(id)).status).toBe("Revoked");
    expect((await mailsOf(orderId)).every(({ recipient }) => recipient === people.customer.email)).toBe(true);
  });
});

describe("a revocation that succeeds with an error", () => {
  test("[REV-03] warns when CRLs cannot be published, and they are published later", async () => {
    const { id, serialNumber } = await issue();
    const { hash } = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash, sign: () => Promise.reject(new Error("the key store is away")) });
    const answer = await send(id, confirmed());
    setSigner("issuing-sha2", null);
    expect(answer.headers.get("Location")).toBe("/home/certificates");
    expect(await toastOf(answer)).toEqual({
      kind: "warn",
      text: "There was an issue while revoking the certificate. The certificate is revoked, but the revocation lists could not be published yet. This is tried again.",
    });
    expect((await readCertificate(id)).status).toBe("Revoked");
    expect(describeCrl((await lists()).base.der).find(serialNumber)).toBeNull();
    await renewBaseCrls();
    expect(describeCrl((await lists()).base.der).find(serialNumber)).toMatchObject({ reason: 4 });
  });

  test("[REV-03] warns when the confirmation cannot be sent, and the mail stays queued", async () => {
    const { id, orderId } = await issue();
    const transport = await import("~/domain/mail/transport.server");
    const broken = vi
      .spyOn(transport, "configuredTransport")
      .mockReturnValue({ send: () => Promise.reject(new Error("down")) });
    const answer = await send(id, confirmed());
    broken.mockRestore();
    expect(await toastOf(answer)).toEqual({
      kind: "warn",
      text: "There was an issue while revoking the certificate. The certificate is revoked, but the confirmation email could not be sent yet. This is tried again.",
    });
    expect((await readCertificate(id)).status).toBe("Revoked");
    const queued = (await mailsOf(orderId)).find(({ dedupeKey }) => dedupeKey === `certificate-revoked:${id}`);
    expect(queued?.sentAt).toBeNull();
  });
});
