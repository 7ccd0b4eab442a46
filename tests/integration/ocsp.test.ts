import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { findIssuer, getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { issueCertificate, setCertificate, storeRevocation } from "../support/certificates";
import { childProgram } from "../support/child-programs";
import { serveRepository } from "../support/repository-server";
import { errorOf, useOcsp } from "./ocsp-asking";
import { at, confirmed, inWholeSeconds, lists, useRevoking } from "./revoking";

const server = await serveRepository();
const { portal, issue, send } = useRevoking();
const { certificateFile, makeRequest, check, textOf } = useOcsp();

const answer = ocspResponder();
const statusesIn = (text: string) => [...text.matchAll(/Cert Status: (\w+)/g)].map(([, status]) => status);
const statusOf = async (serial: string, now = new Date(), issuer: "issuing-sha2" | "issuing-g3" = "issuing-sha2") => {
  const { der, caching } = await answer(await makeRequest([serial], { issuer }), { now });
  const text = textOf(der);
  return { text, statuses: statusesIn(text), caching };
};

describe("the answer of OCSP", () => {
  test.each(["sha2", "g3"] as const)(
    "[CAL-02] with %s is accepted by openssl: good, revoked, unknown",
    async (hierarchy) => {
      const [good, bad] = [
        await issueCertificate({ order: { hierarchy } }),
        await issueCertificate({ order: { hierarchy } }),
      ];
      await storeRevocation(bad, { reason: 4 });
      const ask = (serial: string, args: readonly string[] = []) => check(server.ocsp, serial, { hierarchy, args });
      expect(await ask(good.serialNumber)).toContain(": good");
      const revoked = await ask(bad.serialNumber);
      expect(revoked).toContain(": revoked");
      expect(revoked).toContain("Reason: superseded");
      expect(await ask("1234567890ABCDEF")).toContain(": unknown");
      const text = await ask(good.serialNumber, ["-resp_text"]);
      expect(text).toContain(hierarchy === "g3" ? "sha512WithRSAEncryption" : "sha256WithRSAEncryption");
      expect(text).toContain("OCSP No Check");
      expect(text).toContain("OCSP Nonce");
    },
  );

  test("[CAL-02] comes from the address in certificates; issuing CAs have none", async () => {
    const { der } = await issueCertificate();
    expect(describeCertificate(der).ocspUrls).toEqual([authorityUrls("issuing-sha2").ocsp]);
    expect(new URL(authorityUrls("issuing-sha2").ocsp).pathname).toBe("/ocsp");
    const { certificate } = await getAuthority(getDb(), "issuing-sha2");
    expect(describeCertificate(certificate).ocspUrls).toEqual([]);
  });

  test("[CAL-02] covers several certificates of one request in its order, by SHA-1 and SHA-256", async () => {
    const [good, bad] = [await issueCertificate(), await issueCertificate()];
    await storeRevocation(bad);
    for (const digest of ["sha1", "sha256"]) {
      const request = await makeRequest([bad.serialNumber, "77", good.serialNumber], { digest });
      expect(statusesIn(textOf((await answer(request)).der))).toEqual(["revoked", "unknown", "good"]);
    }
  });

  test("[CAL-02] is never good for a certificate that this CA has not issued", async () => {
    const g3 = await issueCertificate({ order: { hierarchy: "g3" } });
    expect((await statusOf(g3.serialNumber)).statuses).toEqual(["unknown"]);
    expect((await statusOf(g3.serialNumber, new Date(), "issuing-g3")).statuses).toEqual(["good"]);
    const recorded = await issueCertificate();
    await setCertificate(recorded.id, { der: null, status: "Pending" });
    expect((await statusOf(recorded.serialNumber)).statuses).toEqual(["unknown"]);
  });

  test("[CAL-02] covers the certificates of its responders", async () => {
    const { id } = await getAuthority(getDb(), "issuing-sha2");
    const { serialNumber } = await getDb()
      .selectFrom("ocspResponders")
      .select("serialNumber")
      .where("authorityId", "=", id)
      .executeTakeFirstOrThrow();
    expect((await statusOf(serialNumber)).statuses).toEqual(["good"]);
    expect((await statusOf(serialNumber, new Date(), "issuing-g3")).statuses).toEqual(["unknown"]);
  });

  test("[CAL-02] is unauthorized for another CA and for two CAs at once", async () => {
    const root = await makeRequest(["01"], { issuer: "root" });
    const g3 = ["-issuer", await certificateFile("issuing-g3"), "-serial", "0x02", "-no_nonce"];
    const both = await makeRequest(["01"], { args: g3 });
    for (const request of [root, both]) expect(errorOf((await answer(request)).der)).toBe(6);
  });

  test("[CAL-02] stays the same for expired certificates", async () => {
    const [good, bad] = [await issueCertificate(), await issueCertificate()];
    await storeRevocation(bad);
    const past = { startDate: addDays(new Date(), -800), expiryDate: addDays(new Date(), -70) };
    await setCertificate(good.id, { ...past, status: "Expired" });
    await setCertificate(bad.id, past);
    expect((await statusOf(good.serialNumber)).statuses).toEqual(["good"]);
    expect((await statusOf(bad.serialNumber)).statuses).toEqual(["revoked"]);
  });
});

describe("OCSP and a revocation", () => {
  test("[REV-04][CAL-03] is revoked together with the answer to the revocation, as in both CRLs", async () => {
    const { id, serialNumber } = await issue();
    expect(await check(server.ocsp, serialNumber)).toContain(": good");
    expect((await statusOf(serialNumber)).statuses).toEqual(["good"]);
    expect((await send(id, confirmed({ revocationReason: "1" }))).status).toBe(303);
    const { text, statuses } = await statusOf(serialNumber);
    expect(statuses).toEqual(["revoked"]);
    const { base, delta } = await lists();
    for (const { der } of [base, delta]) {
      const entry = describeCrl(der).find(serialNumber);
      expect(entry?.reason).toBe(1);
      expect(Date.parse(/Revocation Time: (.*)/.exec(text)?.[1] ?? "")).toBe(entry?.revocationDate.getTime());
    }
    expect(text).toContain("Revocation Reason: keyCompromise (0x1)");
    expect(await check(server.ocsp, serialNumber)).toContain(": revoked");
  });

  test("[REV-04] has no reason where the CRL has none", async () => {
    const { id, serialNumber } = await issue();
    await send(id, confirmed({ revocationReason: "0", revocationDescription: "Not needed" }));
    const { text } = await statusOf(serialNumber);
    expect(text).toContain("Cert Status: revoked");
    expect(text).not.toContain("Revocation Reason");
  });

  test("[REV-04] changes at once in other processes too, whatever they have prepared", async () => {
    const env = { ...process.env, ...portal.env };
    const other = spawn(process.execPath, [childProgram("integration/ocsp-process")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(other, "exit");
    try {
      const [port] = (await once(other.stdout, "data")) as [Buffer];
      const url = `http://127.0.0.1:${port.toString().trim()}/ocsp`;
      const byGet = async (serial: string) => {
        const path = encodeURIComponent((await makeRequest([serial])).toString("base64"));
        return statusesIn(textOf(Buffer.from(await (await fetch(`${url}/${path}`)).arrayBuffer())));
      };
      for (let round = 0; round < 3; round += 1) {
        const { id, serialNumber } = await issue();
        expect(await check(url, serialNumber, { args: ["-no_nonce"] })).toContain(": good");
        for (let time = 0; time < 3; time += 1) expect(await byGet(serialNumber)).toEqual(["good"]);
        await send(id, confirmed());
        expect(await byGet(serialNumber)).toEqual(["revoked"]);
        expect(await check(url, serialNumber, { args: ["-no_nonce"] })).toContain(": revoked");
      }
    } finally {
      other.kill();
      await ended;
    }
  });

  test("[REV-04] stays good until a scheduled revocation, and no answer outlives that time", async () => {
    const { id, serialNumber } = await issue();
    const later = inWholeSeconds(7200);
    await send(id, confirmed(at(later)));
    const now = new Date();
    const { statuses, caching } = await statusOf(serialNumber, now);
    expect(statuses).toEqual(["good"]);
    expect(caching?.nextUpdate).toEqual(later);
    expect(caching?.renewAt.getTime()).toBeLessThanOrEqual(now.getTime() + 3_600_000);
    const near = new Date(later.getTime() - 600_000);
    expect((await statusOf(serialNumber, near)).caching).toMatchObject({ nextUpdate: later, renewAt: later });
    const last = new Date(later.getTime() - 300);
    expect((await statusOf(serialNumber, last)).caching).toMatchObject({ nextUpdate: later, renewAt: later });
    const expectRevoked = async () => {
      const { text } = await statusOf(serialNumber, later);
      expect(text).toContain("Cert Status: revoked");
      expect(Date.parse(/Revocation Time: (.*)/.exec(text)?.[1] ?? "")).toBe(later.getTime());
    };
    await expectRevoked(); // before the job has run
    await carryOutDueRevocations(later);
    await expectRevoked();
  });

  test("[REV-04][REP-03] the caches keep no CRL beyond the next scheduled revocation", async () => {
    const { id } = await issue();
    await publishCrls("issuing-sha2");
    const moment = inWholeSeconds(600);
    await send(id, confirmed(at(moment)));
    const maxAge = async (name: string, now: Date) => (await readRepositoryFile(name, now))?.maxAge;
    const before = new Date(moment.getTime() - 90_000);
    for (const name of ["issuing-sha2.crl", "issuing-sha2-delta.crl"]) {
      expect(await maxAge(name, before)).toBe(90);
      expect(await maxAge(name, moment)).toBe(0);
    }
    expect(await maxAge("issuing-g3-delta.crl", before)).not.toBe(90);
    await carryOutDueRevocations(moment);
    expect(await maxAge("issuing-sha2-delta.crl", moment)).toBeGreaterThan(600);
  });
});

describe("prepared OCSP answers", () => {
  const fresh = ocspResponder();
  const signed = async (serial: string, now: Date) =>
    Buffer.from((await fresh(await makeRequest([serial]), { now })).der);

  test("[CAL-02] are used for an hour, valid for a day, and replaced when the state changes", async () => {
    const now = new Date("2027-02-01T12:00:00.700Z");
    const later = (seconds: number) => new Date(Math.floor(now.getTime() / 1000) * 1000 + seconds * 1000);
    await getDb()
      .updateTable("ocspResponders")
      .set({ notAfter: addDays(now, 20) })
      .execute();
    const certificate = await issueCertificate();
    const { serialNumber } = certificate;
    const first = await signed(serialNumber, now);
    expect((await fresh(await makeRequest([serialNumber]), { now })).caching).toMatchObject({
      thisUpdate: later(0),
      nextUpdate: later(86_400),
      renewAt: later(3600),
    });
    expect(await signed(serialNumber, later(3599))).toEqual(first);
    expect(await signed(serialNumber, later(3600))).not.toEqual(first);
    const third = await signed(serialNumber, later(3601));
    expect(await signed(serialNumber, later(3602))).toEqual(third);
    await storeRevocation(certificate);
    const fourth = await signed(serialNumber, later(3603));
    expect(statusesIn(textOf(fourth))).toEqual(["revoked"]);
    // An answer that was prepared with a clock that was ahead is not used before its time.
    expect(await signed(serialNumber, later(3602))).not.toEqual(fourth);
  });

  test("[CAL-02] never outlive their responder", async () => {
    const now = new Date();
    const end = new Date(Math.floor(now.getTime() / 1000) * 1000 + 1800_000);
    const { id } = (await findIssuer(getDb(), "g3")) ?? { id: 0 };
    await getDb().updateTable("ocspResponders").set({ notAfter: end }).where("authorityId", "=", id).execute();
    const { serialNumber } = await issueCertificate({ order: { hierarchy: "g3" } });
    const { caching } = await fresh(await makeRequest([serialNumber], { issuer: "issuing-g3" }), { now });
    expect(caching).toMatchObject({ nextUpdate: end, renewAt: end });
  });
});
