import { sql } from "kysely";
import { expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { salesOrders } from "~migrations/0017-sales-orders";
import { createCodeOrder } from "../support/codes";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { foldStoredTextsAgain } from "../support/search-fold";

usePortal();

const COLUMNS = ["order_type", "sort_company", "sort_country", "sort_user"];
const INDEXED = ["created_at", "status", ...COLUMNS, "total_cents", "country_id", "user_id", "invoice"];
/** With the time, of a later migration. */
const DATED = ["status", "order_type", "country_id"];

const stored = async () => ({
  orders: await getDb()
    .selectFrom("orders")
    .select(["id", "orderType", "sortCompany", "sortCountry", "sortUser"])
    .orderBy("id")
    .execute(),
  words: await getDb().selectFrom("orderWords").selectAll().orderBy("orderId").orderBy("word").execute(),
});

test("[SAL-01] orders from before the list of sales orders are found and sorted like new ones", async () => {
  const user = await createUser({ username: "ÄNNA" });
  await createCodeOrder(user, "Basic", 1, { company: "Zähne & Söhne AG", countryId: 276 });
  await createCodeOrder(user, "Full", 1, { company: "…", isMaintenance: true });
  await createCodeOrder(user, "OFTP", 1, { purchaseOrderType: 1, codeType: null, numberOfCodes: null });
  const before = await stored();
  expect(before.orders.map(({ orderType }) => orderType)).toEqual(["Basic", "Maintenance", "Certificate"]);
  expect(before.orders[0]).toMatchObject({ sortCompany: "zahne & sohne ag", sortCountry: "germany", sortUser: "anna" });

  const { db, dialect } = getConnection();
  const plain = db.withoutPlugins();
  for (const table of ["order_words", "order_lines", "maintenance_orders"])
    await plain.schema.dropTable(table).execute();
  for (const column of INDEXED) await plain.schema.dropIndex(`orders_by_${column}`).execute();
  await plain.schema.dropIndex("orders_invoice").execute();
  for (const column of DATED) await plain.schema.dropIndex(`orders_${column}_at`).execute();
  for (const column of COLUMNS) await sql`alter table orders drop column ${sql.ref(column)}`.execute(plain);
  await plain.schema.createIndex("orders_created").on("orders").column("created_at").execute();
  await salesOrders(dialect).up(plain as never);
  await foldStoredTextsAgain();
  expect(await stored()).toEqual(before);
});
