import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Migrator, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clearMemoized } from "~/lib/memoize.server";
import { closeDb, type DbConnection, getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { migrations } from "~migrations/index";
import { makeDemo } from "../../cli/demo/make-demo";
import { createUser } from "../support/factories";
import { ADDRESS, importFile, newPerson, useImportFiles } from "../support/import-file";
import { readRows } from "../support/landing";
import { usePortal } from "../support/portal";
import { onServer } from "../support/postgres-client";

const ACCOUNTS = 1000;

const portal = usePortal();
const { csv } = useImportFiles();
const isPostgres = process.env.TEST_DATABASE === "postgres";

type Row = Record<string, unknown>;
type Rows = Record<string, Row[]>;

const countsOf = (rows: Rows) => Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]));
const byId = (rows: readonly Row[] = []) => new Map(rows.map((row) => [row.id, row]));

/** Returns the columns of each table. */
const columnsOf = async ({ db }: DbConnection) =>
  new Map(
    (await db.withoutPlugins().introspection.getTables()).map((table) => [
      table.name,
      table.columns.map(({ name }) => name),
    ]),
  );

/** Stores a copy of the first row that matches for each imported account. `changed` has the columns that are not copied, as SQL. */
async function copyFor(accounts: string, table: string, where: string, changed: Record<string, string>): Promise<void> {
  const columns = (await columnsOf(getConnection())).get(table) ?? [];
  const values = columns.map((name) => changed[name] ?? `one.${name}`).join(", ");
  await sql
    .raw(
      `insert into ${table} (${columns.join(", ")}) select ${values}
      from (select * from ${table} where ${where} order by 1 limit 1) as one cross join (${accounts}) as account`,
    )
    .execute(getDb().withoutPlugins());
}

/** Gives each imported account an order with its invoice, a certificate, a code, codes to register, a yearly charge and two drafts. */
async function fillRegister(): Promise<void> {
  const accounts = "select id, company_id from users where username like 'import-%'";
  const owned = { user_id: "account.id", company_id: "account.company_id" };
  const [id, order] = ["100000 + account.id", { order_id: "100000 + account.id" }];
  const copy = (table: string, where: string, changed: Record<string, string>) =>
    copyFor(accounts, table, where, changed);
  await copy("orders", "draft_id is null", { ...owned, id, draft_id: "null" });
  await copy("invoices", "kind = 'invoice'", { ...order, id, number: id });
  await copy("certificates", "order_type = 'Initial' and status = 'Pending'", { ...owned, ...order, id });
  const own = { subcode: "cast(account.id as text)", parent_id: "null", order_id: "null" };
  await copy("codes", "subcode = ''", { ...owned, ...own, id });
  await copy("available_codes", "quantity > 0", { ...owned, ...order });
  await copy("maintenance_orders", "year > 0", { year: "2020", ...order, company_id: "account.company_id" });
  for (const kind of ["code-purchase", "sales-order-export"])
    await copy("drafts", "id = 'template'", {
      user_id: "account.id",
      kind: `'${kind}'`,
      id: `'${kind}' || account.id`,
    });
}

/** Makes this process use a new, empty database. */
async function useEmptyDatabase(dataDir: string, database: string): Promise<void> {
  await closeDb();
  clearMemoized();
  process.env.DATA_DIR = dataDir;
  if (!isPostgres) return;
  await onServer(`create database ${database}`);
  process.env.DATABASE_URL = portal.env.DATABASE_URL?.replace(/[^/]+$/, database);
}

/** Runs the migrations that came before companies. */
async function migrateToFormer({ db, dialect }: DbConnection): Promise<void> {
  const former = Object.entries(migrations(dialect)).filter(([name]) => name < "0011");
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(former)) };
  const { error } = await new Migrator({ db: db.withoutPlugins(), provider }).migrateToLatest();
  if (error) throw error as Error;
}

/** Returns rows of today's schema as the former schema had them: accounts have the details of their company, and pay its yearly charge. */
function inFormerSchema({ companies, memberships, ...rows }: Rows): Rows {
  const details = byId(companies);
  const payers = new Map(memberships?.map(({ company_id: company, user_id: user }) => [company, user]));
  const users = rows.users?.map(({ company_id: company, ...user }) => {
    const { id: _, name, created_at: __, updated_at: ___, ...moved } = details.get(company) ?? {};
    return { ...moved, company: name, ...user };
  });
  const charges = rows.maintenance_orders?.map((row) => ({ ...row, user_id: payers.get(row.company_id) }));
  return { ...rows, users: users ?? [], maintenance_orders: charges ?? [] };
}

/** Returns a value as the driver takes it. SQLite's takes no booleans. */
const bindable = (value: unknown) => (typeof value === "boolean" && !isPostgres ? Number(value) : (value ?? null));

/** Stores rows in the columns that their tables have. */
async function store(connection: DbConnection, rows: Rows): Promise<void> {
  const tables = await columnsOf(connection);
  await connection.db
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      await sql
        .raw(isPostgres ? "set local session_replication_role = replica" : "pragma defer_foreign_keys = on")
        .execute(trx);
      for (const [table, columns] of tables) {
        if (table.startsWith("kysely")) continue;
        await trx.deleteFrom(table as never).execute(); // the rows that migrations make
        const of = (row: Row) => Object.fromEntries(columns.map((name) => [name, bindable(row[name])]));
        const all = (rows[table] ?? []).map(of);
        const step = Math.floor(30_000 / columns.length); // both databases limit the values of a statement
        for (let at = 0; at < all.length; at += step)
          await trx
            .insertInto(table as never)
            .values(all.slice(at, at + step))
            .execute();
      }
    });
}

describe("[API-06] the accounts of the demo and an imported register of 1,000 accounts get companies", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "marque-former-"));
  const database = `former_${process.pid}`;
  let before: Rows = {};
  let after: Rows = {};

  beforeAll(async () => {
    await makeDemo(() => undefined);
    const people = Array.from({ length: ACCOUNTS }, (_, index) => ({
      ...newPerson(),
      ...ADDRESS,
      company: `Plant ${index}`,
    }));
    const { err } = await importFile(csv(...people));
    expect(err).toBe("");
    const now = new Date();
    const { id: userId } = await createUser();
    const times = { createdAt: now, updatedAt: now, expiresAt: now };
    await getDb()
      .insertInto("drafts")
      .values({ id: "template", userId, kind: "code-purchase", data: "{}", ...times })
      .execute();
    await fillRegister();
    before = inFormerSchema(await readRows());
    await useEmptyDatabase(dataDir, database);
    await migrateToFormer(getConnection());
    await store(getConnection(), before);
    before = await readRows();
    await migrateToLatest(getConnection());
    after = await readRows();
  }, 600_000); // a few seconds, unless the machine is busy

  afterAll(async () => {
    await closeDb();
    clearMemoized();
    if (isPostgres) await onServer(`drop database if exists ${database} with (force)`);
    Object.assign(process.env, portal.env);
    rmSync(dataDir, { recursive: true });
  });

  test("the register is in the former schema, with everything that accounts own", () => {
    expect(before.companies).toBeUndefined();
    expect(before.users?.[0]).toHaveProperty("company_registration_number");
    for (const table of [
      "users",
      "addresses",
      "orders",
      "invoices",
      "certificates",
      "codes",
      "available_codes",
      "maintenance_orders",
      "drafts",
    ])
      expect({ table, isFull: (before[table]?.length ?? 0) > ACCOUNTS }).toEqual({ table, isFull: true });
  });

  test("no row of any table is lost", () => {
    const { kysely_migration: _, ...counts } = countsOf(before);
    expect(countsOf(after)).toMatchObject(counts);
    expect(after.companies).toHaveLength(before.users?.length ?? 0);
    expect(after.memberships).toHaveLength(before.users?.length ?? 0);
  });

  test("each account owns a company of its own, with the details that it had", () => {
    const [companies, users] = [byId(after.companies), byId(after.users)];
    const roles = new Map(
      after.memberships?.map(({ company_id: company, user_id: user, role }) => [company, { user, role }]),
    );
    const wrong = before.users?.filter((user) => {
      const companyId = users.get(user.id)?.company_id;
      const { name, ...company } = companies.get(companyId) ?? {};
      const details = [
        "company_registration_number",
        "tax_number",
        "vat_number",
        "vat_number_checked",
        "company_address_id",
        "invoicing_address_id",
        "mailing_address_id",
      ];
      const member = roles.get(companyId);
      const isSame = name === user.company && details.every((column) => company[column] === user[column]);
      return !isSame || member?.user !== user.id || member?.role !== "owner";
    });
    expect(wrong).toEqual([]);
  });

  test("everything belongs to the company of the account that made it; drafts of orders too, others to the person", () => {
    const companyOf = new Map(after.users?.map(({ id, company_id: company }) => [id, company]));
    for (const table of ["orders", "certificates", "codes", "available_codes"]) {
      const wrong = after[table]?.filter((row) => !row.company_id || row.company_id !== companyOf.get(row.user_id));
      expect({ table, wrong }).toEqual({ table, wrong: [] });
    }
    const charged = new Map(after.maintenance_orders?.map((row) => [row.order_id, row.company_id]));
    expect(
      before.maintenance_orders?.filter((row) => charged.get(row.order_id) !== companyOf.get(row.user_id)),
    ).toEqual([]);
    const isOfCompany = (kind: unknown) =>
      ["certificate-purchase", "certificate-renewal", "code-purchase", "code-details"].includes(String(kind));
    const wrong = after.drafts?.filter(
      ({ kind, company_id: company, user_id: user }) => company !== (isOfCompany(kind) ? companyOf.get(user) : null),
    );
    expect(wrong).toEqual([]);
  });

  test("no other value of any row has changed", () => {
    const owned = Object.entries(before).filter(
      ([table]) => !/^(kysely|users|maintenance_orders|countries)/.test(table),
    );
    for (const [table, rows] of owned) {
      const columns = Object.keys(rows[0] ?? {});
      const lines = (of: Row[] = []) => of.map((row) => JSON.stringify(columns.map((name) => row[name]))).sort();
      expect({ table, isSame: lines(after[table]).join() === lines(rows).join() }).toEqual({ table, isSame: true });
    }
  });

  test("the next company has a number of its own", async () => {
    const now = new Date();
    const added = getDb()
      .insertInto("companies")
      .values({ name: "Plant", createdAt: now, updatedAt: now })
      .returning("id");
    const { id: companyId } = await added.executeTakeFirstOrThrow();
    expect(companyId).toBeGreaterThanOrEqual(10_000);
    expect(after.companies?.map(({ id }) => id)).not.toContain(companyId);
  });
});

test("[API-06] an import of 1,000 accounts makes 1,000 companies", async () => {
  const users = getDb().selectFrom("users").where("username", "like", "import-%");
  const { people, companies } = await users
    .select(({ fn }) => [fn.countAll<number>().as("people"), fn.count<number>("companyId").distinct().as("companies")])
    .executeTakeFirstOrThrow();
  expect({ people: Number(people), companies: Number(companies) }).toEqual({ people: ACCOUNTS, companies: ACCOUNTS });
});
