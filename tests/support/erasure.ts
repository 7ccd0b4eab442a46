import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { foldForSearch } from "~/lib/fold-text";
import { getDb } from "~db/connection.server";
import { createUser } from "./factories";

const OPERATOR = systemActor("command line (Olga)");

/** Erases the data of a person as the command line does. */
export const erase = ({ id }: { id: number }, reason = "asked by letter"): Promise<unknown> =>
  administerAccount({ action: "erase", id, actor: OPERATOR, reason });

const NOT_SEARCHED = ["kysely_migration", "kysely_migration_lock"];

/** Returns a value of any column as lower-case text. */
const asText = (value: unknown): string =>
  (Buffer.isBuffer(value) ? value.toString("utf8") : typeof value === "string" ? value : "").toLowerCase();

/** Returns the tables and columns in which one of these texts occurs, as typed, in the JSON of a column, or as searches and lists fold it. */
export async function placesOf(texts: readonly string[]): Promise<string[]> {
  const written = texts.flatMap((text) => [text.toLowerCase(), JSON.stringify(text).slice(1, -1).toLowerCase()]);
  const wanted = [...new Set([...written, ...texts.map(foldForSearch)])];
  const places = new Set<string>();
  const db = getDb().withoutPlugins();
  for (const { name } of await db.introspection.getTables()) {
    if (NOT_SEARCHED.includes(name)) continue;
    const rows = (await db
      .selectFrom(name as never)
      .selectAll()
      .execute()) as Record<string, unknown>[];
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = asText(value);
        if (wanted.some((one) => text.includes(one))) places.add(`${name}.${column}`);
      }
  }
  return [...places].sort();
}

let number = 0;

/** Creates a person whose name nobody else has. */
export async function createPerson(given: Parameters<typeof createUser>[0] = {}) {
  number += 1;
  const lastName = `Zwölfender${number}`;
  return createUser({
    firstName: "Ludmilla",
    lastName,
    email: `ludmilla.${number}@zwoelfender.example`,
    company: `Ten Points ${number}`,
    telephoneNumber: `+49 711 55500${number}`,
    ...given,
  });
}

/** Sets the state of a certificate. */
export const setCertificate = (id: number, change: { status: "Issued" | "Expired" | "Pending"; expiryDate?: string }) =>
  getDb().updateTable("certificates").set(change).where("id", "=", id).execute();
