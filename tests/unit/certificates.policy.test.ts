import { describe, expect, test } from "vitest";
import {
  orderTypeText,
  whyNotDownload,
  whyNotInvoice,
  whyNotOpen,
  whyNotRenew,
  whyNotRevoke,
  whyNotView,
} from "~/domain/certificates/certificates.policy";
import { type CertificateStatus } from "~db/tables";
import { CERTIFICATE_STATUSES } from "~db/tables/certificates";

const rules: [string, (status: CertificateStatus) => string | null, CertificateStatus[]][] = [
  ["view", whyNotView, ["Issued", "Downloaded", "Revoked", "RequestRevoke", "Expired", "Renewed"]],
  ["open", whyNotOpen, CERTIFICATE_STATUSES.filter((status) => status !== "Unknown")],
  ["download", whyNotDownload, ["Issued", "Downloaded", "Renewed"]],
  ["revoke", whyNotRevoke, ["Issued", "Downloaded", "RequestRevoke", "Renewed"]],
  ["invoice download", whyNotInvoice, ["Issued", "Downloaded", "Revoked", "RequestRevoke", "Expired", "Renewed"]],
];

describe.each(rules)("[CER-09] %s", (_name, whyNot, allowed) => {
  test.each(CERTIFICATE_STATUSES)("%s", (status) => {
    expect(whyNot(status) === null).toBe(allowed.includes(status));
    if (!allowed.includes(status)) expect(whyNot(status)).toMatch(/\.$/);
  });
});

describe("[CER-09] renew", () => {
  const window = { renewalsFromDays: 180, renewalsUntilDays: 90 };
  const expiryDate = "2028-04-03T12:00:00.000Z";
  const cases: [CertificateStatus, string, string | null, string | null][] = [
    ["Issued", "2027-10-06T11:59:59Z", expiryDate, "Renewal opens 06/10/2027"],
    ["Issued", "2027-10-06T12:00:00Z", expiryDate, null],
    ["Downloaded", "2027-10-05T00:00:00Z", expiryDate, "Renewal opens 06/10/2027"],
    ["Downloaded", "2028-04-01T00:00:00Z", expiryDate, null],
    ["Issued", "2028-04-01T00:00:00Z", "0001-01-01T00:00:00.000Z", "The certificate has no expiry date."],
    ["Issued", "2028-04-01T00:00:00Z", null, "The certificate has no expiry date."],
    ["Expired", "2028-07-02T12:00:00Z", expiryDate, null],
    ["Expired", "2028-07-02T12:00:01Z", expiryDate, "Renewal closed 02/07/2028"],
    ["Renewed", "2028-04-01T00:00:00Z", expiryDate, "The certificate has been renewed already."],
    ["Revoked", "2028-04-01T00:00:00Z", expiryDate, "The certificate has been revoked."],
    ["RequestRevoke", "2028-04-01T00:00:00Z", expiryDate, "The certificate is about to be revoked."],
    ["Pending", "2028-04-01T00:00:00Z", null, "The order is still pending: there is no certificate yet."],
    ["Cancelled", "2028-04-01T00:00:00Z", null, "The order was cancelled: there is no certificate."],
    ["Rejected", "2028-04-01T00:00:00Z", null, "The order was rejected: there is no certificate."],
    ["Unknown", "2028-04-01T00:00:00Z", null, "The state of this certificate is not known."],
  ];
  test.each(cases)("%s at %s, expiry %s: %s", (status, now, expiry, expected) => {
    expect(whyNotRenew({ status, expiryDate: expiry }, window, new Date(now))).toBe(expected);
  });

  test("a renewed certificate can be renewed only when allowRenewal is true", () => {
    const renewed = { status: "Renewed" as const, expiryDate, allowRenewal: true };
    expect(whyNotRenew(renewed, window, new Date("2028-04-01"))).toBeNull();
  });

  test("the windows come from the configuration", () => {
    const issued = { status: "Issued" as const, expiryDate };
    expect(whyNotRenew(issued, { renewalsFromDays: 30, renewalsUntilDays: 1 }, new Date("2028-03-01"))).toBe(
      "Renewal opens 04/03/2028",
    );
  });
});

test.each([
  ["Initial", null, "Initial"],
  ["Initial", 10102, "Reissue [10102]"],
  ["Renewal", 10102, "Renewal [10102]"],
  ["Renewal", null, "Renewal"],
])("[CER-04] an order of type %s after %s is shown as %s", (orderType, previous, expected) => {
  expect(orderTypeText(orderType, previous)).toBe(expected);
});
