import { beforeEach, describe, expect, test } from "vitest";
import { runJob } from "~/domain/jobs/run.service.server";
import { chargeMaintenance } from "~/domain/orders/maintenance/generation.service.server";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type CodeType } from "~db/tables";
import { mailsOf } from "../support/certificates";
import { createCode } from "../support/codes";
import { createAdmin, createUser } from "../support/factories";
import { textOf } from "../support/outbox";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleOf } from "../support/sales-orders";
import { signedInAs } from "../support/visitor";

usePortal();

const NEW_YEAR = new Date("2027-01-01T00:05:00Z");
const at = (moment: string) => new Date(moment);

/** Each test has its own codes and orders, in a portal that was set up in 2025. */
beforeEach(async () => {
  for (const table of ["maintenanceOrders", "orderLines"] as const) await getDb().deleteFrom(table).execute();
  await getDb().updateTable("codes").set({ status: "Expired" }).execute();
  await getDb().deleteFrom("settings").where("name", "like", "codeMaintenance%").execute();
  await createAdmin();
  await getDb()
    .updateTable("users")
    .set({ createdAt: at("2025-06-01T00:00:00Z") })
    .execute();
});

const registered = (
  owner: Awaited<ReturnType<typeof createUser>>,
  codeType: CodeType,
  createdAt = "2025-07-01T00:00:00Z",
) => createCode(owner, { codeType, createdAt: at(createdAt) });

const ordersOf = (userId: number) =>
  getDb().selectFrom("orders").selectAll().where("userId", "=", userId).orderBy("id").execute();
const linesOf = async (userId: number) => {
  const ids = (await ordersOf(userId)).map(({ id }) => id);
  return getDb()
    .selectFrom("orderLines")
    .selectAll()
    .where("orderId", "in", [0, ...ids])
    .orderBy("id")
    .execute();
};

describe("[SAL-04] the yearly maintenance of codes", () => {
  test("[SAL-04] creates one order for each owner: a fee for each type and each begun block of sub-codes, VAT, audit entry, mail", async () => {
    const [anna, bert] = [await createUser(), await createUser({ countryId: 276 })];
    const full = await registered(anna, "Full");
    for (let count = 10; count < 61; count += 1)
      await createCode(anna, {
        codeType: "Full",
        code: full.code,
        subcode: String(count),
        parentId: full.id,
        createdAt: at("2026-03-01"),
      });
    const oftp = await registered(anna, "OFTP");
    const basic = await registered(bert, "Basic");
    await createCode(bert, {
      codeType: "Basic",
      code: basic.code,
      subcode: "A1",
      parentId: basic.id,
      createdAt: at("2026-03-01"),
    });
    expect(await chargeMaintenance(NEW_YEAR)).toEqual({ year: 2026, charged: 2, withoutAddress: 0, reason: "" });

    const [order, ...rest] = await ordersOf(anna.id);
    expect(rest).toEqual([]);
    // 200 and two blocks of 25 for the Full code with 51 sub-codes, and 50 for the OFTP code.
    expect(order).toMatchObject({
      isMaintenance: true,
      orderType: "Maintenance",
      status: "Open",
      purchaseOrderNumber: "Code maintenance 2026",
      numberOfCodes: 2,
      netCents: 30_000,
      vatCents: 6_000,
      totalCents: 36_000,
      createdAt: NEW_YEAR.toISOString(),
    });
    const lines = await linesOf(anna.id);
    expect(lines.map(({ code, costCents, discountNumMonths }) => ({ code, costCents, discountNumMonths }))).toEqual(
      [
        { code: `${full.code}00`, costCents: 25_000, discountNumMonths: 0 },
        { code: oftp.code, costCents: 5_000, discountNumMonths: 0 },
      ].sort((one, other) => (one.code < other.code ? -1 : 1)),
    );
    expect(lines.map(({ subcodes }) => (JSON.parse(subcodes) as string[]).length).sort()).toEqual([0, 51]);
    expect((await ordersOf(bert.id))[0]).toMatchObject({ netCents: 12_500, vatCents: 0 });

    const id = order?.id ?? 0;
    expect((await auditOfSale(id)).map(({ event, actorName, message }) => [event, actorName, message])).toEqual([
      ["order.created", "code-maintenance", `Order SO-${id} for the maintenance of 2 codes in 2026 made.`],
    ]);
    const [mail] = await mailsOf(id);
    expect(mail?.recipient).toBe(anna.email);
    expect(await textOf(mail)).toContain("€360.00");
  });

  test.each([
    ["2025-12-31T23:59:59Z", 0, 10_000],
    ["2026-01-01T00:00:00Z", 0, 10_000],
    ["2026-01-31T23:59:59Z", 0, 10_000],
    ["2026-02-01T00:00:00Z", 1, 9_167],
    ["2026-06-30T12:00:00Z", 5, 5_833],
    ["2026-12-31T23:59:59Z", 11, 833],
  ])("[SAL-04] of a code registered at %s is reduced by %i months", async (createdAt, discountNumMonths, costCents) => {
    const anna = await createUser();
    await registered(anna, "Basic", createdAt);
    await chargeMaintenance(NEW_YEAR);
    expect(await linesOf(anna.id)).toMatchObject([{ discountNumMonths, costCents }]);
  });

  test("[SAL-04] omits codes that were registered in the new year, were cancelled or have expired", async () => {
    const anna = await createUser();
    await registered(anna, "Basic", "2027-01-01T00:00:00Z");
    const cancelled = await registered(anna, "Full");
    await getDb().updateTable("codes").set({ status: "Cancelled" }).where("id", "=", cancelled.id).execute();
    expect(await chargeMaintenance(at("2027-01-05T00:00:00Z"))).toMatchObject({ charged: 0 });
    expect(await ordersOf(anna.id)).toEqual([]);
  });

  test("[SAL-04] repeated, simultaneous and run as a job creates one order a year", async () => {
    const anna = await createUser();
    await registered(anna, "Basic");
    const both = await Promise.all([chargeMaintenance(NEW_YEAR), chargeMaintenance(NEW_YEAR)]);
    expect(both.map(({ charged }) => charged).sort()).toEqual([0, 1]);
    expect((await runJob("code-maintenance", "test", at("2027-01-02T00:00:00Z")))?.result).toBe(
      "0 owners charged for 2026: the year was charged before",
    );
    expect(await ordersOf(anna.id)).toHaveLength(1);
    expect((await chargeMaintenance(at("2028-01-01T00:00:00Z"))).charged).toBe(1);
    expect((await ordersOf(anna.id)).map(({ purchaseOrderNumber }) => purchaseOrderNumber)).toEqual([
      "Code maintenance 2026",
      "Code maintenance 2027",
    ]);
    const { companyId } = anna;
    await expect(
      getDb().insertInto("maintenanceOrders").values({ year: 2026, companyId, orderId: 1 }).execute(),
    ).rejects.toThrow();
  });

  test("[SAL-04] after a downtime on 1 January runs later and omits codes registered since", async () => {
    const anna = await createUser();
    await registered(anna, "Basic");
    expect((await chargeMaintenance(at("2027-04-09T12:00:00Z"))).charged).toBe(1);
    await registered(await createUser(), "Basic", "2026-05-01T00:00:00Z"); // registered in the past, because it was imported later
    expect((await chargeMaintenance(at("2027-04-09T13:00:00Z"))).charged).toBe(0);
  });

  test("[SAL-04] charges no year before the portal's first one", async () => {
    await registered(await createUser(), "Full", "2019-01-01T00:00:00Z");
    const tooEarly = { charged: 0, reason: expect.stringMatching(/^the portal has accounts since \d{4}$/) as string };
    expect(await chargeMaintenance(at("2025-12-31T23:59:59Z"))).toMatchObject(tooEarly);
    expect((await chargeMaintenance(at("2026-01-01T00:00:00Z"))).charged).toBe(1);
  });

  test("[SAL-04] with a clock that ran ahead charges nobody twice and omits nobody in the right year", async () => {
    const [anna, bert] = [await createUser(), await createUser()];
    await registered(anna, "Basic");
    expect((await chargeMaintenance(at("2027-02-01T00:00:00Z"))).charged).toBe(1); // a wrong clock: the real date is in November 2026
    expect((await chargeMaintenance(at("2026-11-22T00:00:00Z"))).year).toBe(2025);
    await registered(bert, "Basic", "2026-12-01T00:00:00Z");
    expect((await chargeMaintenance(NEW_YEAR)).charged).toBe(1);
    expect(
      (await ordersOf(anna.id)).filter(({ purchaseOrderNumber }) => purchaseOrderNumber.endsWith("2026")),
    ).toHaveLength(1);
    expect((await linesOf(bert.id))[0]?.discountNumMonths).toBe(11);
  });

  test("[SAL-04] with a clock that goes back an hour over New Year charges nobody twice", async () => {
    const anna = await createUser();
    await registered(anna, "Basic", "2026-03-01T00:00:00Z");
    expect((await chargeMaintenance(NEW_YEAR)).charged).toBe(1);
    for (const moment of ["2026-12-31T23:05:00Z", "2027-01-01T00:05:00Z", "2027-01-01T01:05:00Z"])
      expect((await chargeMaintenance(at(moment))).charged).toBe(0);
    expect(await ordersOf(anna.id)).toHaveLength(1);
  });

  test("[SAL-04] charges an owner without an address once there is one, and nobody else waits", async () => {
    const [anna, bert] = [await createUser({ detailsMissing: true }), await createUser()];
    await registered(anna, "Basic");
    await registered(bert, "Basic");
    expect(await chargeMaintenance(NEW_YEAR)).toEqual({ year: 2026, charged: 1, withoutAddress: 1, reason: "" });
    const place = { userId: anna.id, company: "A", addressLine1: "1", city: "C", postalCode: "P", country: 276 };
    const { id } = await getDb().insertInto("addresses").values(place).returning("id").executeTakeFirstOrThrow();
    await updateUser(getDb(), anna.id, { companyAddressId: id });
    expect(await chargeMaintenance(at("2027-01-03T00:00:00Z"))).toEqual({
      year: 2026,
      charged: 1,
      withoutAddress: 0,
      reason: "",
    });
  });

  test("[SAL-04] stores an order completely or not at all", async () => {
    const anna = await createUser();
    await registered(anna, "Basic");
    await getDb().schema.alterTable("mails").renameTo("mails_away").execute(); // the message is stored last
    try {
      await expect(chargeMaintenance(NEW_YEAR)).rejects.toThrow();
    } finally {
      await getDb().schema.alterTable("mails_away").renameTo("mails").execute();
    }
    expect([await ordersOf(anna.id), await linesOf(anna.id)]).toEqual([[], []]);
    expect((await chargeMaintenance(NEW_YEAR)).charged).toBe(1);
  });

  test("[SAL-04] the panel Code Maintenance shows each code with type, cost and discount, and sub-codes five at a time", async () => {
    const anna = await createUser();
    const full = await registered(anna, "Full", "2026-04-10T00:00:00Z");
    for (const subcode of ["01", "02", "03", "04", "05", "0Z"])
      await createCode(anna, {
        codeType: "Full",
        code: full.code,
        subcode,
        parentId: full.id,
        createdAt: at("2026-05-01"),
      });
    const basic = await registered(anna, "Basic");
    await chargeMaintenance(NEW_YEAR);
    const id = (await ordersOf(anna.id))[0]?.id ?? 0;
    const lineId = (await linesOf(anna.id)).find(({ codeId }) => codeId === full.id)?.id ?? 0;
    const staff = await signedInAs(await createAdmin());
    const from = `${paths.salesOrders}?orderType=Maintenance`;
    const { html } = await openPage(orderPage, staff, paths.salesOrder(id, from));
    const text = pageText(html);
    expect(text).toMatch(/Code Maintenance/);
    expect(text).toMatch(
      new RegExp(`${full.code}00 Code type OSCAR Code Full Cost €168.75 Discount 3 months not charged`),
    );
    expect(text).toMatch(new RegExp(`${basic.code}00 Code type OSCAR Code Basic Cost €100.00 Sub-codes`));
    expect(text).toContain("1 to 5 of 6");
    expect(text).toContain("No records found");
    expect(text).not.toMatch(/\b0Z\b/);
    const second = await openPage(orderPage, staff, `${paths.salesOrder(id, from)}&subcodes-${lineId}=2`);
    expect(pageText(second.html)).toMatch(/\b0Z\b/);
    expect(html).toContain(`subcodes-${lineId}=2`);
    expect(html).toContain(encodeURIComponent(from).replaceAll("%20", "+"));
  });

  test("[SAL-04] the panel is not shown for any other order", async () => {
    const anna = await createUser();
    await registered(anna, "Basic");
    await chargeMaintenance(NEW_YEAR);
    const id = (await ordersOf(anna.id))[0]?.id ?? 0;
    await getDb().updateTable("orders").set({ isMaintenance: false }).where("id", "=", id).execute();
    const staff = await signedInAs(await createAdmin());
    const { html } = await openPage(orderPage, staff, paths.salesOrder(id));
    expect(html).not.toContain("Sub-codes of");
    expect((await saleOf(id)).status).toBe("Open");
  });
});
