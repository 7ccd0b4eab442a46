import { describe, expect, test } from "vitest";
import { addDays } from "~/lib/dates";
import { rarePaths } from "~/lib/rare-paths";
import * as lookUpRoute from "~/routes/home.certificate.purchase_.promotion";
import { getDb } from "~db/connection.server";
import { findPromotionCode, insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { invoicePage, newBuyer, ordersOf, secondWindow, type Buyer } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const { pem: csr } = makeCsr();

let count = 0;
async function newCode(given: { valueCents?: number; months?: number; validUntil?: Date; usedAt?: Date } = {}) {
  const code = `PROMO${String((count += 1)).padStart(4, "0")}`;
  await insertPromotionCodes(getDb(), [{ code, valueCents: 5000, months: 12, createdAt: new Date(), ...given }]);
  return code;
}

interface Page {
  promotion: { code: string; valueCents: number } | null;
}

async function buyerAtOrder(): Promise<Buyer> {
  const buyer = await newBuyer();
  await buyer.contact();
  await buyer.order({ csr, intent: "import" });
  return buyer;
}

const applying = async (buyer: Buyer, promoCode: string, validityPeriod = "1") =>
  buyer.order({ csr, promoCode, validityPeriod, intent: "apply" });
const promotionOf = async (buyer: Buyer) => (await jsonOf<Page>(await buyer.orderPage())).promotion;

describe("[PUR-07] promotion codes", () => {
  test("[PUR-07] are looked up by Apply, and the page shows the discount", async () => {
    const buyer = await buyerAtOrder();
    const code = await newCode();
    expect((await applying(buyer, ` ${code} `)).headers.get("Location")).toBe(buyer.url("order"));
    expect(await promotionOf(buyer)).toMatchObject({ code, valueCents: 5000 });
    await buyer.order({ csr, promoCode: code, validityPeriod: "1" });
    expect((await invoicePage(buyer)).price).toEqual({ priceCents: 29_000, discountCents: 5000, netCents: 24_000 });
  });

  test("[PUR-07] are found in lower case too", async () => {
    const buyer = await buyerAtOrder();
    expect((await applying(buyer, (await newCode()).toLowerCase())).status).toBe(303);
  });

  test("[PUR-07] when cleared remove the discount", async () => {
    const buyer = await buyerAtOrder();
    await applying(buyer, await newCode());
    expect((await applying(buyer, "")).status).toBe(303);
    expect(await promotionOf(buyer)).toBeNull();
  });

  test.each(["A", "12345678", "12345678901"])(
    "[PUR-07] such as %s without 9 or 10 characters are refused",
    async (promoCode) => {
      const buyer = await buyerAtOrder();
      const message = "Promotion codes must be 9 or 10 characters in length.";
      for (const intent of ["next", "apply"])
        expect((await errorsOf(await buyer.order({ csr, promoCode, intent }))).errors).toEqual({ promoCode: message });
      expect(await promotionOf(buyer)).toBeNull();
    },
  );

  async function refusals(promoCode: string, validityPeriod = "1") {
    const buyer = await buyerAtOrder();
    const answers = [
      await errorsOf(await applying(buyer, promoCode, validityPeriod)),
      await errorsOf(await buyer.order({ csr, promoCode, validityPeriod })),
    ];
    return [...new Set(answers.map(({ errors }) => JSON.stringify(errors)))].map((text) => JSON.parse(text) as object);
  }

  test("[PUR-07] that are unknown or past their last day are refused", async () => {
    expect(await refusals("UNKNOWN12")).toEqual([
      { promoCode: "The promotion code UNKNOWN12 you have entered is invalid." },
    ]);
    const late = await newCode({ validUntil: addDays(new Date(), -1) });
    expect(await refusals(late)).toEqual([{ promoCode: `The promotion code ${late} you have entered is invalid.` }]);
  });

  test("[PUR-07] that were used are refused", async () => {
    const used = await newCode({ usedAt: new Date() });
    expect(await refusals(used)).toEqual([
      { promoCode: `The promotion code ${used} you have entered has already been used.` },
    ]);
  });

  test("[PUR-07] for a longer period are refused until that period is chosen", async () => {
    const code = await newCode({ months: 24 });
    expect(await refusals(code)).toEqual([
      {
        promoCode: `This promotion code ${code} exceeds the duration of the certificate. Please increase the validity period.`,
      },
    ]);
    expect((await applying(await buyerAtOrder(), code, "2")).status).toBe(303);
  });

  const lookedUp = async (code: string) =>
    jsonOf(await run(lookUpRoute.loader, (await newBuyer()).visitor.get(rarePaths.promotionLookUp(code))));

  test("[PUR-07] are looked up while they are typed: the discount of each period, or why there is none", async () => {
    const [code, used] = [await newCode({ months: 24 }), await newCode({ usedAt: new Date() })];
    expect(await lookedUp(code.toLowerCase())).toEqual({
      promotion: { code, valueCents: 5000, months: 24 },
      problem: null,
    });
    const problems = {
      [used]: `The promotion code ${used} you have entered has already been used.`,
      UNKNOWN12: "The promotion code UNKNOWN12 you have entered is invalid.",
      "12345678": "Promotion codes must be 9 or 10 characters in length.",
    };
    for (const [typed, problem] of Object.entries(problems))
      expect(await lookedUp(typed)).toEqual({ promotion: null, problem });
  });

  test("[PUR-07] with a discount above the price make it 0 and are used up with the order", async () => {
    const code = await newCode({ valueCents: 99_999 });
    const buyer = await (await newBuyer()).upToInvoice(csr, { promoCode: code, validityPeriod: "1" });
    expect((await buyer.invoice()).status).toBe(303);
    const [order] = await ordersOf(buyer.user.id);
    expect(order).toMatchObject({ priceCents: 29_000, discountCents: 29_000, netCents: 0, totalCents: 0 });
    expect(await findPromotionCode(getDb(), code)).toMatchObject({ usedByOrderId: order?.id });
  });

  test("[PUR-07] in two orders at once are accepted once, and the other draft stays", async () => {
    const code = await newCode();
    const first = await (await newBuyer()).upToInvoice(csr, { promoCode: code });
    const second = await (await secondWindow(first)).upToInvoice(csr, { promoCode: code });
    const answers = await Promise.all([first.invoice(), second.invoice()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(await ordersOf(first.user.id)).toHaveLength(1);
    const refused = answers.find(({ status }) => status === 422);
    const loser = refused === answers[0] ? first : second;
    const message = `The promotion code ${code} you have entered has already been used.`;
    expect(refused && (await errorsOf(refused)).errors).toEqual({ form: message });
    expect(await invoicePage(loser)).toMatchObject({ promotionProblem: message, price: { discountCents: 0 } });
  });
});
