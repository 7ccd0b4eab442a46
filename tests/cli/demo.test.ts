import { beforeAll, describe, expect, test } from "vitest";
import { createFirstAdministrator } from "~/domain/accounts/administration/administrators.service.server";
import { login } from "~/domain/accounts/login.service.server";
import { getDb } from "~db/connection.server";
import { type CommandRun, runCommand } from "../support/command";
import { usePortal } from "../support/portal";

const portal = usePortal();

describe("portal demo", () => {
  let first: CommandRun;
  beforeAll(async () => {
    const early = await runCommand(["demo"], portal.env);
    expect([early.code, early.err]).toEqual([
      1,
      expect.stringContaining("The first start is not finished. Run 'npm start'"),
    ]);
    expect(await getDb().selectFrom("users").select("id").execute()).toEqual([]);
    expect(await createFirstAdministrator(true)).toMatchObject({ email: "admin@example.org" });
    first = await runCommand(["demo"], portal.env);
  });

  test("[CER-01] a trial portal gets certificates in every state", async () => {
    expect(first).toMatchObject({ code: 0, err: "" });
    const rows = await getDb().selectFrom("certificates").select(["status", "der"]).execute();
    expect(new Set(rows.map(({ status }) => status))).toEqual(
      new Set([
        "Pending",
        "Issued",
        "Downloaded",
        "Renewed",
        "Revoked",
        "RequestRevoke",
        "Expired",
        "Rejected",
        "Cancelled",
      ]),
    );
    const unissued = ["Pending", "Rejected", "Cancelled"];
    for (const { status, der } of rows) expect(der === null).toBe(unissued.includes(status));
  });

  test("[MAN-03] [CER-06] standing authorisations, tags, and an order on which staff work are created", async () => {
    const standing = await getDb().selectFrom("standingAuthorisations").select("approvedAt").orderBy("id").execute();
    expect(standing.map(({ approvedAt }) => approvedAt !== null)).toEqual([true, false]);
    const tags = await getDb().selectFrom("certificateTags").select("tag").orderBy("tag").execute();
    expect(tags.map(({ tag }) => tag)).toEqual(["Plant 1", "Plant 1", "Production", "Test"]);
    for (const table of ["orderComments", "checkEvidence"] as const)
      expect(await getDb().selectFrom(table).select("id").execute()).toHaveLength(1);
  });

  test("[COD-01] codes of every type and status, codes to register, and paid and unpaid orders are created", async () => {
    const codes = await getDb().selectFrom("codes").select(["codeType", "status"]).execute();
    expect(new Set(codes.map(({ codeType }) => codeType))).toEqual(new Set(["Full", "Basic", "OFTP"]));
    expect(new Set(codes.map(({ status }) => status))).toEqual(new Set(["Registered", "Cancelled", "Expired"]));
    const orders = await getDb().selectFrom("orders").select("status").where("purchaseOrderType", "=", 0).execute();
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(["Open", "Paid"]));
    const { count } = await getDb()
      .selectFrom("orders")
      .innerJoin("invoices", "invoices.orderId", "orders.id")
      .where("orders.status", "=", "Paid")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBeGreaterThan(3);
    expect(await getDb().selectFrom("maintenanceOrders").select("orderId").execute()).toHaveLength(1);
    const available = await getDb().selectFrom("availableCodes").select("quantity").execute();
    expect(available.length).toBeGreaterThan(0);
  });

  test("[LOG-01] every listed user can log in with the printed password", async () => {
    const password = /with the password (\S+)/.exec(first.out)?.[1] ?? "";
    const people = [...first.out.matchAll(/^ {2}(\S+@\S+\.example), /gm)].map(([, email]) => email ?? "");
    expect(people).toHaveLength(13);
    for (const email of people) {
      const account = await getDb().selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
      expect(await login(email, password)).toMatchObject({ id: account?.id });
    }
  });

  test("[CAL-01] nothing is created where customers exist or messages would be sent", async () => {
    const again = await runCommand(["demo"], portal.env);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain("There are customers already");
    const sending = await runCommand(["demo"], { ...portal.env, SMTP_URL: "smtp://mail.example:25" });
    expect(sending.err).toContain("SMTP_URL is set");
    const real = { PUBLIC_URL: "https://portal.example.org", TRUST_PROXY: "1" };
    expect((await runCommand(["demo"], { ...portal.env, ...real })).err).toContain("PUBLIC_URL is an https address");
  });
});
