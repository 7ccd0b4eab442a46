import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import {
  getRenewalState,
  startRenewal,
  verifyExpiryDate,
} from "~/domain/certificates/succession/renewal.service.server";
import { addDays, addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findAuthority } from "~db/repositories/authorities.server";
import { checksDone, mailsOf, setCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf } from "../support/visitor";
import { issueEnding, newRenewer } from "./renewal-journey";

/**
 * A configuration in which new orders go to the other hierarchy and renewals open early, so that the tests can tell the issuers apart and
 * exceed 5 years.
 */
const dir = mkdtempSync(join(tmpdir(), "marque-renewal-"));
const config = join(dir, "portal.json");
const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as { certificates: object };
const certificates = { ...shipped.certificates, hierarchy: "g3", renewalsFromDays: 600, renewalsUntilDays: 30 };
writeFileSync(config, JSON.stringify({ ...shipped, certificates }));
afterAll(() => rmSync(dir, { recursive: true }));

usePortal({ PORTAL_CONFIG: config });
const { makeCsr } = useOpenssl();
/** Returns the CSR of a certificate that will be renewed. It has a new key each time, because a key belongs to one account. */
const oldCsr = () => makeCsr().der;

const sessionOf = async ({ id }: { id: number }): Promise<SessionUser> => {
  const user = await findSessionUser({ id, epoch: 0 });
  if (!user) throw new Error("no user");
  return user;
};

/** Changes the stored end of the issuer of sha2. */
const setIssuerEnd = (notAfter: Date | string) =>
  getDb().updateTable("authorities").set({ notAfter }).where("name", "=", "issuing-sha2").execute();

interface OrderPage {
  renewal: { terms: { years: number; issuer: string; isIssuerKept: boolean; expiryDate: string }[] };
}

describe("[REN-04] the issuer of a renewal", () => {
  const MESSAGE =
    "The total validity would exceed 5 years, which is not allowed by the certificate authority. Please select fewer years.";

  test("[REN-02] allows at most 5 years from now", async () => {
    const { renewer } = await newRenewer(oldCsr(), {}, 400);
    await renewer.contact();
    const csr = makeCsr().pem;
    await renewer.order({ csr, intent: "import" });
    const { status, errors } = await errorsOf(await renewer.order({ csr, validityPeriod: "4" }));
    expect([status, errors]).toEqual([422, { validityPeriod: MESSAGE }]);
    const answer = await renewer.order({ csr, validityPeriod: "3" });
    expect(answer.headers.get("Location")).toBe(renewer.url("invoice-address"));
  });

  test("[REN-04] is kept while it covers the new end, to the millisecond; the page and the mail say when it changes", async () => {
    const { original, renewer, user } = await newRenewer(oldCsr());
    const before = await findAuthority(getDb(), "issuing-sha2");
    const end = addYears(new Date(original.expiryDate ?? ""), 2);
    await renewer.contact();
    const termsOf = async () => {
      const { renewal } = await jsonOf<OrderPage>(await renewer.orderPage());
      return renewal.terms.map(({ issuer, isIssuerKept }) => `${issuer} ${isIssuerKept}`);
    };
    const [kept, changed] = ["Issuing CA (SHA2) true", "Issuing G3 (SHA512) false"];
    try {
      expect(await termsOf()).toEqual([kept, kept, kept, kept, kept]);
      await setIssuerEnd(end);
      expect(await termsOf()).toEqual([kept, kept, kept, changed, changed]);
      await setIssuerEnd(new Date(end.getTime() - 1));
      expect(await termsOf()).toEqual([kept, kept, changed, changed, changed]);
      await renewer.upToInvoice(makeCsr().pem, { validityPeriod: "2" });
      const { renewal } = await jsonOf<{ renewal: object }>(await renewer.invoicePage());
      expect(renewal).toMatchObject({ issuer: "Issuing G3 (SHA512)", isIssuerKept: false, endsWithIssuer: false });
      await renewer.invoice();
    } finally {
      await setIssuerEnd(before?.notAfter ?? "");
    }
    const { id, orderId, hierarchy } = await getDb()
      .selectFrom("certificates")
      .selectAll()
      .where("previousCertificateId", "=", original.id)
      .executeTakeFirstOrThrow();
    expect([hierarchy, original.hierarchy]).toEqual(["g3", "sha2"]);
    await setCertificate(id, checksDone());
    const { der } = await approveOrder(id, await sessionOf(await createAdmin()));
    const certificate = describeCertificate(der ?? Buffer.alloc(0));
    expect(certificate).toMatchObject({ endDate: end.toISOString(), signatureAlgorithm: "sha512WithRSAEncryption" });
    const text = (await mailsOf(orderId)).at(-1)?.text.replace(/\s+/g, " ");
    expect(text).toContain("this certificate has another issuer than your previous one");
    expect(user.email).toBe((await mailsOf(orderId)).at(-1)?.recipient);
  });

  test("[REN-04] never ends before the certificate", async () => {
    const { renewer } = await newRenewer(oldCsr(), { hierarchy: "g3" });
    const ends = addDays(new Date(), 200);
    await renewer.contact();
    const before = await findAuthority(getDb(), "issuing-g3");
    const setEnd = (notAfter: Date | string) =>
      getDb().updateTable("authorities").set({ notAfter }).where("name", "=", "issuing-g3").execute();
    await setEnd(ends);
    const { renewal } = await jsonOf<OrderPage>(await renewer.orderPage());
    await setEnd(before?.notAfter ?? "");
    expect(renewal.terms.slice(1).map(({ expiryDate }) => expiryDate)).toEqual(Array(4).fill(ends.toISOString()));
  });
});

describe("[REN-01] the renewal state of an order and the check of its years", () => {
  test("[REN-01] GetRenewalState returns to the owner what a renewal begins with", async () => {
    const user = await createUser();
    const given = { hasEmail: false, ssid: "O0177ABCD" };
    const { id, orderId, expiryDate } = await issueEnding(100, { customer: user, csr: oldCsr(), order: given });
    const owner = await sessionOf(user);
    expect(await getRenewalState(owner, orderId)).toMatchObject({
      orderId,
      certificateId: id,
      commonName: "oftp.acme.example",
      certificateExpiryDate: expiryDate,
      contact: { name: "Bernd Boss", country: "826" },
      usage: ["hasSecureSession", "hasEncryption", "hasFileSigning"],
      oftpid: "O0177ABCD",
    });
    expect(await startRenewal(owner, orderId)).toMatch(/^[\w-]{22}$/);
    for (const wrong of [orderId + 1_000_000, -1, 0])
      await expect(getRenewalState(owner, wrong)).rejects.toMatchObject({ status: 404 });
    const stranger = await sessionOf(await createUser());
    await expect(getRenewalState(stranger, orderId)).rejects.toMatchObject({ status: 404 });
    await expect(verifyExpiryDate(stranger, orderId, 1)).rejects.toMatchObject({ status: 404 });
    const admin = await sessionOf(await createAdmin());
    await expect(getRenewalState(admin, orderId)).rejects.toThrow("Only its owner can renew a certificate.");
    expect(await verifyExpiryDate(admin, orderId, 1)).toBe("other");
  });

  test("[REN-01] the configured window is exact to the millisecond", async () => {
    const user = await createUser();
    const { orderId, expiryDate } = await issueEnding(500, { customer: user, csr: oldCsr() });
    const owner = await sessionOf(user);
    const opens = addDays(new Date(expiryDate ?? ""), -600);
    const at = (ms: number) => getRenewalState(owner, orderId, new Date(opens.getTime() + ms));
    await expect(at(-1)).rejects.toThrow(/^Renewal opens/);
    expect((await at(0)).orderId).toBe(orderId);
  });

  test("[REN-02] verifyCertificateExpiryDate returns min, max or other at the limits", async () => {
    const user = await createUser();
    const { orderId, id } = await issueEnding(100, { customer: user, csr: oldCsr() });
    const owner = await sessionOf(user);
    await setCertificate(id, { expiryDate: new Date("2028-05-31T12:00:00Z") });
    const at = (years: number, now: Date) => verifyExpiryDate(owner, orderId, years, now);
    // Three months after 29 February is 29 May; three months after 1 March is 1 June.
    expect(await at(0, new Date("2028-02-29T23:59:59.999Z"))).toBe("other");
    expect(await at(0, new Date("2028-03-01T00:00:00.000Z"))).toBe("min");
    expect(await at(4, new Date("2027-05-31T12:00:00.000Z"))).toBe("other");
    expect(await at(4, new Date("2027-05-31T11:59:59.999Z"))).toBe("max");
    for (const years of [5, -1, 1.5, NaN, Infinity])
      await expect(at(years, new Date("2028-02-29"))).rejects.toMatchObject({ field: "years", status: 422 });
  });
});
