import { beforeAll, describe, expect, test } from "vitest";
import { getConnection } from "~db/connection.server";
import {
  type AuditCondition,
  type AuditSearch,
  eventsStatement,
  searchStatement,
} from "~db/repositories/audit-search.server";
import { createUser } from "../support/factories";
import { fillEntries, MANY_EVENTS } from "../support/many-entries";
import { planOf } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const ENTRIES = 30_000;
/** As many of them are looked through for a text as a hundred thousand are of a million. */
const READ = 3000;
let actorId = 0;

beforeAll(async () => {
  actorId = (await createUser()).id;
  await fillEntries(getConnection().dialect, actorId, 0, ENTRIES);
}, 300_000);

const planOfSearch = (search: Partial<AuditSearch>) => {
  const groups = search.groups ?? [];
  const all = { groups, text: "", from: null, before: null, direction: "desc", ...search } as const;
  return planOf(searchStatement(groups[0]?.[0] ?? null, all, 1001, READ));
};

/** What reads all entries, or sorts them. */
const ALL_ENTRIES = /Seq Scan|\bSort\b|SCAN audit_entries(?! USING)|TEMP B-TREE/;
const DAYS = { from: "2024-01-05T00:00:00.000Z", before: "2024-01-09T00:00:00.000Z" };
const PLACES = [
  ["asc", {}],
  ["desc", {}],
  ["desc", DAYS],
  ["asc", { from: DAYS.from }],
  ["desc", { before: DAYS.before }],
] as const;
/** Of few that are looked through for a text, sorting them is no price. */
const UNINDEXED = /Seq Scan|SCAN audit_entries(?! USING)/;
const TEXTS = [
  ["desc", { text: "number 12" }],
  ["asc", { ...DAYS, text: "number 12" }],
] as const;

describe("the trail of very many entries", () => {
  test.each([...PLACES, TEXTS[0]])(
    "[AUD-02] whole, %s, %o: out of the index of time, in its order",
    async (direction, more) => {
      const plan = await planOfSearch({ direction, ...more });
      expect(plan).toMatch(/audit_at_id/);
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
  ])("[AUD-02] by %s: out of its index, in the order of time", async (column, value) => {
    const groups = [[{ column, value: value() }]];
    for (const [direction, more] of PLACES) {
      const plan = await planOfSearch({ groups, direction, ...more });
      expect(plan).toMatch(new RegExp(`audit_${column}_at`));
      expect(plan).not.toMatch(ALL_ENTRIES);
    }
    for (const [direction, more] of TEXTS)
      expect(await planOfSearch({ groups, direction, ...more })).not.toMatch(UNINDEXED);
  });

  test.each(["order_id", "certificate_id", "code_id"] as const)(
    "[AUD-02] by %s, of which there are few each: found by its index and then sorted",
    async (column) => {
      for (const [direction, more] of [...PLACES, ...TEXTS]) {
        const plan = await planOfSearch({ groups: [[{ column, value: 1_000_042 }]], direction, ...more });
        expect(plan).toMatch(/audit_(order|certificate|code)/);
        expect(plan).not.toMatch(/Seq Scan|SCAN audit_entries|audit_at_id/);
      }
    },
  );

  test("[AUD-02] the events to choose from: steps through their index, not all entries", async () => {
    const plan = await planOf(eventsStatement());
    expect(plan).toMatch(/audit_event_at/);
    expect(plan).not.toMatch(UNINDEXED);
    const { rows } = await eventsStatement().execute(getConnection().db);
    expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining([...MANY_EVENTS]));
  });

  test("[AUD-02] by everything: the index of what finds fewest is read, the rest only checked", async () => {
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
      expect(plan).toMatch(/audit_reference_at/);
      expect(plan).not.toMatch(/audit_(actor|event|at)/);
      expect(plan).not.toMatch(ALL_ENTRIES);
    }
  });
});
