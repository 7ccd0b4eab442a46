import { expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { isMigrated } from "~db/migrate.server";
import { record } from "../support/audit";
import { createCertificateOrder } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createUser } from "../support/factories";
import { fillEntries } from "../support/many-entries";
import { usePortal } from "../support/portal";
import { foldStoredTextsAgain, formerFold } from "../support/search-fold";

usePortal();

const COLUMNS = {
  users: ["sortName", "sortCompany", "sortUsername", "searchText"],
  certificates: ["sortName", "searchText"],
  codes: ["sortCompany", "sortEmail", "sortEntity", "sortCity", "searchText"],
  orders: ["sortCompany", "sortCountry", "sortUser"],
  countries: ["sortName"],
  auditEntries: ["searchText"],
} as const;

/** All that lists search and sort by. */
async function stored() {
  const texts: Record<string, unknown> = {};
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const selected = ["id", ...columns] as never;
    texts[table] = await getDb()
      .selectFrom(table as "users")
      .select(selected)
      .orderBy("id")
      .execute();
  }
  const codeWords = getDb().selectFrom("codeWords").selectAll().orderBy("codeId").orderBy("field").orderBy("word");
  const orderWords = getDb().selectFrom("orderWords").selectAll().orderBy("orderId").orderBy("word");
  return { ...texts, codeWords: await codeWords.execute(), orderWords: await orderWords.execute() };
}

const COMPANY = "Łódź Straße Ærø ガス AG";
const CITY = "Đakovo";
const COMPANY_WORDS = ["łodz", "straße", "ærø", "カス", "ag"];

test("[CER-02] [SRC-01] [SAL-01] [MAN-02] [AUD-02] what was stored before letters without accents and strokes were searched for is found and sorted like new rows", async () => {
  const { dialect } = getConnection();
  const person = { firstName: "Łukasz", lastName: "Müller", username: "łukasz", company: COMPANY };
  const user = await createUser(person);
  await createUser({ company: "Plain Parts Ltd" });
  const code = await createCode(user, { entityName: "Øst", city: CITY });
  const orderId = await createCodeOrder(user, "Full", 1, { countryId: 792 });
  const certificate = await createCertificateOrder(user, undefined, { commonName: "Łódź-Пример.example" });
  await fillEntries(dialect, user.id, 0, 1001); // more than a batch
  const message = "Company changed to Łódź.";
  await record({ message });
  const late = { id: 2_000_000, at: new Date(), actorName: "test", event: "test.late", message };
  await getDb()
    .insertInto("auditEntries")
    .values({ ...late, searchText: formerFold("Company changed to Lodz.") })
    .execute();
  const before = await stored();
  expect(before).toMatchObject({ orderWords: expect.arrayContaining([{ orderId, word: "lodz" }]) as unknown });

  const db = getDb();
  const company = formerFold(COMPANY);
  await db
    .updateTable("users")
    .set({
      searchText: `łukasz müller ${company} ${user.email} łukasz`,
      sortName: "müller łukasz",
      sortCompany: company,
    })
    .where("id", "=", user.id)
    .execute();
  await db
    .updateTable("certificates")
    .set({ sortName: "łódź-пример.example", searchText: "łódź-пример.example" })
    .where("id", "=", certificate.id)
    .execute();
  const found = `${code.code}00`.toLowerCase();
  await db
    .updateTable("codes")
    .set({
      sortCompany: company,
      sortEntity: "øst",
      sortCity: formerFold(CITY),
      searchText: `${code.code.toLowerCase()} ${found} ${company} ${user.email} øst`,
    })
    .where("id", "=", code.id)
    .execute();
  await db
    .updateTable("orders")
    .set({ sortCompany: company, sortCountry: "Türkiye", sortUser: "łukasz" })
    .where("id", "=", orderId)
    .execute();
  await db.updateTable("orders").set({ sortCountry: "United Kingdom" }).where("id", "!=", orderId).execute();
  await db.deleteFrom("codeWords").where("codeId", "=", code.id).execute();
  await db.deleteFrom("orderWords").execute();
  await db
    .insertInto("codeWords")
    .values([
      ...COMPANY_WORDS.map((word) => ({ field: "company" as const, word, codeId: code.id })),
      { field: "city", word: "đakovo", codeId: code.id },
    ])
    .execute();
  const orders = await db.selectFrom("orders").select("id").execute();
  await db
    .insertInto("orderWords")
    .values(orders.flatMap(({ id }) => COMPANY_WORDS.map((word) => ({ word, orderId: id }))))
    .execute();

  expect(await foldStoredTextsAgain()).toEqual(["0037-search-fold"]);
  expect(await isMigrated(getConnection())).toBe(true);
  expect(await stored()).toEqual(before);
});
