import { describe, expect, test } from "vitest";
import * as companyPage from "~/routes/home.companies.$id/route";
import * as notesPage from "~/routes/home.companies.$id_.notes";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const pathOf = (id: number) => `/home/companies/${id}`;
const open = (visitor: Visitor, id: number) =>
  openPage(companyPage, visitor, pathOf(id), { params: { id: String(id) } });

/** Returns the table of the notes. */
const tableOf = (html: string) => select(html, '[role=region][aria-label="Notes of staff"]');

describe("notes of staff about a company", () => {
  const write = async (visitor: Visitor, id: number, note: string) =>
    run(companyPage.action, await visitor.post(pathOf(id), { note }), { id: String(id) });

  test("say who wrote what and when, are shown latest first, and have an audit entry", async () => {
    const { companyId } = await createUser({ company: "Noted Ltd" });
    const finance = await signedInAs(await createStaff(["finance"], { firstName: "Fred", lastName: "Finance" }));
    const answer = await write(finance, companyId, "Pays late.\nAsk before invoicing.");
    expect(answer.status).toBe(303);
    finance.follow(answer);
    expect(await toastOf(finance)).toBe("The note was added.");
    const officer = await signedInAs(await createStaff(["registration-officer"]));
    await write(officer, companyId, "The register has another address.");
    const { html } = await open(officer, companyId);
    const notes = textsOf(tableOf(html).html() ?? "", "td[data-l=Note] > div");
    expect(notes).toEqual(["The register has another address.", "Pays late. Ask before invoicing."]);
    expect(tableOf(html).text()).toContain("Fred Finance");
    const entries = getDb().selectFrom("auditEntries").select(["message", "event"]);
    expect(await entries.where("reference", "=", `CO-${companyId}`).execute()).toEqual([
      { event: "company.note-added", message: "Added a note about Noted Ltd." },
      { event: "company.note-added", message: "Added a note about Noted Ltd." },
    ]);
  });

  test("are added once by a form that is sent twice at once, and again by a page that was opened later", async () => {
    const { companyId } = await createUser({ company: "Twice Noted Ltd" });
    const finance = await signedInAs(await createStaff(["finance"]));
    const seenOn = async () => select((await open(finance, companyId)).html, "input[name=seen]").attr("value") ?? "";
    const send = async (seen: string, note = "Twice.") =>
      run(companyPage.action, await finance.post(pathOf(companyId), { note, seen }), { id: String(companyId) });
    const count = async () =>
      (await getDb().selectFrom("companyNotes").select("id").where("companyId", "=", companyId).execute()).length;
    const first = await seenOn();
    const answers = await Promise.all([send(first), send(first)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await count()).toBe(1);
    await send(first, "Another.");
    expect(await count()).toBe(2);
    await send(await seenOn());
    expect(await count()).toBe(3);
  });

  test("are the latest ten, with their number and a link to the page of all of them", async () => {
    const { id: writtenBy, companyId } = await createUser({ company: "Much Noted Ltd" });
    const texts = Array.from({ length: 23 }, (_, index) => `Note ${index + 1}.`);
    const rows = texts.map((text) => ({ companyId, writtenBy, writtenAt: new Date(), text }));
    await getDb().insertInto("companyNotes").values(rows).execute();
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const { html } = await open(auditor, companyId);
    expect(tableOf(html).find("tbody tr").length).toBe(10);
    expect(tableOf(html).text()).toContain("Note 23.");
    expect(pageText(html)).toContain("23, the latest first");
    const all = `${pathOf(companyId)}/notes`;
    expect(textsOf(html, `a[href="${all}"]`)).toEqual(["All notes about the company"]);
    const shown = async (query: string) => {
      const page = await openPage(notesPage, auditor, all + query, { params: { id: String(companyId) } });
      return textsOf(page.html, "td[data-l=Note]");
    };
    expect((await shown("")).at(0)).toBe("Note 23.");
    expect(await shown("?page=3")).toEqual(["Note 3.", "Note 2.", "Note 1."]);
    expect(await shown("?page=9")).toEqual(["Note 3.", "Note 2.", "Note 1."]);
    expect((await shown("?sort=written.asc&size=25")).slice(0, 2)).toEqual(["Note 1.", "Note 2."]);
    const client = await apiClientOf((await createStaff(["finance"])).email, TEST_PASSWORD);
    const call = `Companies/GetCompanyNotes?companyId=${companyId}`;
    expect((await client.get<object[]>(call)).content).toHaveLength(23);
    expect((await client.get(`${call}&pageSize=10&page=3`)).content).toMatchObject([
      { text: "Note 3." },
      { text: "Note 2." },
      { text: "Note 1." },
    ]);
    expect((await client.get(`${call}&pageSize=10&page=4`)).content).toEqual([]);
    expect((await client.get("Companies/GetCompanyNotes?companyId=999999")).status).toBe(404);
  });

  test("are refused when empty or too long, with what was typed", async () => {
    const { companyId } = await createUser();
    const visitor = await signedInAs(await createStaff(["finance"]));
    expect((await errorsOf(await write(visitor, companyId, "  "))).errors.note).toBe("This field is required.");
    const long = "x".repeat(2001);
    expect((await errorsOf(await write(visitor, companyId, long))).errors.note).toBe(
      "At most 2000 characters; this one has 2001.",
    );
    const { html } = await openPage(companyPage, visitor, pathOf(companyId), {
      params: { id: String(companyId) },
      fields: { note: long },
    });
    const area = select(html, 'textarea[name="note"]');
    expect([area.text().trim(), area.attr("maxlength")]).toEqual([long, undefined]);
    expect(textsOf(html, `#${area.attr("id")}-hint`)[0]).toContain("At most 2000 characters.");
  });

  test("[GEN-03] keep an address in angle brackets and a sign of comparison, and lose tags", async () => {
    const { companyId } = await createUser();
    const visitor = await signedInAs(await createStaff(["finance"]));
    const note = "Mail of Jörg <jorg@bauer.example>: 5 <6, <Müller> ";
    expect((await write(visitor, companyId, `${note}<b>bold</b><script>alert(1)</script>`)).status).toBe(303);
    const { html } = await openPage(companyPage, visitor, pathOf(companyId), { params: { id: String(companyId) } });
    expect(pageText(html)).toContain(`${note}bold`);
    expect(html).toContain("&lt;jorg@bauer.example&gt;");
  });

  test.each(["auditor", "user-administrator"] as const)("are not written by %s", async (right) => {
    const { companyId } = await createUser();
    const answer = await write(await signedInAs(await createStaff([right])), companyId, "Hello");
    expect(answer.headers.get("Location")).toBe("/home/dashboard");
    expect(await getDb().selectFrom("companyNotes").selectAll().where("companyId", "=", companyId).execute()).toEqual(
      [],
    );
  });

  test("cannot be changed or deleted, but move with the company that becomes part of another one", async () => {
    const [{ companyId }, other] = [await createUser(), await createUser()];
    await write(await signedInAs(await createStaff(["finance"])), companyId, "Stays.");
    const own = { companyId };
    const change = getDb().updateTable("companyNotes").where("companyId", "=", companyId);
    await expect(change.set({ text: "Other" }).execute()).rejects.toThrow("never changed");
    await expect(getDb().deleteFrom("companyNotes").where("companyId", "=", companyId).execute()).rejects.toThrow(
      "never changed",
    );
    await change.set({ companyId: other.companyId }).execute();
    const notes = getDb().selectFrom("companyNotes").select(["companyId", "text"]);
    expect(await notes.where("companyId", "in", [own.companyId, other.companyId]).execute()).toEqual([
      { companyId: other.companyId, text: "Stays." },
    ]);
  });
});
