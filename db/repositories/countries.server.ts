import countries from "i18n-iso-countries";
import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx } from "../connection.server";
import { type Row } from "../tables";

/** The 27 members of the European Union since 1 February 2020, as ISO 3166-1 alpha-2 codes. */
export const EU_MEMBERS: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** A country as the API documents it. `printableName` is the caption and equals the name; `adminId` is a second id and equals the id. */
export interface Country {
  id: number;
  adminId: number;
  iso: string;
  name: string;
  printableName: string;
  euMember: boolean;
}

const toCountry = ({ id, iso, name, euMember }: Row<"countries">): Country => ({
  id,
  adminId: id,
  iso,
  name,
  printableName: name,
  euMember,
});

/** Stores the ISO 3166-1 countries of i18n-iso-countries with their official English short names. */
export async function saveCountries(db: DbOrTrx): Promise<void> {
  const names = countries.getNames("en", { select: "official" });
  const rows = Object.entries(names).map(([iso, name]) => ({
    id: Number(countries.alpha2ToNumeric(iso)),
    iso,
    name,
    sortName: foldForSearch(name),
    euMember: EU_MEMBERS.has(iso),
  }));
  await db
    .insertInto("countries")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        iso: eb.ref("excluded.iso"),
        name: eb.ref("excluded.name"),
        sortName: eb.ref("excluded.sortName"),
        euMember: eb.ref("excluded.euMember"),
      })),
    )
    .execute();
}

/** Returns all countries sorted by name. */
export async function listCountries(db: DbOrTrx): Promise<Country[]> {
  const rows = await db.selectFrom("countries").selectAll().orderBy("name").execute();
  return rows.map(toCountry).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

export async function findCountry(db: DbOrTrx, id: number): Promise<Country | null> {
  const row = await db.selectFrom("countries").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? toCountry(row) : null;
}
