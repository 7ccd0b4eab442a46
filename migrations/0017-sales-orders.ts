import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Orders that are held in memory. */
const BATCH = 500;
/** Rows of one statement: databases limit its parameters. */
const ROWS = 1000;

const fold = (text: string) => text.normalize("NFC").toLowerCase();

function wordsOf(text: string): string[] {
  const plain = fold(text)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .trim();
  return plain === "" ? [] : [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [plain])];
}

interface Order {
  id: number;
  company: string;
  country: string;
  username: string;
  is_certificate: number;
  is_maintenance: number;
  code_type: string | null;
}

const typeOf = (order: Order) => {
  if (Number(order.is_certificate) === 1) return "Certificate";
  return Number(order.is_maintenance) === 1 ? "Maintenance" : (order.code_type ?? "");
};

async function fill(db: AnyDb, dialect: Dialect): Promise<void> {
  const flag = (condition: string) => sql.raw(`case when ${condition} then 1 else 0 end`);
  const maintenance = flag(dialect === "postgres" ? "orders.is_maintenance" : "orders.is_maintenance = 1");
  for (let after = 0, isLast = false; !isLast;) {
    const { rows } = await sql<Order>`select orders.id, orders.company, orders.code_type, countries.name as country,
        users.username, ${flag("orders.purchase_order_type = 1")} as is_certificate, ${maintenance} as is_maintenance
      from orders join users on users.id = orders.user_id join countries on countries.id = orders.country_id
      where orders.id > ${after} order by orders.id limit ${BATCH}`.execute(db);
    for (const row of rows)
      await sql`update orders set order_type = ${typeOf(row)}, sort_company = ${fold(row.company)},
        sort_country = ${row.country}, sort_user = ${fold(row.username)} where id = ${row.id}`.execute(db);
    const words = rows.flatMap(({ id, company }) => wordsOf(company).map((word) => sql`(${word}, ${id})`));
    for (let from = 0; from < words.length; from += ROWS)
      await sql`insert into order_words (word, order_id) values ${sql.join(words.slice(from, from + ROWS))}`.execute(
        db,
      );
    isLast = rows.length < BATCH;
    after = rows.at(-1)?.id ?? 0;
  }
}

/** What sales orders are searched and ordered by, and the lines of the yearly maintenance of codes. */
export const salesOrders = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    for (const column of ["order_type", "sort_company", "sort_country", "sort_user"])
      await db.schema
        .alterTable("orders")
        .addColumn(column, type.ordered, (c) => c.notNull().defaultTo(""))
        .execute();
    const words = db.schema
      .createTable("order_words")
      .addColumn("word", type.ordered, (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("order_words_word", ["word", "order_id"]);
    await (dialect === "sqlite" ? words.modifyEnd(sql`without rowid`) : words).execute();
    await db.schema.createIndex("order_words_order").on("order_words").columns(["order_id", "word"]).execute();
    await fill(db, dialect);
    await db.schema.dropIndex("orders_created").execute();
    for (const column of [
      "created_at",
      "status",
      "order_type",
      "sort_company",
      "sort_country",
      "sort_user",
      "total_cents",
      "country_id",
      "user_id",
    ])
      await db.schema.createIndex(`orders_by_${column}`).on("orders").columns([column, "id"]).execute();
    const invoice = sql.raw(`coalesce(invoice_number, '')${dialect === "postgres" ? ' collate "C"' : ""}`);
    await sql`create index orders_by_invoice on orders ((${invoice}), id)`.execute(db);
    await db.schema.createIndex("orders_invoice").on("orders").column("invoice_number").execute();

    await db.schema
      .createTable("order_lines")
      .addColumn("id", "integer", type.id)
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id"))
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id"))
      .addColumn("code", "varchar(6)", (c) => c.notNull())
      .addColumn("code_type", "varchar(5)", (c) => c.notNull())
      .addColumn("subcodes", "text", (c) => c.notNull())
      .addColumn("cost_cents", "bigint", (c) => c.notNull())
      .addColumn("discount_num_months", "integer", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("order_lines_order").on("order_lines").columns(["order_id", "id"]).execute();
    await db.schema
      .createTable("maintenance_orders")
      .addColumn("year", "integer", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("order_id", "integer", (c) => c.notNull().unique().references("orders.id"))
      .addPrimaryKeyConstraint("maintenance_orders_year", ["year", "user_id"])
      .execute();
  },
});
