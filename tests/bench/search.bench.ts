// The search of everything with few and with very many rows of each kind: `npm run bench search`. `BENCH_ROWS` is the largest number of rows
// of each table, and `BENCH_DATABASES` the databases to measure.
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { SEARCH_KINDS, type SearchKind } from "~/domain/search/search-kinds";
import { FINDERS, findNumbered, searchEverything } from "~/domain/search/search.service.server";
import { readTypedWords } from "~/domain/search/typed-words.policy";
import { type Dialect } from "~db/connection.server";
import { createAdmin } from "../support/factories";
import { fillAccounts, fillListedCertificates } from "../support/many-accounts";
import { fillRegister } from "../support/many-codes";
import { createOwnerOfMany, fillInvoices, fillOrders } from "../support/many-orders";
import { median, round, say, timed, withPortal } from "./portal";
import { report } from "./report";

const DATABASES = (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",") as Dialect[];
const LARGEST = Number(process.env.BENCH_ROWS ?? 1_000_000);
const FEW = Math.min(1000, LARGEST);
const TIMES = 11;
/** A search takes at most this many milliseconds, however many rows there are. */
const MOST_MS = 100;

/** A rare and a common name, and an email address, of the contacts of certificates. */
const CONTACTS = ["boss4242", "bernd", "bernd boss4242", "contact4242@parts.example"];

/** Rare and common words, and numbers, of each kind. */
const WORDS: Readonly<Record<SearchKind, readonly string[]>> = {
  orders: ["SO-1000042", "SO-100", "SO-1004", "parts42", "gmbh", "zz-many"],
  certificates: [
    "host-42",
    "parts42",
    "user42",
    "example",
    "gmbh",
    "7042",
    "70:42:70:42:70:42",
    "ab".repeat(32),
    ...CONTACTS,
  ],
  companies: ["parts42", "gmbh"],
  people: ["muster42", "user42@parts.example", "anna", "gmbh"],
  invoices: ["INV-2026-00042", "INV-2026", "INV-2026-0004", "R-42", "R-424"],
  codes: ["parts42", "gmbh", "0012"],
};

interface Measured {
  name: string;
  search: () => Promise<unknown>;
}

function searchesBy(user: SessionUser): Measured[] {
  const kinds = Object.keys(SEARCH_KINDS) as SearchKind[];
  const ofKinds = kinds.flatMap((kind) =>
    WORDS[kind].map((words) => {
      const typed = readTypedWords(words);
      if (typed === null || "error" in typed) throw new Error(`'${words}' cannot be looked up.`);
      return {
        name: `${kind}, ${words}`,
        search: async () => FINDERS[kind](user, typed, await findNumbered(user, typed)),
      };
    }),
  );
  const everything = ["parts42", "gmbh", "host-42", "SO-1000042", "SO-100", "INV-2026", "boss4242"].map((words) => ({
    name: `everything, ${words}`,
    search: () => searchEverything(user, words),
  }));
  return [...ofKinds, ...everything];
}

/** Returns the median of the elapsed times in milliseconds. */
async function elapsed(search: () => Promise<unknown>): Promise<number> {
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await search();
  const times: number[] = [];
  for (let count = 0; count < TIMES; count += 1) times.push(await timed(search));
  return median(times);
}

async function measureSearch(dialect: Dialect): Promise<void> {
  const owner = await createOwnerOfMany();
  const admin = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
  if (!admin) throw new Error("There is nobody to search.");
  const searches = searchesBy(admin);
  const growth = new Map<string, Record<number, number>>();
  let filled = 0;
  for (const size of new Set([FEW, LARGEST])) {
    const ms = await timed(async () => {
      await fillAccounts(dialect, filled, size);
      await fillOrders(dialect, owner.id, filled, size);
      await fillInvoices(dialect, filled, size);
      await fillListedCertificates(dialect, owner, filled, size);
      await fillRegister(dialect, filled, size);
    });
    filled = size;
    say(`${dialect}: filling up to ${size} rows took ${round(ms / 1000)} s`);
    for (const { name, search } of searches) growth.set(name, { ...growth.get(name), [size]: await elapsed(search) });
  }
  for (const [name, times] of growth)
    report({
      name: `search of ${LARGEST}, ${dialect}, ${name}`,
      measured: times[LARGEST] ?? NaN,
      unit: "ms",
      comparedWith: { name: `of ${FEW}`, value: times[FEW] ?? NaN },
      must: { of: "measured", atMost: MOST_MS },
      growth: times,
    });
}

/** In seconds. One statement fills a table, and takes minutes. */
const LONGEST_STATEMENT = "3600";

for (const dialect of DATABASES)
  await withPortal(dialect, () => measureSearch(dialect), { DATABASE_TIMEOUT: LONGEST_STATEMENT });
