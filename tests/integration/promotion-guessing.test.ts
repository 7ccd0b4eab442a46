import { expect, test } from "vitest";
import { rarePaths } from "~/lib/rare-paths";
import * as lookUpRoute from "~/routes/home.certificate.purchase_.promotion";
import { getDb } from "~db/connection.server";
import { insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { apiClientOf } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal({ RATE_LIMITS: "on" });

test("[PUR-07] a customer can try 60 codes an hour in all, by Apply, Next, typing or JSON calls", async () => {
  const buyer = await newBuyer();
  await buyer.contact();
  const typing = (code: string) => run(lookUpRoute.loader, buyer.visitor.get(rarePaths.promotionLookUp(code)));
  const ways = [
    (promoCode: string) => buyer.order({ promoCode, intent: "apply" }),
    (promoCode: string) => buyer.order({ promoCode, intent: "next" }),
    typing,
  ];
  const statuses: (number | undefined)[] = [];
  for (let index = 0; index < 60; index += 1)
    statuses.push((await ways[index % ways.length]?.(`GUESS${1000 + index}`))?.status);
  expect(new Set(statuses)).toEqual(new Set([422, 200]));
  expect((await typing("GUESS2000")).status).toBe(429);
  const answer = await buyer.order({ promoCode: "GUESS2000", intent: "apply" });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  const { errors, values } = await errorsOf(answer);
  expect(errors.promoCode).toContain("at most 60 promotion codes by one account within 60 minutes.");
  expect(values.promoCode).toBe("GUESS2000");
  expect((await buyer.order({ promoCode: "", intent: "apply" })).status).toBe(303);

  const program = await apiClientOf(buyer.user.email, TEST_PASSWORD);
  const limited = { status: 429, code: "rate-limit" };
  expect(await program.get("certificates/GetDiscountByPromoCode", { promoCode: "GUESS2000" })).toMatchObject(limited);
  expect(await complete(program, orderBody("a CSR", { order: { promoCode: "GUESS2000" } }))).toMatchObject(limited);
  expect(await complete(program, orderBody("a CSR"))).toMatchObject({ status: 422 });
});

test("[PUR-07] the order page shows the price of a saved code only when the try was counted, whatever button saved it", async () => {
  await insertPromotionCodes(getDb(), [{ code: "SECRETCODE", valueCents: 5000, months: 12, createdAt: new Date() }]);
  const buyer = await newBuyer();
  await buyer.contact();
  const shown = async () => jsonOf<{ promotion: unknown; values: { promoCode: string } }>(await buyer.orderPage());
  for (let index = 0; index < 60; index += 1)
    await buyer.order({ promoCode: `GUESS${1000 + index}`, intent: "update" });
  for (const intent of ["update", "import", "apply", "next"])
    expect([intent, (await buyer.order({ promoCode: "SECRETCODE", intent })).status]).toEqual([intent, 429]);
  expect((await buyer.order({ promoCode: "SECRETCODE", intent: "back" })).status).toBe(303);
  expect(await shown()).toMatchObject({ promotion: null, values: { promoCode: "GUESS1059" } });
  expect((await buyer.order({ promoCode: "GUESS1059", intent: "update" })).status).toBe(303); // the same code is counted once
});
