import { expect, test } from "vitest";
import { correctionNumber, correctionTexts } from "~/domain/orders/corrections/correction";
import {
  type CorrectableOrder,
  correctableUntil,
  CORRECTIONS_PER_ORDER,
  whyNotCorrect,
} from "~/domain/orders/corrections/corrections.policy";

const codes: CorrectableOrder = {
  status: "Open",
  createdAt: "2026-11-01T09:00:00.000Z",
  totalCents: 30_000,
  firstInvoicedAt: null,
  paymentDate: null,
  certificate: null,
  made: 0,
};
const issued = { status: "Downloaded", issuedAt: "2026-11-05T09:00:00.000Z" } as const;
const at = (iso: string) => new Date(iso);

test("[SAL-07] an open order can be corrected, however old it is", () => {
  expect(whyNotCorrect(codes, at("2027-06-01T00:00:00Z"))).toBeNull();
  const pending: CorrectableOrder = { ...codes, certificate: { status: "Pending", issuedAt: null } };
  expect(whyNotCorrect(pending, at("2027-06-01T00:00:00Z"))).toBeNull();
  expect(correctableUntil(pending)).toBeNull();
});

test("[SAL-07] an order can be corrected for 30 days from the issue of its certificate, whatever its invoice says", () => {
  const order: CorrectableOrder = { ...codes, certificate: issued, firstInvoicedAt: "2026-11-20T00:00:00.000Z" };
  expect(whyNotCorrect(order, at("2026-12-05T09:00:00.000Z"))).toBeNull();
  expect(whyNotCorrect(order, at("2026-12-05T09:00:00.001Z"))).toBe(
    "An order can be corrected for 30 days from the issue of its certificate. This one could be until 05/12/2026. Contact us.",
  );
});

test("[SAL-07] an order of codes can be corrected for 30 days from its first invoice, its payment, or when it is free", () => {
  const ends = (order: Partial<CorrectableOrder>) => correctableUntil({ ...codes, ...order })?.toISOString();
  expect(ends({ firstInvoicedAt: "2026-11-10T12:00:00.000Z", paymentDate: "2026-11-20T00:00:00.000Z" })).toBe(
    "2026-12-10T12:00:00.000Z",
  );
  expect(ends({ paymentDate: "2026-11-20T00:00:00.000Z" })).toBe("2026-12-20T00:00:00.000Z");
  expect(ends({ totalCents: 0 })).toBe("2026-12-01T09:00:00.000Z");
});

test("[SAL-07] cancelled and rejected orders, and those corrected too often, are refused with the reason", () => {
  const now = at("2026-11-06T00:00:00Z");
  const cancelled = "The order was cancelled: there is nothing to correct.";
  expect(whyNotCorrect({ ...codes, status: "Cancelled" }, now)).toBe(cancelled);
  expect(whyNotCorrect({ ...codes, certificate: { status: "Cancelled", issuedAt: null } }, now)).toBe(cancelled);
  expect(whyNotCorrect({ ...codes, certificate: { status: "Rejected", issuedAt: null } }, now)).toBe(
    "The order was rejected: there is nothing to correct.",
  );
  expect(whyNotCorrect({ ...codes, made: CORRECTIONS_PER_ORDER }, now)).toBe(
    "This order was corrected 5 times, and cannot be corrected again. Contact us.",
  );
});

test("[SAL-07] a correction has a number and says each change in words", () => {
  expect(correctionNumber({ year: 2026, number: 1 })).toBe("COR-2026-0001");
  expect(correctionNumber({ year: 2026, number: 12_345 })).toBe("COR-2026-12345");
  expect(correctionTexts([{ label: "City", from: "Bath", to: "York" }])).toEqual(["City: Bath → York."]);
});
