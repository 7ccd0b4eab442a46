import { expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { codeEmailOrder } from "~migrations/0026-code-email-order";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { foldStoredTextsAgain } from "../support/search-fold";

usePortal();

const stored = () => getDb().selectFrom("codes").select(["id", "sortEmail"]).orderBy("id").execute();

test("[COD-01] codes from before the order by e-mail are sorted like new ones", async () => {
  for (const email of ["Änna@example.com", "bob@example.com"]) {
    const owner = await createUser({ email });
    for (const subcode of ["", "01"]) await createCode(owner, { code: `E${owner.id}`.slice(-4), subcode });
  }
  await createUser();
  const before = await stored();
  expect(before.map(({ sortEmail }) => sortEmail)).toEqual([
    "anna@example.com",
    "anna@example.com",
    "bob@example.com",
    "bob@example.com",
  ]);

  const { db, dialect } = getConnection();
  const plain = db.withoutPlugins();
  await plain.schema.dropIndex("codes_sort_email").execute();
  await plain.schema.alterTable("codes").dropColumn("sort_email").execute();
  await codeEmailOrder(dialect).up(plain as never);
  await foldStoredTextsAgain();
  expect(await stored()).toEqual(before);
});
