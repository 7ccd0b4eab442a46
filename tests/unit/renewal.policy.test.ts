import { describe, expect, test } from "vitest";
import { renewalFormSchema } from "~/domain/certificates/purchase/order-form.schema";
import { orderOf } from "~/domain/certificates/purchase/purchase.policy";
import {
  allowsRenewal,
  renewalBarrier,
  type RenewalCandidate,
  renewalExpiry,
  validityMessages,
  validityVerdict,
} from "~/domain/certificates/succession/renewal.policy";
import { addMonths, addYears } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { type CertificateStatus } from "~db/tables";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";

const at = (iso: string) => new Date(iso);

describe("[REN-04] the end of a renewed certificate", () => {
  test.each([
    ["years after the old end", "2028-04-03T12:00:00Z", 2, "2027-12-01T00:00:00Z", "2030-04-03T12:00:00Z"],
    ["0 years: the old end", "2028-04-03T12:00:00Z", 0, "2027-12-01T00:00:00Z", "2028-04-03T12:00:00Z"],
    ["a millisecond before the old end", "2028-04-03T12:00:00Z", 1, "2028-04-03T11:59:59.999Z", "2029-04-03T12:00:00Z"],
    ["at the old end", "2028-04-03T12:00:00Z", 1, "2028-04-03T12:00:00.000Z", "2029-04-03T12:00:00Z"],
    ["past it: years after now", "2028-04-03T12:00:00Z", 1, "2028-04-03T12:00:00.001Z", "2029-04-03T12:00:00.001Z"],
    ["from 29 February into a common year", "2028-02-29T08:00:00Z", 1, "2027-12-01T00:00:00Z", "2029-02-28T08:00:00Z"],
    ["from 29 February into a leap year", "2028-02-29T08:00:00Z", 4, "2027-12-01T00:00:00Z", "2032-02-29T08:00:00Z"],
    ["on 29 February, past the end", "2028-01-01T00:00:00Z", 3, "2028-02-29T23:59:59Z", "2031-02-28T23:59:59Z"],
    ["over a change of summer time", "2028-03-26T00:30:00Z", 1, "2028-03-01T00:00:00Z", "2029-03-26T00:30:00Z"],
  ])("[REN-04] %s", (_, expiry, years, now, end) => {
    expect(renewalExpiry(at(expiry), years, at(now))).toEqual(at(end));
  });
});

describe("[REN-02] the years that can be chosen", () => {
  test.each([
    ["ends in exactly 3 months", "2028-04-03T12:00:00.000Z", "2028-01-03T12:00:00.000Z", "min"],
    ["a millisecond later than that", "2028-04-03T12:00:00.001Z", "2028-01-03T12:00:00.000Z", "other"],
    ["asked a millisecond earlier", "2028-04-03T12:00:00.000Z", "2028-01-03T11:59:59.999Z", "other"],
    ["has ended", "2028-01-03T12:00:00.000Z", "2028-01-03T12:00:00.001Z", "min"],
    ["3 months from 30 November are the last of February", "2028-02-29T10:00:00Z", "2027-11-30T10:00:00Z", "min"],
    ["a second after the last of February", "2028-02-29T10:00:01Z", "2027-11-30T10:00:00Z", "other"],
    ["in a common year", "2027-02-28T10:00:00Z", "2026-11-30T10:00:00Z", "min"],
  ])("[REN-02] 0 years are possible when the certificate %s: %s at %s", (_, expiry, now, verdict) => {
    expect(validityVerdict(at(expiry), 0, at(now))).toBe(verdict);
  });

  test.each([
    ["exactly 5 years from now", "2028-06-01T00:00:00.000Z", 4, "2027-06-01T00:00:00.000Z", "other"],
    ["a millisecond more", "2028-06-01T00:00:00.001Z", 4, "2027-06-01T00:00:00.000Z", "max"],
    ["a year less", "2028-06-01T00:00:00.001Z", 3, "2027-06-01T00:00:00.000Z", "other"],
    ["asked on 29 February: the limit is 28 February", "2029-02-28T00:00:00Z", 4, "2028-02-29T00:00:00Z", "other"],
    ["29 February against that limit", "2032-02-29T00:00:00Z", 1, "2028-02-29T00:00:00Z", "other"],
    ["29 February against the 28th", "2028-02-29T00:00:00Z", 4, "2027-02-28T00:00:00Z", "max"],
    ["an expired one for 4 years", "2026-06-01T00:00:00Z", 4, "2027-06-01T00:00:00Z", "other"],
    ["0 years of one that ends in more than 5", "2033-06-01T00:00:00Z", 0, "2027-06-01T00:00:00Z", "max"],
  ])("[REN-02] the total is %s", (_, expiry, years, now, verdict) => {
    expect(validityVerdict(at(expiry), years, at(now))).toBe(verdict);
  });

  test("[REN-02] the messages are those of the specification", () => {
    expect(validityMessages.min).toBe(
      "It is not possible to select 0 years when the certificate being renewed will expire within the next 3 months.",
    );
    expect(validityMessages.max).toContain("total validity would exceed 5 years");
    expect(validityMessages.max).toMatch(/not allowed by the certificate authority.*select fewer years\.$/);
  });

  const form = { csr: "x", purchaseOrderNumber: "PO", termsAndConditionsAccepted: "on" };
  test.each([
    ["0", 0],
    ["1", 1],
    ["4", 4],
    ["5", messages.collection],
    ["-1", messages.collection],
    ["1.5", messages.collection],
    ["", messages.collection],
    [" 1", messages.collection],
    ["01", messages.collection],
    ["1e0", messages.collection],
    [undefined, messages.required],
    [["1", "2"], messages.invalid],
    ["3", validityMessages.max],
  ])("[REN-02] %j years", (validityPeriod, outcome) => {
    const { data, error } = renewalFormSchema({ "3": validityMessages.max }).safeParse({ ...form, validityPeriod });
    expect(data?.validityPeriod ?? error?.issues.map(({ message }) => message).join("|")).toBe(outcome);
  });

  test("[REN-01] usage, OFTP ID and promotion code in the form are ignored", () => {
    const details = { commonName: "a", organisation: "b", organisationUnit: "", serialNumber: "", city: "", state: "" };
    const more = { country: "DE", email: "", alternativeNames: [], keyAlgorithm: "RSA", keySize: 2048 };
    const imported = { csr: "x", details: { ...details, ...more, keyFingerprint: "aa", ssid: null, leftOut: [] } };
    const tampered = { showUsageAttributes: "on", hasEmail: "on", oftpid: "O0177EVIL", promoCode: "ABCDEFGHI" };
    const draft = { renews: 1, imported, order: { ...form, ...tampered, validityPeriod: "0" } };
    expect(orderOf(draft, { usage: ["hasEncryption"], refusals: {} })).toEqual({
      csr: "x",
      purchaseOrderNumber: "PO",
      termsAndConditionsAccepted: true,
      validityPeriod: 0,
      usage: ["hasEncryption"],
      oftpid: "",
      promoCode: "",
    });
    expect(orderOf(draft, { usage: [], refusals: { "0": validityMessages.min } })).toBeNull();
  });
});

describe("[CER-09] [REN-01] who can renew what, and when", () => {
  const window = { renewalsFromDays: 180, renewalsUntilDays: 90 };
  const owner = { companyId: 7, isApplicant: true, role: "technical" } as const;
  const candidate = (given: Partial<RenewalCandidate> = {}): RenewalCandidate => ({
    id: 1001,
    companyId: 7,
    status: "Issued",
    expiryDate: "2028-04-03T12:00:00.000Z",
    successors: [],
    ...given,
  });
  const renewal = (status: CertificateStatus) => ({
    id: 1002,
    orderId: 1002,
    previousCertificateId: 1001,
    orderType: "Renewal" as const,
    isCorrection: false,
    status,
  });
  const now = at("2028-01-01T00:00:00Z");

  test.each<[string, CertificateStatus, string | null]>([
    ["2027-10-06T11:59:59.999Z", "Issued", "Renewal opens 06/10/2027"],
    ["2027-10-06T12:00:00.000Z", "Issued", null],
    ["2027-10-06T11:59:59.999Z", "Downloaded", "Renewal opens 06/10/2027"],
    ["2027-10-06T12:00:00.000Z", "Downloaded", null],
    ["2028-07-02T12:00:00.000Z", "Expired", null],
    ["2028-07-02T12:00:00.001Z", "Expired", "Renewal closed 02/07/2028"],
  ])("[CER-09] the window is exact to the millisecond: %s, %s", (moment, status, barrier) => {
    expect(renewalBarrier(owner, candidate({ status }), window, at(moment))).toBe(barrier);
  });

  test("[REN-01] only an applicant who owns the certificate can renew it", () => {
    expect(renewalBarrier({ ...owner, companyId: 8 }, candidate(), window, now)).toMatch(/^Only its owner/);
    expect(renewalBarrier({ ...owner, isApplicant: false }, candidate(), window, now)).toMatch(/^Only applicants/);
    expect(renewalBarrier(owner, candidate(), window, now)).toBeNull();
    expect(renewalBarrier({ ...owner, role: "reader" }, candidate(), window, now)).toBe(
      "You need the role Owner, Purchaser or Technical in your company for this.",
    );
  });

  test("[REN-01] a pending renewal prevents another; a replacement or an ended renewal does not", () => {
    const pending = candidate({ successors: [renewal("Pending")] });
    expect(renewalBarrier(owner, pending, window, now)).toBe(
      "Order SO-1002 for its renewal is pending. Cancel that order to begin another one.",
    );
    for (const status of ["Cancelled", "Rejected"] as const)
      expect(renewalBarrier(owner, candidate({ successors: [renewal(status)] }), window, now)).toBeNull();
    const reissue = { ...renewal("Pending"), orderType: "Initial" as const };
    expect(renewalBarrier(owner, candidate({ successors: [reissue] }), window, now)).toBeNull();
  });

  test("[REN-05] a correction that is pending or issued prevents a renewal; one that ended does not", () => {
    const barrier = (status: CertificateStatus) => {
      const correction = { ...renewal(status), orderType: "Initial" as const, isCorrection: true };
      return renewalBarrier(owner, candidate({ successors: [correction] }), window, now);
    };
    expect(barrier("Pending")).toBe(
      "Order SO-1002 corrects this certificate and is pending. Renew the certificate that comes of it, or cancel that order first.",
    );
    expect(barrier("Downloaded")).toBe("Certificate 1002 corrects this one: renew that one.");
    for (const status of ["Cancelled", "Rejected", "Revoked"] as const) expect(barrier(status)).toBeNull();
  });

  test.each(CERTIFICATE_STATUSES)(
    "[CER-09] a renewed certificate whose renewal is %s: again only when that was revoked",
    (status) => {
      const renewed = candidate({ status: "Renewed", successors: [renewal(status)] });
      expect(allowsRenewal(renewed, window, now)).toBe(status === "Revoked");
      expect(renewalBarrier(owner, renewed, window, now)).toBe(
        status === "Revoked" ? null : "The certificate has been renewed already.",
      );
    },
  );

  test("[CER-09] a renewed certificate can be renewed in its window when all its renewals were revoked and there is at least one", () => {
    const of = (...statuses: CertificateStatus[]) =>
      candidate({ status: "Renewed", successors: statuses.map(renewal) });
    expect(allowsRenewal(of(), window, now)).toBe(false);
    expect(allowsRenewal(of("Revoked", "Issued"), window, now)).toBe(false);
    expect(allowsRenewal(of("Revoked", "Cancelled"), window, now)).toBe(true);
    expect(allowsRenewal(of("Revoked"), window, at("2028-07-02T12:00:00.000Z"))).toBe(true);
    expect(allowsRenewal(of("Revoked"), window, at("2028-07-02T12:00:00.001Z"))).toBe(false);
    expect(renewalBarrier(owner, of("Revoked", "Pending"), window, now)).toMatch(/^Order SO-1002/);
  });
});

describe("[REN-04] months and years of the calendar", () => {
  test.each([
    ["2027-01-31T10:00:00.000Z", 1, "2027-02-28T10:00:00.000Z"],
    ["2028-01-31T10:00:00.000Z", 1, "2028-02-29T10:00:00.000Z"],
    ["2027-10-31T23:59:59.999Z", 1, "2027-11-30T23:59:59.999Z"],
    ["2027-12-15T00:00:00.000Z", 3, "2028-03-15T00:00:00.000Z"],
    ["2028-02-29T00:00:00.000Z", 12, "2029-02-28T00:00:00.000Z"],
  ])("[REN-04] %s and %i months", (from, months, to) => {
    expect(addMonths(at(from), months)).toEqual(at(to));
  });

  test("[REN-04] a year is twelve months", () => {
    expect(addYears(at("2028-02-29T00:00:00Z"), 1)).toEqual(at("2029-02-28T00:00:00Z"));
    expect(addYears(at("2028-02-29T00:00:00Z"), 0)).toEqual(at("2028-02-29T00:00:00Z"));
  });
});
