import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { MOST_PEOPLE } from "~/domain/audit/search.server";
import { type loadTrail } from "~/domain/audit/trail.service.server";
import { runJob } from "~/domain/jobs/run.service.server";
import * as trailPage from "~/routes/home.audit-trail";
import * as trailFile from "~/routes/home.audit-trail_.file";
import * as userTrailPage from "~/routes/home.users.$id_.trail";
import * as userTrailFile from "~/routes/home.users.$id_.trail_.file";
import { getConnection, getDb } from "~db/connection.server";
import { type AuditCondition, auditSearchStatement } from "~db/repositories/audit-search.server";
import { record } from "../support/audit";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { sized } from "../support/volume";

usePortal();

type Trail = Awaited<ReturnType<typeof loadTrail>>;

let staff: Visitor;
let anna: { id: number; email: string };
const system = { id: null, name: "test" };

const open = async (query: Record<string, string>) => {
  const page = await openPage(trailPage, staff, `/home/audit-trail?${new URLSearchParams(query).toString()}`);
  return { ...page, text: pageText(page.html) };
};
const load = async (query: Record<string, string> = {}) => {
  const path = `/home/audit-trail?${new URLSearchParams(query).toString()}`;
  return jsonOf<Trail>(await run(trailPage.loader, staff.get(path)));
};
const messages = async (query: Record<string, string>) => (await load(query)).rows.map(({ message }) => message);
const file = async (query: Record<string, string>) => {
  const path = `/home/audit-trail/file?${new URLSearchParams(query).toString()}`;
  return run(trailFile.loader, staff.get(path));
};

beforeAll(async () => {
  const olga = await createAdmin({ email: "olga@example.org" });
  staff = await signedInAs(olga);
  anna = await createUser({ email: "anna@example.org" });
  await getDb().deleteFrom("auditEntries").execute();
  const none = { userId: null, orderId: null, certificateId: null, codeId: null, reference: null };
  const day = (text: string) => new Date(`${text}T12:00:00Z`);
  const add = (message: string, at: string, change: object) => record({ ...none, message, ...change }, day(at));
  await add("By Anna", "2026-03-01", { actor: { id: anna.id, name: anna.email }, event: "test.one" });
  await add("About Anna", "2026-03-02", { actor: system, userId: anna.id, event: "test.two" });
  await add("As Anna", "2026-03-03", { actor: { id: anna.id, name: anna.email, impersonatorId: olga.id } });
  await add("Order by number, 100% sure_", "2026-03-04", { actor: system, orderId: 1001, event: "test.two" });
  await add("By reference", "2026-03-05", { actor: system, reference: "=1+1" });
  await add("By certificate", "2026-03-06", { actor: system, certificateId: 77 });
}, 120_000);

describe("the audit trail", () => {
  test("[AUD-02] shows the latest entries first: who, acting for whom, what, and about what", async () => {
    const { status, html, text } = await open({});
    expect(status).toBe(200);
    expect(textsOf(html, 'th[scope="col"]')).toEqual(["Recorded▼", "Who", "Event", "Message", "About"]);
    expect(text).toContain("1 to 6 of 6, the latest first");
    expect(text).toContain("06/03/2026 12:00:00 UTC");
    expect(textsOf(html, 'td:contains("olga@example.org as ") > bdi')).toEqual(["anna@example.org"]);
    expect(select(html, `a[href="/home/users/${anna.id}"]`)).toHaveLength(1);
    expect(select(html, 'a[href="/home/sale-orders/details?order=1001"]')).toHaveLength(1);
    expect(await messages({ sort: "recorded.asc", size: "10" })).toEqual((await messages({})).toReversed());
  });

  test.each([
    [{ person: "anna@example.org" }, ["As Anna", "About Anna", "By Anna"]],
    [{ person: " ANNA@example.org " }, ["As Anna", "About Anna", "By Anna"]],
    [{ person: "olga@example.org" }, ["As Anna"]],
    [{ person: "nobody@example.org" }, []],
    [{ person: "Ann" }, ["As Anna", "About Anna", "By Anna"]],
    [{ person: "nna@example.org" }, []],
    [{ person: "ann_" }, []],
    [{ person: "%" }, []],
    [{ event: "test.two" }, ["Order by number, 100% sure_", "About Anna"]],
    [{ event: "Test.T" }, ["Order by number, 100% sure_", "About Anna"]],
    [{ event: "est.two" }, []],
    [{ event: "test.", person: "ANNA" }, ["As Anna", "About Anna", "By Anna"]],
    [{ event: "test.two", person: "anna@example.org" }, ["About Anna"]],
    [{ reference: "SO-1001" }, ["Order by number, 100% sure_"]],
    [{ reference: "1001" }, ["Order by number, 100% sure_"]],
    [{ reference: "77" }, ["By certificate"]],
    [{ reference: "=1+1" }, ["By reference"]],
    [{ reference: "9999999999" }, []],
    [{ text: "100% SURE_" }, ["Order by number, 100% sure_"]],
    [{ text: "100_ sure" }, []],
    [{ text: "by", person: "anna@example.org" }, ["By Anna"]],
    [{ from: "2026-03-05" }, ["By certificate", "By reference"]],
    [{ to: "01/03/2026" }, ["By Anna"]],
    [{ from: "2026-03-02", to: "2026-03-03" }, ["As Anna", "About Anna"]],
    [{ from: "0001-01-01", to: "9999-12-31", event: "test.one" }, ["By Anna"]],
  ])("[AUD-02] can be searched by %o", async (query, found) => {
    expect(await messages(query as unknown as Record<string, string>)).toEqual(found);
  });

  test("[AUD-02] offers the events that have entries", async () => {
    const { html } = await open({});
    expect(select(html, 'input[name="event"]').attr("list")).toBe("audit-events");
    const offered = select(html, "datalist#audit-events");
    const { events } = offered.extract({ events: [{ selector: "option", value: "value" }] });
    expect(events).toEqual(expect.arrayContaining(["test.happened", "test.one", "test.two"]));
    expect(new Set(events).size).toBe(events.length);
  });

  test("[AUD-02] says when a search matches too many people; the full name of one is found", async () => {
    await createUser({ email: "crowd@example.org" });
    for (let one = 1; one < MOST_PEOPLE; one += 1) await createUser({ email: `crowd@example.org.x${one}` });
    expect((await open({ person: "crowd" })).status).toBe(200);
    await createUser({ email: "crowd@example.org.last" });
    const many = await open({ person: "crowd" });
    expect([many.status, many.text]).toEqual([422, expect.stringContaining("More than 20 people begin so.")]);
    expect((await open({ person: "crowd@example.org" })).status).toBe(200);
  });

  test("[AUD-02] refuses invalid days or days in the wrong order and keeps them as typed", async () => {
    const wrong = await open({ from: "31/02/2026", to: "tomorrow" });
    expect(wrong.status).toBe(422);
    expect(select(wrong.html, "#audit-from-error").text()).toBe("31/02/2026 is not a day of the calendar.");
    expect(select(wrong.html, "#audit-to-error").text()).toContain("Enter the date as DD/MM/YYYY");
    expect(valueOf(wrong.html, "from")).toBe("31/02/2026");
    const turned = await open({ from: "2026-03-03", to: "2026-03-02" });
    expect(turned.status).toBe(422);
    expect(turned.text).toContain("The last day is before the first one.");
    expect((await load({ from: "2026-03-03", to: "2026-03-03" })).rows).toHaveLength(1);
  });

  test("[AUD-02] shows the last page for a page past the end; the file has the matches and is safe against formulas", async () => {
    expect((await load({ page: "9" })).params.page).toBe(1);
    const response = await file({ reference: "=1+1" });
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const rows = (await response.text()).trimEnd().split("\r\n");
    expect(rows[0]).toBe(
      "Entry,Recorded (UTC),Who,Acted by,Event,Message,Account,Order,Certificate,Code,Reference,Address",
    );
    expect(rows.slice(1)).toEqual([
      expect.stringMatching(/^\d+,05\/03\/2026 12:00:00,test,,test\.happened,By reference,,,,,'=1\+1,$/),
    ]);
    const { actorName, message } = await getDb()
      .selectFrom("auditEntries")
      .select(["actorName", "message"])
      .where("event", "=", "audit.exported")
      .executeTakeFirstOrThrow();
    expect([actorName, message]).toEqual([
      "olga@example.org",
      'Audit entries exported to a file: 1, found by reference "=1+1".',
    ]);
    await getDb().deleteFrom("auditEntries").where("event", "=", "audit.exported").execute();
    expect((await (await file({ text: "nothing of the kind" })).text()).trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("[AUD-02] says when it was last verified and with which result", async () => {
    expect((await open({})).text).toContain("Latest entries: not verified yet");
    await runJob("audit-whole", "test"); // entries were removed above
    const { text } = await open({});
    expect(text).toContain("The audit trail could not be verified.");
    expect(text).toMatch(/The audit trail is not sound \(problems: \d+\)\. Entry \d+ .* missing before it: removed\./);
  });
});

describe("a search of a long audit trail", () => {
  const ENTRIES = sized(60_000, 300_000);
  const isPostgres = () => getConnection().dialect === "postgres";

  beforeAll(async () => {
    const people = "i % 5000 + 100";
    await sql
      .raw(
        `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${ENTRIES})
        insert into audit_entries (id, at, actor_id, actor_name, event, message, user_id, reference)
        select 1000000 + i, ${isPostgres() ? "timestamptz '2020-01-01' + i * interval '1 minute'" : "strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', '+' || i || ' minutes')"},
          ${people}, 'user' || (${people}) || '@example.org', 'test.event' || (i % 50), 'Entry ' || i, ${people}, 'REF-' || i
        from numbers`,
      )
      .execute(getDb());
    await sql.raw(isPostgres() ? "vacuum analyze audit_entries" : "analyze").execute(getDb());
  }, 600_000);

  const search = { groups: [], text: "", from: null, before: null, direction: "desc" as const };
  const event: AuditCondition = { column: "event", value: "test.event7" };
  const person: AuditCondition = { column: "user_id", value: 107 };
  const reference: AuditCondition = { column: "reference", value: "REF-7" };

  test.each([
    ["everything", null, search],
    ["everything, the oldest first", null, { ...search, direction: "asc" as const }],
    ["an event", event, { ...search, groups: [[event]] }],
    ["a person", person, { ...search, groups: [[person]] }],
    ["a person and an event", person, { ...search, groups: [[person], [event]] }],
    ["a reference", reference, { ...search, groups: [[reference], [person], [event]] }],
    ["a text", null, { ...search, text: `entry ${ENTRIES - 1}` }],
    ["a month", null, { ...search, from: "2020-02-01T00:00:00.000Z", before: "2020-03-01T00:00:00.000Z" }],
    ["an event of a month", event, { ...search, groups: [[event]], from: "2020-02-01T00:00:00.000Z" }],
  ])("[AUD-02] by %s reads an index in its order", async (_what, first, wanted) => {
    const statement = auditSearchStatement(first, wanted, 1001);
    const { rows } = await (isPostgres()
      ? sql<Record<string, string>>`explain ${statement}`.execute(getDb())
      : sql<Record<string, string>>`explain query plan ${statement}`.execute(getDb()));
    const plan = rows.map((row) => row.detail ?? Object.values(row)[0]).join("\n");
    expect(plan).toMatch(isPostgres() ? /Index (Only )?Scan/ : /USING (COVERING )?INDEX/);
    expect(plan).not.toMatch(/Seq Scan|TEMP B-TREE/);
    if (first !== person) expect(plan).not.toMatch(/\bSort\b/); // PostgreSQL prefers to sort the few entries of one person
    expect((await statement.execute(getDb())).rows.length).toBeGreaterThan(0);
  });

  test("[AUD-02] lists at most a thousand entries and says that there are more", async () => {
    const { rows, total, hasMore, pages } = await load({ event: "test.event7", size: "100" });
    expect([rows.length, total, hasMore, pages]).toEqual([100, 1000, true, 10]);
    const few = await load({ person: "user107@example.org" });
    expect([few.total, few.hasMore]).toEqual([ENTRIES / 5000, false]);
  });
});

describe("the audit trail of an account", () => {
  let keeper: Visitor;
  let subject: { id: number; email: string };

  beforeAll(async () => {
    keeper = await signedInAs(await createStaff(["user-administrator"]));
    subject = await createUser({ firstName: "Berta", lastName: "Vogel" });
    const by = { id: subject.id, name: subject.email };
    const at = (day: number) => new Date(Date.UTC(2026, 4, day, 12));
    await record({ actor: by, event: "test.three", message: "Did a thing", certificateId: 77, orderId: 1001 }, at(1));
    await record({ actor: system, event: "test.three", message: "Was changed", userId: subject.id }, at(2));
    await record({ actor: { ...system, impersonatorId: subject.id }, event: "test.four", message: "Acted" }, at(3));
    await record({ actor: by, event: "test.four", message: "Changed herself", userId: subject.id }, at(4));
    await record({ actor: system, event: "test.four", message: "Of somebody else", userId: anna.id }, at(5));
  });

  const pathOf = (query: Record<string, string>, file = "") =>
    `/home/users/${subject.id}/trail${file}?${new URLSearchParams(query).toString()}`;
  const paramsOf = () => ({ id: String(subject.id) });
  const found = async (query: Record<string, string> = {}) => {
    const response = await run(userTrailPage.loader, keeper.get(pathOf(query)), paramsOf());
    return (await jsonOf<Trail>(response)).rows.map(({ message }) => message);
  };

  test("[MAN-02] [AUD-02] has the entries about it and of what its person did, and can be narrowed", async () => {
    const { html, status } = await openPage(userTrailPage, keeper, pathOf({}), { params: paramsOf() });
    expect(status).toBe(200);
    expect(textsOf(html, "h1")).toEqual(["Audit trail of Berta Vogel"]);
    expect(pageText(html)).toContain("1 to 4 of 4, the latest first");
    expect(await found()).toEqual(["Changed herself", "Acted", "Was changed", "Did a thing"]);
    expect(await found({ part: "about" })).toEqual(["Changed herself", "Was changed"]);
    expect(await found({ part: "by" })).toEqual(["Changed herself", "Acted", "Did a thing"]);
    expect(await found({ event: "test.three", sort: "recorded.asc" })).toEqual(["Did a thing", "Was changed"]);
    expect(await found({ text: "herself" })).toEqual(["Changed herself"]);
    expect(await found({ from: "02/05/2026", to: "03/05/2026" })).toEqual(["Acted", "Was changed"]);
    const wrong = await run(userTrailPage.loader, keeper.get(pathOf({ from: "31/02/2026" })), paramsOf());
    expect(wrong.status).toBe(422);
  });

  test("[MAN-02] leads a user administrator only to what they may open", async () => {
    const { html } = await openPage(userTrailPage, keeper, pathOf({ part: "by" }), { params: paramsOf() });
    const things = 'td[data-l="About"] a:not([href^="/home/users"])';
    expect(pageText(html)).toContain("Certificate 77");
    expect(textsOf(html, things)).toEqual([]);
    const all = await openPage(userTrailPage, staff, pathOf({ part: "by" }), { params: paramsOf() });
    expect(textsOf(all.html, things)).toEqual(expect.arrayContaining(["Order SO-1001", "Certificate 77"]));
  });

  test("[MAN-02] is exported as CSV, which is recorded, and is not found for an unknown account", async () => {
    const response = await run(userTrailFile.loader, keeper.get(pathOf({ part: "about" }, "/file")), paramsOf());
    expect(response.headers.get("Content-Disposition")).toContain(`audit-trail-of-account-${subject.id}.csv`);
    const text = await response.text();
    expect(text).toContain("Was changed");
    expect(text).not.toContain("Did a thing");
    const exported = getDb().selectFrom("auditEntries").select("message").where("event", "=", "audit.exported");
    expect(await exported.orderBy("sequence", "desc").limit(1).executeTakeFirst()).toEqual({
      message: `Audit entries exported to a file: 2, found by account "${subject.id}", entries "about".`,
    });
    for (const { loader } of [userTrailPage, userTrailFile])
      expect((await run(loader, keeper.get("/home/users/999999/trail"), { id: "999999" })).status).toBe(404);
  });
});
