import { beforeAll, describe, expect, test } from "vitest";
import { type UserListItem } from "~/domain/accounts/administration/users-list.service.server";
import * as usersPage from "~/routes/home.users._index";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let staff: Visitor;
/** The ids of the accounts by name. Each account is a different case. */
const ids: Record<string, number> = {};

interface Answer {
  rows: UserListItem[];
  total: number;
  pages: number;
  params: { page: number };
}

const list = async (query = "") => jsonOf<Answer>(await run(usersPage.loader, staff.get(`/home/users${query}`)));
const namesOf = ({ rows }: Answer) => rows.map((row) => row.name);
const search = (text: string) => list(`?search=${encodeURIComponent(text)}&size=100`);

beforeAll(async () => {
  const add = async (name: string, given: Parameters<typeof createUser>[0]) => {
    const [firstName = "", lastName = ""] = name.split(" ");
    ids[name] = (await createUser({ firstName, lastName, company: "Acme", ...given })).id;
  };
  const admin = await createAdmin({ firstName: "Olga", lastName: "Staff", company: "Example Association" });
  staff = await signedInAs(admin);
  await add("Zoë ÄPFEL", {
    company: "MÜLLER ÖL AG",
    email: "zoe@example-oil.com",
    lastLoginAt: new Date("2026-03-04"),
  });
  await add("bert äpfel", { company: "müller stahl", isDisabled: true });
  await add("Carl Alpha", { lockedUntil: new Date(Date.now() + 600_000), lastLoginAt: new Date("2026-01-02") });
  await add("Dora Beta", { lockedUntil: new Date(Date.now() - 1000), username: "dora100%_x", isAdmin: true });
  await add("Emil Gamma", { isDisabled: true, isApplicant: false });
  await updateUser(getDb(), ids["Emil Gamma"] ?? 0, { mergedInto: ids["Dora Beta"] ?? null });
});

describe("the users list", () => {
  test("[MAN-02] has columns with rights, state as a badge and last login; the name links the account; [GEN-03] names are isolated", async () => {
    const { status, html } = await openPage(usersPage, staff, "/home/users");
    expect(status).toBe(200);
    const heads = textsOf(html, 'th[scope="col"]');
    expect(heads).toEqual(["Name▲", "Company", "Email", "Rights", "State", "Last login"]);
    expect(select(html, "tbody tr")).toHaveLength(6);
    const inRow = (name: string, selector: string) => textsOf(html, `tr:contains("${name}") ${selector}`);
    expect(inRow("Zoë ÄPFEL", `a[href="/home/users/${ids["Zoë ÄPFEL"]}"] > bdi`)).toEqual(["Zoë ÄPFEL"]);
    expect(inRow("Zoë ÄPFEL", "bdi")).toContain("MÜLLER ÖL AG");
    expect(inRow("Zoë ÄPFEL", "span.tag.ok")).toEqual(["Active"]);
    expect(inRow("Zoë ÄPFEL", '[data-l="Last login"]')).toEqual([expect.stringContaining("04/03/2026")]);
    expect(inRow("Dora Beta", '[data-l="Rights"]')).toEqual(["Applicant, Admin"]);
    expect(inRow("Dora Beta", ".hint")).toEqual(["User name dora100%_x"]);
    expect(inRow("Dora Beta", '[data-l="Last login"]')).toEqual([""]);
    expect(inRow("Emil Gamma", '[data-l="Rights"]')).toEqual(["None"]);
    expect(pageText(html)).toContain("1 to 6 of 6, sorted by last name");
  });

  test("[MAN-02] is sorted by the database without regard to case and accents, in both directions; users who never logged in come last", async () => {
    const byName = ["Carl Alpha", "bert äpfel", "Zoë ÄPFEL", "Dora Beta", "Emil Gamma", "Olga Staff"];
    expect(namesOf(await list())).toEqual(byName);
    expect(namesOf(await list("?sort=name.desc"))).toEqual(byName.toReversed());
    expect(namesOf(await list("?sort=company.desc")).slice(0, 2)).toEqual(["bert äpfel", "Zoë ÄPFEL"]);
    expect(namesOf(await list("?sort=lastLogin.asc")).slice(0, 2)).toEqual(["Carl Alpha", "Zoë ÄPFEL"]);
    expect(namesOf(await list("?sort=lastLogin.desc")).slice(0, 2)).toEqual(["Zoë ÄPFEL", "Carl Alpha"]);
    expect(namesOf(await list("?sort=email.desc"))[0]).toBe("Zoë ÄPFEL");
  });

  test.each([
    ["zoë", ["Zoë ÄPFEL"]],
    ["ZOE\u0308 apfel", ["Zoë ÄPFEL"]],
    ["ZOE\u0308 äpf", ["Zoë ÄPFEL"]],
    ["müller", ["bert äpfel", "Zoë ÄPFEL"]],
    ["MÜLLER öl", ["Zoë ÄPFEL"]],
    ["EXAMPLE-OIL.com", ["Zoë ÄPFEL"]],
    ["0%_", ["Dora Beta"]],
    ["%", ["Dora Beta"]],
    ["d_ra", []],
    ["' or 1=1 --", []],
    ["nobody at all", []],
  ])("[MAN-02] can be searched for %j in name, company, email and user name", async (text, names) => {
    expect(namesOf(await search(text))).toEqual(names);
  });

  test.each([
    ["active", ["Zoë ÄPFEL", "Dora Beta", "Olga Staff"]],
    ["disabled", ["bert äpfel"]],
    ["locked", ["Carl Alpha"]],
    ["merged", ["Emil Gamma"]],
    ["nonsense", ["Carl Alpha", "bert äpfel", "Zoë ÄPFEL", "Dora Beta", "Emil Gamma", "Olga Staff"]],
  ])("[MAN-02] can show only accounts that are %s", async (state, names) => {
    const answer = await list(`?state=${state}`);
    expect(namesOf(answer)).toEqual(names);
    if (state !== "nonsense") expect(answer.rows.map((row) => row.state.toLowerCase())).toEqual(names.map(() => state));
  });

  test("[MAN-02] shows whose a lock is; an administrator's has no end", async () => {
    const id = ids["Carl Alpha"] ?? 0;
    const shown = async () => {
      const { html } = await openPage(usersPage, staff, "/home/users?state=locked");
      return textsOf(html, 'tr:contains("Carl Alpha") [data-l="State"]');
    };
    expect(await shown()).toEqual(["LockedFor unknown browsers"]);
    await updateUser(getDb(), id, { adminLockedAt: new Date(), lockedUntil: new Date(Date.now() - 1000) });
    expect(await shown()).toEqual(["LockedBy an administrator"]);
    await updateUser(getDb(), id, { adminLockedAt: null, lockedUntil: new Date(Date.now() + 600_000) });
  });

  test("[MAN-02] says when nothing is found; state and order stay in the links and the search form", async () => {
    const none = await openPage(usersPage, staff, "/home/users?search=nobody");
    expect(textsOf(none.html, "td")).toContain("No records found for nobody. Clear search");
    const { html } = await openPage(usersPage, staff, "/home/users?state=active&sort=company.desc&size=25&search=a");
    expect(select(html, 'input[type="hidden"][name="state"]').val()).toBe("active");
    expect(select(html, 'input[type="hidden"][name="sort"]').val()).toBe("company.desc");
    expect(textsOf(html, '[aria-current="true"]')).toContain("active");
    const query = "?size=25&sort=company.desc&search=a&state=";
    expect(textsOf(html, `a[href="/home/users${query}locked"]`)).toEqual(["locked"]);
    expect(textsOf(html, `a[href="/home/users/${ids["Zoë ÄPFEL"]}${query}active"]`)).toEqual(["Zoë ÄPFEL"]);
  });

  test("[MAN-02] has ten rows to a page, other sizes in the URL; a page past the end is the last one", async () => {
    for (let index = 0; index < 7; index += 1)
      await createUser({ firstName: "Many", lastName: `Zz${index}`, company: "Page Ltd" });
    const first = await list();
    expect(first).toMatchObject({ total: 13, pages: 2, params: { page: 1 } });
    expect(first.rows).toHaveLength(10);
    const last = await list("?page=99");
    expect(last.params.page).toBe(2);
    expect(last.rows).toHaveLength(3);
    expect((await list("?size=25")).rows).toHaveLength(13);
    const { html } = await openPage(usersPage, staff, "/home/users?page=2&search=a");
    expect(pageText(html)).toContain("11 to 13 of 13");
  });

  test("[MAN-02] finds renamed users by the new name only", async () => {
    const { id } = await createUser({ firstName: "Olaf", lastName: "Vorher", company: "Vorher AG" });
    await updateUser(getDb(), id, { lastName: "NACHHER" });
    expect(namesOf(await search("olaf nachher"))).toEqual(["Olaf NACHHER"]);
    expect(namesOf(await search("olaf vorher"))).toEqual(["Olaf NACHHER"]);
    await updateUser(getDb(), id, { company: "Später AG", email: "olaf@example-late.com", username: "olaf" });
    expect(namesOf(await search("vorher"))).toEqual([]);
    expect(namesOf(await search("SPÄTER"))).toEqual(["Olaf NACHHER"]);
    await updateUser(getDb(), id, { isDisabled: true, lastName: "Zuletzt", firstName: "Olaf" });
    expect(namesOf(await list("?sort=name.desc&search=olaf"))).toEqual(["Olaf Zuletzt"]);
  });
});
