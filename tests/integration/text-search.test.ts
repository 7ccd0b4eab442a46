import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { idsContaining } from "~db/text-search.server";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const idsOf = async (table: "users" | "companies", text: string) =>
  (await idsContaining(table, text).execute(getDb())).rows.map(({ id }) => id);

const rename = (id: number, searchText: string) =>
  getDb().updateTable("users").set({ searchText }).where("id", "=", id).execute();

describe("a search for a part of a word", () => {
  test.each(["lod", "x", "ló", 'a"b', "50%", "a_b", "a\\b", "o'n", "plant 7", "🚚-1", "カメラ", "gmbh & co"])(
    "finds %s wherever it stands, and nothing else",
    async (part) => {
      const { id } = await createUser();
      for (const text of [part, `before${part}`, `before ${part} after`, `${part}after`]) {
        await rename(id, text);
        expect(await idsOf("users", part), text).toContain(id);
      }
      await rename(id, "something completely different: u-v-w");
      expect(await idsOf("users", part)).not.toContain(id);
    },
  );

  test("finds the numbers of a company in any case", async () => {
    const { companyId } = await createUser();
    await getDb().updateTable("companies").set({ vatNumber: "DE811907980X" }).where("id", "=", companyId).execute();
    expect(await idsOf("companies", "907980x")).toContain(companyId);
  });

  test("finds nothing of a row that is gone, and the index keeps nothing of its text", async () => {
    const { id } = await createUser();
    await rename(id, "zyxwvutsrq");
    expect(await idsOf("users", "yxwvuts")).toEqual([id]);
    await rename(id, "erased");
    expect(await idsOf("users", "yxwvuts")).toEqual([]);
    if (getConnection().dialect === "postgres") return;
    const { rows } = await sql<{ block: Buffer }>`select block from users_trigrams_data`.execute(getDb());
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ block }) => block.includes("xwv") || block.includes("zyx"))).toEqual([]);
  });
});
