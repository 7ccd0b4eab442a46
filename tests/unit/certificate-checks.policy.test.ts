import { describe, expect, test } from "vitest";
import { missingForApproval, waitingFor } from "~/domain/certificates/queue/checks.policy";
import { isOpenOrder, outcomeOf } from "~/domain/certificates/queue/order-decision.policy";

const at = "2026-11-21T10:00:00.000Z";
const done = { contactAnswer: "authorised", organisationCheckedAt: at, csrCheckedAt: at, emailVerifiedAt: at } as const;

describe("[MAN-03] an order can be approved only when every check is done", () => {
  test("no check is missing", () => {
    expect(missingForApproval(done)).toEqual([]);
    expect(waitingFor(done)).toEqual([]);
  });

  test.each([
    [{ contactAnswer: null }, "The authentication contact has not authorised the order."],
    [{ contactAnswer: "refused" as const }, "The authentication contact refused the order."],
    [{ organisationCheckedAt: null }, "The document that proves the organisation has not been seen."],
    [{ csrCheckedAt: null }, "The CSR has not been compared with the company."],
    [{ emailVerifiedAt: null }, "The customer's email address is not verified."],
  ])("%j", (change, expected) => {
    expect(missingForApproval({ ...done, ...change })).toEqual([expected]);
    expect(waitingFor({ ...done, ...change })).toHaveLength(1);
  });
});

test.each([
  ["Pending", null, true],
  ["Pending", Buffer.alloc(1), false],
  ["Issued", null, false],
  ["Rejected", null, false],
  ["Cancelled", null, false],
] as const)("[MAN-03] an order with status %s and %s recorded is open: %s", (status, tbsCertificate, expected) => {
  expect(isOpenOrder({ status, tbsCertificate })).toBe(expected);
  expect(outcomeOf({ status })).toMatch(/^This order has already been /);
});
