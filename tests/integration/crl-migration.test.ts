import { sql } from "kysely";
import { expect, test } from "vitest";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { publishLists } from "~/domain/authorities/publishing.service.server";
import { getConnection, getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { revocationLists } from "~migrations/0013-revocation-lists";
import { usePortal } from "../support/portal";

usePortal();

async function latest() {
  const { id } = await getAuthority(getDb(), "issuing-sha2");
  return findLatestCrl(getDb(), id, false);
}

test("[REP-03] lists from before their bytes had a table of their own are served like new ones", async () => {
  await publishLists("issuing-sha2");
  const before = await latest();
  expect(before).toMatchObject({ size: before?.der.length, etag: before?.der.subarray(-32).toString("hex") });

  const { db, dialect } = getConnection();
  const plain = db.withoutPlugins();
  const bytes = dialect === "postgres" ? sql`bytea not null default ''` : sql`blob not null default x''`;
  await sql`alter table crls add column der ${bytes}`.execute(plain);
  await sql`update crls set der = (select der from crl_files where crl_id = crls.id)`.execute(plain);
  await plain.schema.dropTable("crl_files").execute();
  for (const column of ["size", "etag"]) await sql`alter table crls drop column ${sql.ref(column)}`.execute(plain);
  await revocationLists(dialect).up(plain as never);
  expect(await latest()).toEqual(before);
});
