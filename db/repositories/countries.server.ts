import countries from "i18n-iso-countries";
import { foldForSearch } from "~/lib/fold-text";
import { memoize } from "~/lib/memoize.server";
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

/** The countries, which change only with a new version of the portal. Each process reads them once. */
const known = memoize(() => ({ countries: [] as readonly Country[] }));

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
  known.clear();
}

/** Returns all countries sorted by name. */
export async function listCountries(db: DbOrTrx): Promise<readonly Country[]> {
  const cache = known();
  if (cache.countries.length > 0) return cache.countries;
  const rows = await db.selectFrom("countries").selectAll().orderBy("name").execute();
  cache.countries = rows.map(toCountry).sort((a, b) => a.name.localeCompare(b.name, "en"));
  return cache.countries;
}

export const findCountry = async (db: DbOrTrx, id: number): Promise<Country | null> =>
  (await listCountries(db)).find((country) => country.id === id) ?? null;
