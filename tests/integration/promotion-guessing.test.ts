import { expect, test } from "vitest";
import { TOO_MANY_TRIES } from "~/http/rate-limit.server";
import { usePortal } from "../support/portal";
import { jsonOf } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal({ RATE_LIMITS: "on" });

test("[PUR-07] a customer can try 60 codes in an hour, by Apply or by Next", async () => {
  const buyer = await newBuyer();
  await buyer.contact();
  const statuses: number[] = [];
  for (let index = 0; index < 60; index += 1)
    statuses.push(
      (await buyer.order({ promoCode: `GUESS${1000 + index}`, intent: index % 2 ? "next" : "apply" })).status,
    );
  expect(new Set(statuses)).toEqual(new Set([422]));
  const answer = await buyer.order({ promoCode: "GUESS2000", intent: "apply" });
  expect([answer.status, await jsonOf(answer)]).toMatchObject([429, { message: TOO_MANY_TRIES }]);
  expect((await buyer.order({ promoCode: "", intent: "apply" })).status).toBe(303);
});
