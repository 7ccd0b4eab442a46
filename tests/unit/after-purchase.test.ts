import { expect, test } from "vitest";
import { afterPurchase } from "~/domain/orders/after-purchase";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";

test.each([
  [PURCHASE_ORDER_TYPE.code, "/home/codes"],
  [PURCHASE_ORDER_TYPE.certificate, "/home/certificates"],
  [2, "/home/dashboard"],
])("[CPO-03] a completed purchase of kind %i links back to %s", (kind, to) => {
  expect(afterPurchase(kind)).toBe(to);
});
