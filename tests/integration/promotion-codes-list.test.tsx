import { beforeAll, describe, expect, test } from "vitest";
import { addDays } from "~/lib/dates";
import * as listPage from "~/routes/home.promotion-codes._index/route";
import { getDb } from "~db/connection.server";
import { insertPromotionCodes, redeemPromotionCode } from "~db/repositories/promotion-codes.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { createMany, listCodes, newBatch, promotionAudit, storedCodes, withdraw } from "../support/promotion-codes";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, signedInAs, type Visitor } from "../support/visitor";
import { sized } from "../support/volume";
import { buyerAtInvoice, ordersOf } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();

let staff: Visitor;
let orderId: number;
let certificateId: number;

const CREATED = new Date("2026-01-01T00:00:00Z");
const code = (name: string, given: object = {}) => ({
  code: name,
  valueCents: 5000,
  months: 12,
  createdAt: CREATED,
  ...given,
});

beforeAll(async () => {
  staff = await signedInAs(await createAdmin());
  ({ orderId, id: certificateId } = await createCertificateOrder(await createUser()));
  const now = new Date();
  await insertPromotionCodes(getDb(), [
    code("AAAUNUSED1", { validUntil: addDays(now, 2), valueCents: 100 }),
    code("BBBUNUSED2", { months: 48 }),
    code("CCCUSED123", { usedAt: now, usedByOrderId: orderId, validUntil: addDays(now, -1) }),
    code("DDDEXPIRED", { validUntil: addDays(now, -1), valueCents: 300 }),
    code("EEEWITHDR1", { withdrawnAt: now }),
    code("FFF%_1234", { createdAt: new Date("2026-02-01T00:00:00Z") }),
  ]);
});

const codesOf = ({ rows }: { rows: { code: string }[] }) => rows.map((row) => row.code);

describe("the list of promotion codes", () => {
  test("[PUR-07] shows the state of each; a used one links its order", async () => {
    const { rows } = await listCodes(staff, "?sort=code.asc");
    expect(rows.map(({ state }) => state)).toEqual(["Unused", "Unused", "Used", "Expired", "Withdrawn", "Unused"]);
    const { html } = await openPage(listPage, staff, "/home/promotion-codes?sort=code.asc");
    const rowOf = (name: string) => select(html, `tr:contains("${name}")`);
    const order = rowOf("CCCUSED123").find(`a[href="/home/certificate-queue/${certificateId}"]`);
    expect(order.text()).toBe(`SO-${orderId}`);
    expect(rowOf("AAAUNUSED1").text()).toContain("€1.00");
    expect(rowOf("AAAUNUSED1").find("span.tag.ok").text()).toBe("Unused");
    expect(rowOf("BBBUNUSED2").text()).toContain("01/01/2026");
    expect(html).toContain("1 to 6 of 6, sorted by code");
  });

  test.each([
    ["unused", ["AAAUNUSED1", "BBBUNUSED2", "FFF%_1234"]],
    ["used", ["CCCUSED123"]],
    ["expired", ["DDDEXPIRED"]],
    ["withdrawn", ["EEEWITHDR1"]],
  ])("[PUR-07] can show only codes that are %s", async (state, codes) => {
    expect(codesOf(await listCodes(staff, `?sort=code.asc&state=${state}`))).toEqual(codes);
  });

  test.each([
    ["bbb", ["BBBUNUSED2"]],
    ["unused", ["AAAUNUSED1", "BBBUNUSED2"]],
    ["%", ["FFF%_1234"]],
    ["f_f", []],
    ["' or 1=1 --", []],
    ["nothing", []],
  ])("[PUR-07] can be searched for %j", async (text, codes) => {
    expect(codesOf(await listCodes(staff, `?sort=code.asc&search=${encodeURIComponent(text)}`))).toEqual(codes);
  });

  test("[PUR-07] can be searched for the order that used a code, and says when nothing is found", async () => {
    expect(codesOf(await listCodes(staff, `?search=SO-${orderId}`))).toEqual(["CCCUSED123"]);
    expect(codesOf(await listCodes(staff, `?search=${orderId}`))).toEqual(["CCCUSED123"]);
    expect((await openPage(listPage, staff, "/home/promotion-codes?search=zzz")).html).toContain("No records found");
  });

  test("[PUR-07] is sorted by the database in both directions; codes without a last day come last, equal ones by code", async () => {
    const byCode = ["AAAUNUSED1", "BBBUNUSED2", "CCCUSED123", "DDDEXPIRED", "EEEWITHDR1", "FFF%_1234"];
    expect(codesOf(await listCodes(staff, "?sort=code.asc"))).toEqual(byCode);
    expect(codesOf(await listCodes(staff, "?sort=code.desc"))).toEqual(byCode.toReversed());
    expect(codesOf(await listCodes(staff, "?sort=value.asc")).slice(0, 2)).toEqual(["AAAUNUSED1", "DDDEXPIRED"]);
    expect(codesOf(await listCodes(staff, "?sort=months.desc"))[0]).toBe("BBBUNUSED2");
    expect(codesOf(await listCodes(staff, "?sort=validUntil.desc"))[0]).toBe("AAAUNUSED1");
    expect(codesOf(await listCodes(staff, "?sort=validUntil.asc")).slice(-3)).toEqual(
      byCode.filter((c) => /^[BEF]/.test(c)),
    );
    expect(codesOf(await listCodes(staff))[0]).toBe("FFF%_1234"); // the newest code is first
    expect(codesOf(await listCodes(staff, "?sort=password.asc"))[0]).toBe("FFF%_1234");
  });

  test("[PUR-07] can show one creation with its file, ten codes to a page; a page past the end is the last one", async () => {
    const batch = newBatch();
    await createMany(staff, { count: "12", batch });
    const place = `/home/promotion-codes?batch=${batch}`;
    const last = await listCodes(staff, `?batch=${batch}&page=99`);
    expect(last).toMatchObject({ total: 12, pages: 2, params: { page: 2 }, batch: { count: 12 } });
    expect(last.rows).toHaveLength(2);
    expect((await listCodes(staff, `?batch=${batch}&size=25`)).rows).toHaveLength(12);
    const { html } = await openPage(listPage, staff, place);
    expect(html).toContain("12 promotion codes");
    expect(select(html, `a[href="/home/promotion-codes/file/${batch}"]`).length).toBe(1);
    expect(select(html, `a[href="/home/promotion-codes?page=2&batch=${batch}"]`).length).toBeGreaterThan(0);
    expect(select(html, 'input[type="hidden"][name="batch"]').val()).toBe(batch);
  });

  test("[PUR-07] reads only the rows of its page when there are many codes", async () => {
    const createdAt = new Date("2020-01-01T00:00:00Z");
    const COUNT = sized(20_000, 100_000);
    await inTransaction(async (trx) => {
      for (let start = 0; start < COUNT; start += 4000) {
        const rows = Array.from({ length: 4000 }, (_, index) => ({
          code: `LOT${String(start + index).padStart(7, "0")}`,
          valueCents: start + index + 1,
          months: 1,
          createdAt,
        }));
        await insertPromotionCodes(trx, rows);
      }
    });
    const answer = await listCodes(staff, `?search=LOT&sort=code.desc&page=${COUNT / 10}&size=10`);
    expect(answer).toMatchObject({ total: COUNT, pages: COUNT / 10 });
    expect(codesOf(answer)).toEqual(
      Array.from({ length: 10 }, (_, index) => `LOT${String(9 - index).padStart(7, "0")}`),
    );
    expect(codesOf(await listCodes(staff, "?search=T0019999"))).toEqual(["LOT0019999"]);
  });
});

describe("withdrawing a promotion code", () => {
  const unused = async () => {
    const batch = newBatch();
    await createMany(staff, { count: "1", batch });
    return (await storedCodes(batch))[0]?.code ?? "";
  };

  test("[PUR-07] asks first, then makes the code invalid for every order and keeps the list's page", async () => {
    const name = await unused();
    const asked = await withdraw(staff, { code: name });
    expect(await jsonOf(asked)).toEqual({ asked: { code: name, intent: "withdraw" } });
    const page = await openPage(listPage, staff, "/home/promotion-codes", {
      fields: { code: name, intent: "withdraw" },
    });
    expect(page.html).toContain(
      "Are you sure you wish to withdraw this promotion code? This process cannot be reversed.",
    );
    const { pem } = makeCsr();
    const buyer = await buyerAtInvoice(pem, { promoCode: name });
    expect((await withdraw(staff, { code: name, confirmed: "yes" })).status).toBe(303);
    expect((await promotionAudit(name)).map(({ event }) => event)).toEqual(["promotion-code.withdrawn"]);
    const { errors } = await errorsOf(await buyer.invoice());
    expect(errors).toEqual({ form: `The promotion code ${name} you have entered is invalid.` });
    expect(await ordersOf(buyer.user.id)).toEqual([]);
  });

  test("[PUR-07] is refused for a used, withdrawn or unknown code, asked or confirmed", async () => {
    for (const confirmed of [undefined, "yes"]) {
      const fields: Record<string, string> = confirmed ? { confirmed } : {};
      const used = await errorsOf(await withdraw(staff, { code: "CCCUSED123", ...fields }));
      expect(used.errors).toEqual({ code: "The promotion code has already been used." });
      const again = await errorsOf(await withdraw(staff, { code: "EEEWITHDR1", ...fields }));
      expect(again.errors).toEqual({ code: "The promotion code has already been withdrawn." });
      expect((await withdraw(staff, { code: "NOSUCHCODE", ...fields })).status).toBe(404);
    }
    expect((await errorsOf(await withdraw(staff, {}))).errors).toEqual({ code: "Select a promotion code first." });
    expect(await promotionAudit("CCCUSED123")).toEqual([]);
  });

  test("[PUR-07] and using it at once: only one succeeds", async () => {
    const order = await createCertificateOrder(await createUser());
    for (let round = 0; round < 4; round += 1) {
      const name = await unused();
      const [isUsed] = await Promise.all([
        inTransaction((trx) => redeemPromotionCode(trx, name, order.orderId)),
        withdraw(staff, { code: name, confirmed: "yes" }),
      ]);
      const row = await getDb().selectFrom("promotionCodes").selectAll().where("code", "=", name).executeTakeFirst();
      expect([row?.usedAt !== null, row?.withdrawnAt !== null]).toEqual([isUsed, !isUsed]);
    }
  });

  test("[PUR-07] is for administrators only", async () => {
    const name = await unused();
    const applicant = await signedInAs(await createUser());
    expect((await withdraw(applicant, { code: name, confirmed: "yes" })).headers.get("Location")).toBe(
      "/home/dashboard",
    );
    expect(await promotionAudit(name)).toEqual([]);
  });
});
