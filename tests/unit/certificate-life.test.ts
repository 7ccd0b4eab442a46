import { describe, expect, test } from "vitest";
import { type CertificateLife, lifeBar, lifeWords } from "~/domain/certificates/catalogue/life.policy";

const now = new Date("2026-11-22T12:00:00Z");
const life = (given: Partial<CertificateLife> = {}): CertificateLife => ({
  status: "Issued",
  startDate: "2025-12-13T00:00:00.000Z",
  expiryDate: "2026-12-13T00:00:00.000Z",
  revocationDate: null,
  reason: "",
  isIssuerRevoked: false,
  isRenewalOpen: false,
  ...given,
});

describe("[CER-06] the status of a certificate in words", () => {
  test.each<[Partial<CertificateLife>, string, string]>([
    [{}, "warn", "Valid, 21 days left"],
    [{ isRenewalOpen: true }, "warn", "Valid, renewal open, 21 days left"],
    [{ expiryDate: "2026-12-24T00:00:00.000Z" }, "ok", "Valid, 32 days left"],
    [{ expiryDate: "2026-11-23T00:00:00.000Z" }, "warn", "Valid, 1 day left"],
    [{ status: "Renewed" }, "ok", "Valid, 21 days left"],
    [{ startDate: "2026-11-23T00:00:00.000Z" }, "info", "Not yet valid, from 23/11/2026"],
    [{ expiryDate: "2026-11-22T12:00:00.000Z", isRenewalOpen: true }, "mute", "Expired since 22/11/2026, renewal open"],
    [{ status: "Expired", expiryDate: "2026-11-01T00:00:00.000Z" }, "mute", "Expired since 01/11/2026"],
    [
      { status: "Revoked", revocationDate: "2026-11-19T08:00:00.000Z", reason: "Key Compromised" },
      "bad",
      "Revoked 19/11/2026, Key Compromised",
    ],
    [{ status: "RequestRevoke", revocationDate: "2026-12-01T08:00:00.000Z" }, "warn", "To be revoked 01/12/2026"],
    [{ isIssuerRevoked: true }, "bad", "Refused by partners, its CA is revoked"],
    [{ status: "Pending", startDate: null, expiryDate: null }, "mute", "No certificate yet"],
    [{ status: "Rejected", startDate: null, expiryDate: null }, "mute", "No certificate"],
  ])("%j: %s, %s", (given, tone, text) => {
    expect(lifeWords(life(given), now)).toEqual({ tone, text });
  });
});

describe("[CER-06] the bar of a certificate", () => {
  const bar = (given: Partial<CertificateLife> = {}) => lifeBar(life(given), { renewalsFromDays: 60 }, now);

  test("has what has passed and where the renewal opens, and says the same", () => {
    expect(bar()).toEqual({
      passed: 94.4,
      renewal: 83.6,
      isSoon: true,
      text: "Valid from 13/12/2025 to 13/12/2026. 94 % of the time has passed. Renewal is open since 14/10/2026.",
    });
    expect(bar({ expiryDate: "2027-12-13T00:00:00.000Z" })).toMatchObject({
      isSoon: false,
      text: expect.stringContaining("Renewal opens on 14/10/2027.") as string,
    });
  });

  test("is full after the end, says nothing about a renewal that was made, and is missing for a revoked certificate", () => {
    expect(bar({ status: "Expired", expiryDate: "2026-11-01T00:00:00.000Z" })).toMatchObject({ passed: 100 });
    expect(bar({ status: "Renewed" })?.text).not.toContain("Renewal");
    expect(bar({ startDate: "2026-11-01T00:00:00.000Z" })?.renewal).toBeNull();
    expect(bar({ status: "Revoked" })).toBeNull();
    expect(bar({ startDate: null })).toBeNull();
  });
});
