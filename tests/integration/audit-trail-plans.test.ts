import { beforeAll, describe, expect, test } from "vitest";
import { trailList } from "~/domain/audit/trail-list";
import { loadTrail } from "~/domain/audit/trail.service.server";
import { getConnection, getDb } from "~db/connection.server";
import {
  type AuditCondition,
  type AuditSearch,
  eventsStatement,
  restStatement,
  searchAudit,
  auditSearchStatement,
} from "~db/repositories/audit-search.server";
import { createUser } from "../support/factories";
import { fillEntries, MANY_EVENTS } from "../support/many-entries";
import { planOf, searchesBy } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const ENTRIES = 30_000;
/** The number of entries that are searched for a text. A tenth of ENTRIES. */
const READ = 3000;
let actorId = 0;

beforeAll(async () => {
  actorId = (await createUser()).id;
  await fillEntries(getConnection().dialect, actorId, 0, ENTRIES);
}, 300_000);

const complete = (search: Partial<AuditSearch>): AuditSearch => ({
  groups: [],
  text: "",
  from: null,
  before: null,
  direction: "desc",
  ...search,
});

async function planOfSearch(search: Partial<AuditSearch>): Promise<string> {
  const all = complete(search);
  const first = all.groups[0]?.[0] ?? null;
  if (all.text === "" && all.groups.length < 2) return planOf(auditSearchStatement(first, all, 1001));
  const plans = [
    await planOf(restStatement(first, all, READ)),
    await planOf(auditSearchStatement(first, all, 1001, READ)),
  ];
  return plans.join("\n");
}

/** Matches a plan that reads all entries or sorts them. */
const ALL_ENTRIES = /Seq Scan|\bSort\b|SCAN audit_entries(?! USING)|TEMP B-TREE/;
const DAYS = { from: "2024-01-05T00:00:00.000Z", before: "2024-01-09T00:00:00.000Z" };
const PLACES = [
  ["asc", {}],
  ["desc", {}],
  ["desc", DAYS],
  ["asc", { from: DAYS.from }],
  ["desc", { before: DAYS.before }],
] as const;
/** Matches a plan that reads all entries. Sorting is allowed, because only few entries are searched for a text. */
const UNINDEXED = /Seq Scan|SCAN audit_entries(?! USING)/;
const TEXTS = [
  ["desc", { text: "number 12" }],
  ["asc", { ...DAYS, text: "number 12" }],
] as const;

describe("the trail of very many entries", () => {
  test.each([...PLACES, TEXTS[0]])(
    "[AUD-02] shows all, %s, %o: reads the index of time in order",
    async (direction, more) => {
      const plan = await planOfSearch({ direction, ...more });
      expect(plan).toMatch(/USING (COVERING )?INDEX|Index (Only )?Scan/);
      expect(plan).not.toMatch(ALL_ENTRIES);
    },
  );

  test.each<[AuditCondition["column"], () => string | number]>([
    ["event", () => "order.created"],
    ["actor_id", () => actorId],
    ["actor_name", () => "person42@example.org"],
    ["impersonator_id", () => actorId],
    ["user_id", () => 1_000_042],
    ["reference", () => "R-42"],
  ])("[AUD-02] by %s: reads its index in order of time", async (column, value) => {
    const groups = [[{ column, value: value() }]];
    for (const [direction, more] of PLACES) {
      const plan = await planOfSearch({ groups, direction, ...more });
      expect(plan).toMatch(searchesBy(column));
      expect(plan).not.toMatch(ALL_ENTRIES);
    }
    for (const [direction, more] of TEXTS)
      expect(await planOfSearch({ groups, direction, ...more })).not.toMatch(UNINDEXED);
  });

  test.each(["order_id", "certificate_id", "code_id"] as const)(
    "[AUD-02] by %s, with few entries: reads its index and sorts them",
    async (column) => {
      for (const [direction, more] of [...PLACES, ...TEXTS]) {
        const plan = await planOfSearch({ groups: [[{ column, value: 1_000_042 }]], direction, ...more });
        expect(plan).toMatch(searchesBy(column));
        expect(plan).not.toMatch(/Seq Scan|SCAN audit_entries/);
      }
    },
  );

  test("[AUD-02] lists the events by stepping through their index, without reading all entries", async () => {
    const plan = await planOf(eventsStatement());
    expect(plan).toMatch(searchesBy("event"));
    expect(plan).not.toMatch(UNINDEXED);
    const { rows } = await eventsStatement().execute(getConnection().db);
    expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining([...MANY_EVENTS]));
  });

  test("[AUD-02] by everything: reads the index of the rarest condition and only checks the others", async () => {
    const groups: AuditCondition[][] = [
      [{ column: "reference", value: "R-42" }],
      [
        { column: "actor_id", value: actorId },
        { column: "actor_name", value: "person42@example.org" },
      ],
      [{ column: "event", value: "mail.sent" }],
    ];
    for (const [direction, more] of PLACES) {
      const plan = await planOfSearch({ groups, direction, ...more });
      expect(plan).toMatch(searchesBy("reference"));
      for (const other of ["actor_id", "actor_name", "event"]) expect(plan).not.toMatch(searchesBy(other));
      expect(plan).not.toMatch(ALL_ENTRIES);
    }
  });

  const someTime = expect.any(String) as string;
  const of = (column: AuditCondition["column"], value: string | number): AuditCondition[] => [{ column, value }];
  const search = (wanted: Partial<AuditSearch>, read = READ) => searchAudit(getDb(), complete(wanted), 1001, read);

  test("[AUD-02] by common conditions that never occur together: stops and says so", async () => {
    // This person has every second entry, and none of those has this event.
    const groups = [of("actor_id", actorId), of("event", "order.created")];
    expect(await search({ groups })).toEqual({ ids: [], restAt: someTime });
    expect(await search({ groups, direction: "asc" })).toEqual({ ids: [], restAt: someTime });
    expect(await search({ groups, ...DAYS })).toEqual({ ids: [], restAt: null });
    expect(await search({ groups }, ENTRIES)).toEqual({ ids: [], restAt: null });
    const common = await search({ groups: [of("actor_id", actorId), of("event", "certificate.issued")] });
    expect([common.ids.length, common.restAt]).toEqual([1001, null]);
  });

  test("[AUD-02] reads the latest entries, or the oldest, or those of the given days", async () => {
    const oldest = { groups: [of("event", "order.created")], text: "number 1 of" };
    expect(await search(oldest)).toEqual({ ids: [], restAt: someTime });
    expect(await search({ ...oldest, direction: "asc" })).toEqual({ ids: [1_000_001], restAt: someTime });
    const day = { from: "2024-01-01T00:00:00.000Z", before: "2024-01-02T00:00:00.000Z" };
    expect(await search({ ...oldest, ...day })).toEqual({ ids: [1_000_001], restAt: null });
    expect(await search(oldest, ENTRIES)).toEqual({ ids: [1_000_001], restAt: null });
  });

  test("[AUD-02] the page leads to the entries that it did not search, from both ends", async () => {
    const text = "nothing that any entry says";
    const pageOf = async (query: Record<string, string>) =>
      (await loadTrail(trailList.read(new URLSearchParams({ text, ...query })))).cut;
    for (const [sort, name] of [
      ["recorded.desc", "to"],
      ["recorded.asc", "from"],
    ] as const) {
      const cut = await pageOf({ sort });
      expect(cut?.others?.[name]).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(await pageOf({ sort, ...cut?.others })).toBeNull();
    }
  });

  test("[AUD-02] is driven by its most selective condition", async () => {
    const groups = [of("event", "order.created"), of("reference", "R-1")];
    expect(await search({ groups }, 100)).toEqual({ ids: [1_000_001], restAt: null });
  });
});
