import { beforeAll, describe, expect, test } from "vitest";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import * as eventsPage from "~/routes/home.security-events";
import * as eventsFile from "~/routes/home.security-events_.file";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let staff: Visitor;
let anna: Awaited<ReturnType<typeof createUser>>;

const client = (address: string) => ({ address, userAgent: "=cmd|browser", path: "/login", requestId: "" });
const pathOf = (query: Record<string, string>, file = "") =>
  `/home/security-events${file}?${new URLSearchParams(query).toString()}`;
const open = (query: Record<string, string> = {}) => openPage(eventsPage, staff, pathOf(query));
const detailsOf = async (query: Record<string, string>) =>
  textsOf((await open(query)).html, 'tbody td[data-l="Detail"] bdi');

beforeAll(async () => {
  staff = await signedInAs(await createAdmin({ email: "olga@example.org" }));
  anna = await createUser({ email: "anna@example.org" });
  await forgetSecurityEvents();
  const day = (text: string) => new Date(`${text}T12:00:00Z`);
  const wrong = { event: "login.failed", actorName: "nobody@example.org", detail: "No such account." } as const;
  await recordSecurityEvent(getDb(), { ...wrong, client: client("192.0.2.1") }, day("2026-03-01"));
  const refused = { event: "access.refused", userId: anna.id, actorName: anna.email, detail: "No right." } as const;
  await recordSecurityEvent(getDb(), { ...refused, client: client("2001:db8::7") }, day("2026-03-02"));
  await securityEvents();
});

describe("the page of security events", () => {
  test("shows the latest first with event, user, address, path and user agent", async () => {
    const { status, html } = await open();
    expect(status).toBe(200);
    expect(textsOf(html, 'th[scope="col"]')).toEqual(["Recorded▼", "Event", "User", "Address", "Detail"]);
    expect(textsOf(html, "tbody tr td:nth-child(2)")).toEqual(["Access refused", "Login failed"]);
    expect(select(html, `a[href="/home/users/${anna.id}"]`)).toHaveLength(1);
    for (const text of ["2001:db8::7", "/login", "=cmd|browser", "nobody@example.org", "02/03/2026"])
      expect(pageText(html)).toContain(text);
  });

  test.each([
    [{ event: "login.failed" }, ["No such account."]],
    [{ user: "anna" }, ["No right."]],
    [{ user: "Nobody@example.org" }, ["No such account."]],
    [{ user: "somebody" }, []],
    [{ address: "192.0.2.1" }, ["No such account."]],
    [{ address: " 192.0.2.0/24 " }, ["No such account."]],
    [{ address: "192.0.0.0/13" }, ["No such account."]],
    [{ address: "0.0.0.0/0" }, ["No such account."]],
    [{ address: "192.0.2.128/25" }, []],
    [{ address: "192.0.2.1/32" }, ["No such account."]],
    [{ address: "::ffff:192.0.2.1" }, ["No such account."]],
    [{ address: "2001:db8:0:0" }, ["No right."]],
    [{ address: "2001:DB8::/32" }, ["No right."]],
    [{ address: "2001:da0::/27" }, ["No right."]],
    [{ address: "2001:db8:0:0:0:0:0:7" }, ["No right."]],
    [{ address: "2001:db8:1::/48" }, []],
    [{ address: "2001:db8::/64", user: "anna" }, ["No right."]],
    [{ from: "2026-03-02" }, ["No right."]],
    [{ to: "2026-03-01" }, ["No such account."]],
    [{ event: "login.failed", user: "anna" }, []],
    [{ sort: "recorded.asc" }, ["No such account.", "No right."]],
  ] as [Record<string, string>, string[]][])("finds by %j", async (query, details) => {
    expect(await detailsOf(query)).toEqual(details);
  });

  test("finds a network with very many events in the order of time", async () => {
    const [row] = (await securityEvents()).filter(({ address }) => address === "192.0.2.1");
    const { id: _, ...event } = row ?? expect.fail("The event is missing.");
    const other = {
      ...event,
      address: "198.51.100.1",
      addressDigits: `${"0".repeat(20)}ffffc6336401`,
      detail: "One of many.",
    };
    const rows = Array.from({ length: 1000 }, () => other);
    for (let count = 0; count <= 20; count += 1)
      for (let at = 0; at < rows.length; at += 50)
        await getDb()
          .insertInto("securityEvents")
          .values(rows.slice(at, at + 50))
          .execute();
    expect((await detailsOf({ address: "0.0.0.0/0", sort: "recorded.asc" }))[0]).toBe("No such account.");
    expect(await detailsOf({ address: "192.0.0.0/8", sort: "recorded.asc" })).toEqual(["No such account."]);
    expect((await detailsOf({ address: "198.51.100.0/24" })).every((text) => text === "One of many.")).toBe(true);
    await getDb().deleteFrom("securityEvents").where("address", "=", "198.51.100.1").execute();
  });

  test.each(["10.0.0.0/99", "127.0.0", "300.1.1.1", "2001:db8::/129", "example.org", "192.0.2.0/", "192.0.2.0/24/8"])(
    "refuses %s, which is neither an address nor a network",
    async (address) => {
      const wrong = await open({ address });
      expect(wrong.status).toBe(422);
      expect(pageText(wrong.html)).toContain("Enter an address or a network, such as 192.0.2.1, 192.0.2.0/24");
      expect(wrong.html).toContain(`value="${address}"`);
    },
  );

  test("says that nothing was found, and what is wrong with a date", async () => {
    expect(pageText((await open({ address: "10.0.0.1" })).html)).toContain("No records found");
    const wrong = await open({ from: "31/02/2026" });
    expect(wrong.status).toBe(422);
    expect(pageText(wrong.html)).toContain("31/02/2026 is not a day of the calendar.");
  });

  test("exports what was found as a CSV file without formulas, and records the export", async () => {
    const answer = await run(eventsFile.loader, staff.get(pathOf({ address: "192.0.2.1" }, "/file")));
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/login\.failed.*,'=cmd\|browser,/);
    const { message } = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("event", "=", "security-events.exported")
      .executeTakeFirstOrThrow();
    expect(message).toBe('Security events exported to a file: 1, found by address "192.0.2.1".');
  });

  test("is linked from the page of a user with that user's events", async () => {
    const { html } = await openPage(userPage, staff, `/home/users/${anna.id}`, { params: { id: String(anna.id) } });
    const [, query] = /href="\/home\/security-events\?([^"]+)"/.exec(html) ?? [];
    expect(await detailsOf(Object.fromEntries(new URLSearchParams(query)))).toEqual(["No right."]);
  });

  test("is for administrators only", async () => {
    const visitor = await signedInAs(anna);
    const answer = await run(eventsPage.loader, visitor.get("/home/security-events", clientFrom("192.0.2.9")));
    expect(answer.headers.get("Location")).toBe("/home/dashboard");
  });
});
