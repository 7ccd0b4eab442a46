import { sql } from "kysely";
import { expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { userLists } from "~migrations/0005-user-lists";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { foldStoredTextsAgain } from "../support/search-fold";

usePortal();

const textsOf = (id: number) =>
  getDb()
    .selectFrom("users")
    .select(["searchText", "sortName", "sortCompany"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

test("[MAN-02] accounts from before the users list are found and sorted like new ones", async () => {
  const { id } = await createUser({
    firstName: "Zoe\u0308",
    lastName: "ÄPFEL",
    company: "MÜLLER ÖL AG",
    username: "zoe",
  });
  const before = await textsOf(id);
  expect(before).toMatchObject({ sortName: "apfel zoe", sortCompany: "muller ol ag" });

  const { db, dialect } = getConnection();
  const plain = db.withoutPlugins();
  for (const column of ["sort_name", "sort_company"]) await plain.schema.dropIndex(`users_${column}`).execute();
  for (const column of ["search_text", "sort_name", "sort_company"])
    await sql`alter table users drop column ${sql.ref(column)}`.execute(plain);
  await userLists(dialect).up(plain as never);
  await foldStoredTextsAgain();
  expect(await textsOf(id)).toEqual(before);
});
