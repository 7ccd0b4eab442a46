import { describe, expect, test } from "vitest";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as listPage from "~/routes/home.certificates";
import * as listFile from "~/routes/home.certificates_.export[.]csv";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { auditEventsOf, issueCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { merge } from "../support/consolidation";
import { placesOf } from "../support/erasure";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

const pathOf = (id: number) => `/home/certificate-details/${id}`;
const paramsOf = (id: number) => ({ params: { id: String(id) } });
const open = async (who: Visitor, id: number, fields?: Record<string, string>) =>
  openPage(detailsPage, who, pathOf(id), { ...paramsOf(id), ...(fields && { fields }) });

/** Returns the fields of the form as the page has them. */
async function formOn(who: Visitor, id: number): Promise<Record<string, string>> {
  const { html } = await open(who, id);
  const value = (name: string) => select(html, `#notes [name="${name}"]`).attr("value") ?? "";
  const notes = select(html, '#notes [name="notes"]').text();
  return {
    intent: "note",
    __rvfInternalFormId: "notes",
    notes,
    tags: value("tags"),
    seen: value("seen"),
    opened: value("opened"),
  };
}

const save = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(detailsPage.action, await who.post(pathOf(id), fields), { id: String(id) });

const owned = async () => {
  const owner = await createUser();
  const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der });
  return { owner, id, visitor: await signedInAs(owner) };
};

const shown = (html: string) => ({ tags: textsOf(html, ".tags li"), notes: select(html, "dd .lines").text() });

/** Returns the ids of the certificates in the list with this query string. */
const listed = async (who: Visitor, query: string) =>
  select((await openPage(listPage, who, `/home/certificates${query}`)).html, '#certificates tbody [name="id"]')
    .toArray()
    .map((box) => Number("attribs" in box && box.attribs.value));

describe("[CER-06] the notes and tags of a certificate", () => {
  test("are written by a member, normalised, recorded, and read by the company and by staff who see customers", async () => {
    const { owner, id, visitor } = await owned();
    const fields = {
      ...(await formOn(visitor, id)),
      notes: "edi-gw-02,\nport 6619",
      tags: " Plant  1, test;plant 1,, Ω ",
    };
    const answer = await save(visitor, id, fields);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${pathOf(id)}#where-used`]);
    expect(await toastOf(answer)).toMatchObject({ text: "Notes and tags have been saved." });
    const expected = { tags: ["Plant 1", "test", "Ω"], notes: "edi-gw-02,\nport 6619" };
    expect(shown((await open(visitor, id)).html)).toEqual(expected);
    expect((await auditEventsOf(id)).at(-1)).toBe("certificate.notes-changed");

    const reader = await open(await signedInAs(await createColleague(owner, "reader")), id);
    const staff = await open(await signedInAs(await createStaff(["finance"])), id);
    for (const { html } of [reader, staff]) {
      expect(shown(html)).toEqual(expected);
      expect(html).not.toContain('name="notes"');
    }
    await save(visitor, id, await formOn(visitor, id));
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.notes-changed")).toHaveLength(1);
  });

  test("are refused with the rule, keep what was typed, and are for members with a role that may", async () => {
    const { owner, id, visitor } = await owned();
    const typed = async (fields: Record<string, string>) =>
      (await open(visitor, id, { ...(await formOn(visitor, id)), ...fields })).html;
    const many = await typed({ notes: "kept", tags: "a,b,c,d,e,f,g,h,i,j,k" });
    expect(pageText(many)).toContain("At most 10 tags are allowed. There are 11.");
    expect(select(many, '[name="tags"]').attr("value")).toBe("a,b,c,d,e,f,g,h,i,j,k");
    expect(select(many, '[name="notes"]').text().trim()).toBe("kept");
    expect(select(many, "details[open] #notes")).toHaveLength(1);
    expect(pageText(await typed({ tags: "x".repeat(31) }))).toContain("A tag has at most 30 characters.");
    expect(pageText(await typed({ notes: "x".repeat(2001) }))).toMatch(/2000 .*2001|2001 .*2000/);

    const fields = { intent: "note", notes: "Taken", tags: "", seen: "0" };
    for (const person of [await createColleague(owner, "reader"), await createStaff(["finance"])])
      expect((await save(await signedInAs(person), id, fields)).status).toBe(403);
    const stranger = await save(await signedInAs(await createUser()), id, fields);
    expect(stranger.headers.get("Location")).toBe("/home/certificates");
    expect(shown((await open(visitor, id)).html)).toEqual({ tags: [], notes: "" });
  });

  test("of two people at once are merged, and a field that both changed is decided by the second one", async () => {
    const { owner, id, visitor } = await owned();
    const colleague = await signedInAs(await createColleague(owner, "technical"));
    const [mine, theirs] = [await formOn(visitor, id), await formOn(colleague, id)];
    expect((await save(colleague, id, { ...theirs, tags: "Plant 2" })).status).toBe(303);
    const merged = await save(visitor, id, { ...mine, notes: "Gateway" });
    expect(await toastOf(merged)).toMatchObject({
      text: "Notes and tags have been saved. Changed meanwhile, and kept as it is stored: Tags.",
    });
    expect(shown((await open(visitor, id)).html)).toEqual({ tags: ["Plant 2"], notes: "Gateway" });

    const late = await open(colleague, id, { ...theirs, notes: "Other gateway" });
    expect(late.status).toBe(409);
    expect(pageText(late.html)).toContain("This was changed meanwhile. Stored now: 'Gateway'. Your entry is kept.");
    expect(shown((await open(visitor, id)).html).notes).toBe("Gateway");
  });

  test("[MAN-03] are copied to a replacement and then change apart", async () => {
    const { id, visitor } = await owned();
    await save(visitor, id, { intent: "note", notes: "Gateway", tags: "Plant 1", seen: "0" });
    const admin = await signedInAs(await createAdmin());
    const fields = { reason: "Key lost", csr: makeCsr().pem, confirmed: "yes" };
    const answer = await run(reissuePage.action, await admin.post(`/home/certificate/reissue/${id}`, fields), {
      id: String(id),
    });
    const next = Number(/(\d+)$/.exec(answer.headers.get("Location") ?? "")?.[1]);
    expect(shown((await open(visitor, next)).html)).toEqual({ tags: ["Plant 1"], notes: "Gateway" });
    await save(visitor, next, { ...(await formOn(visitor, next)), notes: "New gateway" });
    expect(shown((await open(visitor, id)).html).notes).toBe("Gateway");
  });

  test("[API-03] are read and set by calls, with the version that was read", async () => {
    const { owner, id } = await owned();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const read = async () => (await client.get(`Certificates/GetNotes?certificateId=${id}`)).content;
    expect(await read()).toEqual({ notes: "", tags: [], version: 0, changedAt: "0001-01-01T00:00:00" });
    const set = (body: object) => client.post("Certificates/SetNotes", { certificateId: id, ...body });
    const first = await set({ notes: "Gateway", tags: ["Plant 1", "plant 1"], version: 0 });
    expect(first).toMatchObject({ status: 200, content: { notes: "Gateway", tags: ["Plant 1"], version: 1 } });
    const conflict = await set({ notes: "Other", tags: [], version: 0 });
    expect([conflict.status, conflict.errors?.version]).toEqual([409, expect.stringContaining("with version 1")]);
    expect((await set({ notes: "", tags: ["x".repeat(31)], version: 1 })).errors?.tags).toContain("at most 30");
    expect(await read()).toMatchObject({ notes: "Gateway", version: 1 });
    const stranger = await apiClientOf((await createUser()).email, TEST_PASSWORD);
    expect((await stranger.get(`Certificates/GetNotes?certificateId=${id}`)).status).toBe(404);
  });

  test("[USR-03] lose the address of a person who is erased, and are in that person's data", async () => {
    const { owner, id, visitor } = await owned();
    const { email } = await createColleague(owner, "technical", { email: "tom@notes.example.com" });
    await save(visitor, id, { intent: "note", notes: `Ask ${email}`, tags: `${email}, Plant 1`, seen: "0" });
    const { administerAccount } = await import("~/domain/accounts/administration/user-administration.service.server");
    const { id: colleagueId } = await getDb()
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    await administerAccount({
      action: "erase",
      id: colleagueId,
      actor: { id: null, name: "command line" },
      reason: "Asked",
    });
    const { notes, tags } = shown((await open(visitor, id)).html);
    expect(notes).toBe(`Ask Erased person ${colleagueId}`);
    expect(tags).toEqual([`Erased person ${colleagueId}`, "Plant 1"]);
    expect(await listed(visitor, `?tag=${encodeURIComponent(email)}`)).toEqual([]);
    expect(await listed(visitor, `?search=${encodeURIComponent(email)}`)).toEqual([]);
    expect(await listed(visitor, `?tag=erased%20person%20${colleagueId}`)).toEqual([id]);
    expect(await placesOf([email])).toEqual(["mails.recipient"]); // the last message to the person
  });

  test("[CON-03] move with the certificate to the company of the account that remains after a merge", async () => {
    const [remaining, closed] = [await createUser(), await createUser()];
    const { id } = await issueCertificate({ customer: closed, csr: makeCsr().der });
    const other = await issueCertificate({ customer: remaining, csr: makeCsr().der });
    const visitor = await signedInAs(remaining);
    await save(await signedInAs(closed), id, { intent: "note", notes: "Gateway", tags: "Plant 1", seen: "0" });
    await save(visitor, other.id, { intent: "note", notes: "", tags: "plant 1, Test", seen: "0" });
    expect(await listed(visitor, "?tag=plant%201")).toEqual([other.id]);
    await getDb().updateTable("users").set({ email: remaining.email }).where("id", "=", closed.id).execute();
    expect((await merge(visitor)).status).toBe(303);
    expect(shown((await open(visitor, id)).html)).toEqual({ tags: ["Plant 1"], notes: "Gateway" });
    expect(await listed(visitor, "?tag=plant%201")).toEqual([other.id, id]);
    const { html } = await openPage(listPage, visitor, "/home/certificates");
    expect(textsOf(html, 'nav[aria-label="Certificates by tag"] a')).toEqual(["any", "Plant 1 (2)", "Test (1)"]);
  });
});

describe("[CER-02] the tags of certificates in the list", () => {
  const list = async (who: Visitor, query: string) => {
    const { html } = await openPage(listPage, who, `/home/certificates${query}`);
    return { names: textsOf(html, "#certificates tbody th a:not(.tag)"), html };
  };

  /** Gives the certificate these tags. */
  const tag = async (who: Visitor, id: number, tags: string) => save(who, id, { ...(await formOn(who, id)), tags });

  /** Two certificates of one company, and one of another company with the same tag. */
  const tagged = async () => {
    const { owner, id, visitor } = await owned();
    const second = await issueCertificate({ customer: owner, csr: makeCsr().der });
    await tag(visitor, id, "Zürich, R&D");
    await tag(visitor, second.id, "zurich;=1+1");
    const other = await owned();
    await tag(other.visitor, other.id, "Zürich");
    return { owner, visitor, ids: [id, second.id], other };
  };

  test("are shown as text, filter it by links, are found by a search, and stand in its CSV file, each for one company alone", async () => {
    const { owner, visitor, ids, other } = await tagged();
    const { names, html } = await list(visitor, "");
    expect(names).toHaveLength(2);
    expect(html).toContain("<bdi>R&amp;D</bdi>");
    expect(textsOf(html, 'nav[aria-label="Certificates by tag"] a')).toEqual([
      "any",
      "Zürich (2)",
      "=1+1 (1)",
      "R&D (1)",
    ]);
    const [first = 0, second = 0] = ids;
    expect(await listed(visitor, "?tag=ZURICH")).toEqual([second, first]);
    expect(await listed(visitor, "?tag=r%26d")).toEqual([first]);
    expect(await listed(visitor, "?tag=zur")).toEqual([]);
    expect(await listed(visitor, "?search=zuri")).toEqual([second, first]);
    expect(await listed(visitor, "?search=%3D1%2B1")).toEqual([second]);
    expect(await listed(other.visitor, "?tag=zurich")).toEqual([other.id]);
    expect(await listed(other.visitor, "?search=r%26d")).toEqual([]);

    const answer = await run(listFile.loader, visitor.get("/home/certificates/export.csv?tag=zurich"));
    const csv = await answer.text();
    expect(csv).toContain(',"Zürich, R&D",');
    expect(csv).toContain("zurich, =1+1");
    expect(csv.trim().split("\r\n")).toHaveLength(3);

    const staff = await signedInAs(await createStaff(["finance"]));
    expect(await listed(staff, `?companyId=${owner.companyId}&tag=zurich`)).toEqual([second, first]);
    expect(textsOf((await list(staff, "")).html, 'nav[aria-label="Certificates by tag"] a')).toEqual([]);
    expect((await list(staff, `?search=${first}`)).html).toContain(`tag=Z%C3%BCrich&amp;companyId=${owner.companyId}`);
  });

  test("follow a change of the notes, and a successor begins with them", async () => {
    const { visitor, ids } = await tagged();
    const [first = 0] = ids;
    await tag(visitor, first, "Basel");
    const { names } = await list(visitor, "?tag=basel");
    expect(names).toHaveLength(1);
    expect((await list(visitor, "?tag=r%26d")).html).toContain("No records found");
  });
});
