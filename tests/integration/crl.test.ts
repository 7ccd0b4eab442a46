import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { toPem } from "~/ca/pem.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishDelta, publishCrls } from "~/domain/authorities/publishing.service.server";
import {
  dropReplacedCrls,
  pruneCrls,
  renewBaseCrls,
  renewDeltaCrls,
  rootCrlWarnings,
} from "~/domain/authorities/renewal.service.server";
import { setSigner } from "~/domain/authorities/signers.server";
import { addDays, formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findCrlDer, findLatestCrl, readRevokedEntries } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { issueCertificate, setCertificate, storeRevocation } from "../support/certificates";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { file } = useOpenssl();

async function latest(name: AuthorityName, isDelta = false) {
  const { id, certificate } = await getAuthority(getDb(), name);
  const list = await findLatestCrl(getDb(), id, isDelta);
  if (!list) throw new Error(`no list of ${name}`);
  return { ...list, description: describeCrl(list.der), caFile: file("pem", toPem("CERTIFICATE", certificate)) };
}

const pemOf = async (name: AuthorityName) => toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate);
const HOUR = 3_600_000;

/** The tests travel ahead in time, one after the other. The first ones run today, and the others this many years later. */
const THIS_YEAR = new Date().getUTCFullYear();
const yearsAhead = (years: number, monthAndDay: string) => new Date(`${THIS_YEAR + years}-${monthAndDay}T00:00:00Z`);

describe("CRLs", () => {
  test("[CAL-03] base and delta CRL of one publication verify with openssl and agree under one number", async () => {
    const now = new Date();
    const old = await issueCertificate();
    await storeRevocation(old, { reason: 4, at: now });
    await publishCrls("issuing-sha2", now);
    const before = await latest("issuing-sha2");

    const fresh = await issueCertificate();
    await storeRevocation(fresh, { reason: 1, at: now });
    await publishCrls("issuing-sha2", new Date(now.getTime() + 1000));
    const base = await latest("issuing-sha2");
    const delta = await latest("issuing-sha2", true);

    expect(base.number).toBeGreaterThan(before.number);
    expect(delta).toMatchObject({ number: base.number, thisUpdate: base.thisUpdate, baseNumber: before.number });
    expect(base.description.find(old.serialNumber)?.reason).toBe(4);
    expect(base.description.find(fresh.serialNumber)?.reason).toBe(1);
    expect(delta.description.find(fresh.serialNumber)?.reason).toBe(1);
    expect(delta.description.find(old.serialNumber)).toBeNull();
    expect([base.entryCount, delta.entryCount]).toEqual([2, 1]);

    for (const { der, caFile } of [base, delta]) {
      const list = file("crl", der);
      openssl(["crl", "-inform", "DER", "-in", list, "-CAfile", caFile, "-noout", "-verify"]);
      const text = openssl(["crl", "-inform", "DER", "-in", list, "-noout", "-text"]);
      expect(text).toContain("Version 2");
      expect(text).toMatch(/X509v3 CRL Number:\s+\d+/);
      expect(text).toContain("X509v3 Authority Key Identifier");
      expect(text).toContain("Key Compromise");
    }
    const text = openssl(["crl", "-inform", "DER", "-in", file("crl", delta.der), "-noout", "-text"]);
    expect(text).toMatch(/X509v3 Delta CRL Indicator: critical\s+/);
    expect(openssl(["crl", "-inform", "DER", "-in", file("crl", base.der), "-noout", "-text"])).toContain("Superseded");
  });

  test("[CAL-03] openssl refuses a certificate that only the delta CRL has, and accepts one on neither", async () => {
    const good = await issueCertificate({ order: { hierarchy: "g3" } });
    const bad = await issueCertificate({ order: { hierarchy: "g3" } });
    const now = new Date();
    await publishCrls("issuing-g3", now);
    const base = await latest("issuing-g3");
    await storeRevocation(bad, { at: now });
    await publishDelta("issuing-g3", new Date(now.getTime() + 1000));
    const delta = await latest("issuing-g3", true);
    await publishCrls("root-g3", now, { allowRoot: true });
    const root = await latest("root-g3");

    const lists = [base, delta, root].map(({ der }) => toPem("X509 CRL", der)).join("");
    const trusted = file("pem", await pemOf("root-g3"));
    const issuing = file("pem", await pemOf("issuing-g3"));
    const options = ["-CAfile", trusted, "-untrusted", issuing, "-CRLfile", file("crl", lists), "-crl_check_all"];
    const leaf = (der: Uint8Array) => file("pem", toPem("CERTIFICATE", der));
    const verify = ["verify", ...options, "-extended_crl", "-use_deltas"];
    expect(openssl([...verify, leaf(good.der)])).toContain(": OK\n");
    expect(opensslFailure([...verify, leaf(bad.der)])).toContain("certificate revoked");
    expect(base.description.find(bad.serialNumber)).toBeNull();
  });

  test("[CAL-03] a delta CRL refers to the oldest current base, so that it serves every client", async () => {
    const now = yearsAhead(1, "01-10");
    const numbers: number[] = [];
    for (const day of [0, 3, 6]) {
      await publishCrls("issuing-sha2", addDays(now, day));
      numbers.push((await latest("issuing-sha2")).number);
    }
    await publishDelta("issuing-sha2", addDays(now, 6.5));
    expect((await latest("issuing-sha2", true)).baseNumber).toBe(numbers[0]);
    await publishDelta("issuing-sha2", addDays(now, 7.5));
    expect((await latest("issuing-sha2", true)).baseNumber).toBe(numbers[1]);
  });

  test("[CAL-03] simultaneous publishers never share a number, and the highest number has every revocation", async () => {
    const certificates = await Promise.all(
      Array.from({ length: 6 }, () => issueCertificate({ order: { hierarchy: "g3" } })),
    );
    await Promise.all(
      certificates.map(async (certificate) => {
        await storeRevocation(certificate);
        await publishCrls("issuing-g3");
        const { description } = await latest("issuing-g3");
        expect(description.find(certificate.serialNumber)).not.toBeNull();
      }),
    );
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const lists = await getDb()
      .selectFrom("crls")
      .innerJoin("crlFiles", "crlFiles.crlId", "crls.id")
      .select(["number", "isDelta", "der"])
      .where("authorityId", "=", id)
      .execute();
    const bases = lists.filter(({ isDelta }) => !isDelta).sort((a, b) => a.number - b.number);
    expect(new Set(bases.map(({ number }) => number)).size).toBe(bases.length);
    const known = bases.map(
      ({ der }) => certificates.filter(({ serialNumber }) => describeCrl(der).find(serialNumber)).length,
    );
    expect(known).toEqual([...known].sort((a, b) => a - b));
    expect(known.at(-1)).toBe(6);
  });

  test("[CAL-03] a revoked certificate stays until one base CRL after its expiry", async () => {
    const now = yearsAhead(2, "01-01");
    const certificate = await issueCertificate();
    await setCertificate(certificate.id, { expiryDate: addDays(now, 10) });
    await storeRevocation(certificate, { at: now });
    const isListed = async (day: number) => {
      await publishCrls("issuing-sha2", addDays(now, day));
      return (await latest("issuing-sha2")).description.find(certificate.serialNumber) !== null;
    };
    expect([await isListed(1), await isListed(11), await isListed(12)]).toEqual([true, true, false]);
  });

  test("[CAL-03] the jobs publish only what is missing, old or incomplete", async () => {
    const now = yearsAhead(3, "01-01");
    expect(await renewBaseCrls(now)).toBe(2);
    expect(await renewBaseCrls(now)).toBe(0);
    expect(await renewDeltaCrls(new Date(now.getTime() + HOUR - 1000))).toBe(0);
    expect(await renewDeltaCrls(new Date(now.getTime() + HOUR))).toBe(2);
    expect(await renewBaseCrls(new Date(now.getTime() + 24 * HOUR))).toBe(2);

    const certificate = await issueCertificate();
    await storeRevocation(certificate);
    setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.reject(new Error("the key store is away")) });
    const later = new Date(now.getTime() + 24 * HOUR + 1000);
    await expect(publishCrls("issuing-sha2", later)).rejects.toThrow("the key store is away");
    setSigner("issuing-sha2", null);
    expect(await renewBaseCrls(later)).toBe(1);
    expect((await latest("issuing-sha2")).description.find(certificate.serialNumber)).not.toBeNull();
    expect(await renewBaseCrls(later)).toBe(0);
  });

  test("[CAL-03] a delta CRL without a current base is published with one under the same number", async () => {
    const now = yearsAhead(3, "06-01");
    await publishCrls("issuing-sha2", now);
    const before = await latest("issuing-sha2");
    const certificate = await issueCertificate();
    await storeRevocation(certificate);
    expect(await renewDeltaCrls(addDays(now, 6))).toBe(2);
    expect((await latest("issuing-sha2")).number).toBe(before.number);

    await publishDelta("issuing-sha2", addDays(now, 8));
    const base = await latest("issuing-sha2");
    const delta = await latest("issuing-sha2", true);
    expect(base.thisUpdate).toBe(addDays(now, 8).toISOString());
    expect(base.description.find(certificate.serialNumber)).not.toBeNull();
    expect(delta).toMatchObject({ number: base.number, baseNumber: base.number });
  });

  test("[CAL-03] root CRLs expire after six months, and the portal warns in time", async () => {
    const now = yearsAhead(4, "01-01");
    await publishCrls("root", now, { allowRoot: true });
    await publishCrls("root-g3", now, { allowRoot: true });
    const root = await latest("root");
    expect(root.nextUpdate).toBe(addDays(now, 183).toISOString());
    openssl(["crl", "-inform", "DER", "-in", file("crl", root.der), "-CAfile", root.caFile, "-noout", "-verify"]);
    expect(await rootCrlWarnings(addDays(now, 150))).toEqual([]);
    const end = formatDate(root.nextUpdate);
    expect(await rootCrlWarnings(addDays(now, 160))).toEqual([
      `The CRL of 'root' ends on ${end}: run 'npm run portal -- ca publish --roots' or 'ca import-list'.`,
      `The CRL of 'root-g3' ends on ${end}: run 'npm run portal -- ca publish --roots' or 'ca import-list'.`,
    ]);
    await expect(publishCrls("root", now)).rejects.toThrow("opened by the command line only");
  });

  test("[CAL-03] the bytes of the last CRL of each day and of bases of deltas are kept; all rows are kept", async () => {
    const start = yearsAhead(4, "02-03");
    const at = (hours: number) => new Date(start.getTime() + hours * HOUR);
    const numbers: number[] = [];
    for (const hours of [1, 2, 9, 25, 26, 26.5]) {
      await publishCrls("issuing-g3", at(hours));
      numbers.push((await latest("issuing-g3")).number);
    }
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const lists = () =>
      getDb()
        .selectFrom("crls")
        .leftJoin("crlFiles", "crlFiles.crlId", "crls.id")
        .select(["crls.number", "crls.isDelta", "crlFiles.crlId"])
        .where("crls.authorityId", "=", id)
        .where("crls.number", "in", numbers)
        .execute();
    const hoursWithBytes = async (isDelta: boolean) => {
      const kept = (await lists()).filter((list) => list.isDelta === isDelta && list.crlId !== null);
      return kept.map(({ number }) => [1, 2, 9, 25, 26, 26.5][numbers.indexOf(number)]).sort((a = 0, b = 0) => a - b);
    };
    const base = (await latest("issuing-g3", true)).baseNumber;
    expect(numbers.indexOf(base ?? 0)).toBe(0); // the oldest base CRL that a client may still have

    await dropReplacedCrls(at(27.2)); // the lists of 26:30 are the latest and less than an hour old
    expect([await hoursWithBytes(false), await hoursWithBytes(true)]).toEqual([
      [1, 9, 26.5],
      [9, 26.5],
    ]);
    expect(await dropReplacedCrls(at(27.2))).toBe(0);
    expect(await lists()).toHaveLength(12);
    await publishDelta("issuing-g3", at(27.3));
    expect((await latest("issuing-g3", true)).baseNumber).toBe(base);
    await dropReplacedCrls(at(27 + 8 * 24)); // no current delta refers to it any more
    expect(await hoursWithBytes(false)).toEqual([9, 26.5]);
    expect((await latest("issuing-g3")).entryCount).toBeGreaterThanOrEqual(0);
  });

  test("[CAL-03] the bytes of CRLs of the last hour are kept", async () => {
    const start = yearsAhead(4, "03-01");
    const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
    await publishCrls("issuing-g3", start);
    await publishCrls("issuing-g3", at(1));
    const { id } = await latest("issuing-g3");
    await publishCrls("issuing-g3", at(2));
    await dropReplacedCrls(at(61));
    expect(await findCrlDer(getDb(), id)).not.toBeNull();
    await dropReplacedCrls(new Date(at(61).getTime() + 1));
    expect(await findCrlDer(getDb(), id)).toBeNull();
  });

  test("[CAL-03] pruning keeps the latest CRLs and all that expired less than 30 days ago", async () => {
    const now = yearsAhead(5, "01-01");
    await publishCrls("issuing-g3", now);
    await publishCrls("issuing-g3", addDays(now, 1));
    const { id } = await getAuthority(getDb(), "issuing-g3");
    const count = async () =>
      (await getDb().selectFrom("crls").select("id").where("authorityId", "=", id).execute()).length;
    await pruneCrls(addDays(now, 31.5));
    expect(await count()).toBe(3); // the first delta CRL has been removed
    await pruneCrls(addDays(now, 400));
    expect(await count()).toBe(2);
    expect(readFileSync((await latest("issuing-g3")).caFile, "utf8")).toContain("BEGIN CERTIFICATE");
  });

  test("[CAL-03] the database joins the bytes of entries without changing any", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const joined = Buffer.concat([bytes, bytes.toReversed()]);
    const { id: authorityId, crlNumber } = await getAuthority(getDb(), "issuing-sha2");
    const certificates = [await issueCertificate(), await issueCertificate()];
    for (const [index, { id }] of certificates.entries())
      await setCertificate(id, {
        revokedCertificateDer: joined.subarray(index * 256, (index + 1) * 256),
        firstCrlNumber: crlNumber + 1 + index,
      });
    const selection = { authorityId, above: crlNumber, upTo: crlNumber + 2, endedBefore: null };
    const read = await readRevokedEntries(getDb(), selection);
    for (const { id } of certificates) await setCertificate(id, { revokedCertificateDer: null, firstCrlNumber: null });
    expect(read.count).toBe(2);
    expect(read.entries?.toString("hex")).toBe(joined.toString("hex"));
  });
});
