import { describe, expect, test } from "vitest";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as details from "~/routes/home.codes_.code-details/route";
import * as contactDetails from "~/routes/home.codes_.code-details_.contact-details";
import { getDb } from "~db/connection.server";
import { listCodeContacts } from "~db/repositories/code-contacts.server";
import { countCodesOf } from "~db/repositories/codes.server";
import {
  begin,
  codeIn,
  CONTACT,
  ENTITY,
  type Fields,
  fillContact,
  openContact,
  pageOf,
  refusal,
  send,
  toastOf,
  update,
} from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { blankTexts, onlyMarkup, takenTexts, tooLongTexts } from "../support/edges";
import { createUser } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

const IDA_EMAIL = "ida.berg@example-parts.com";
const EVA = { ...CONTACT, firstName: "Eva", emailAddress: "eva@example-parts.com", contactType: "Sales" };

/** Presses Add New Contact on the page at this address and fills the contact in. Returns the address of the code's form. */
async function add(visitor: Visitor, path: string, typed: Fields, contact: Fields): Promise<string> {
  const form = await openContact(visitor, path, typed);
  return (await fillContact(visitor, form, contact)).headers.get("Location") ?? "";
}

/** Opens the form of a customer's code that has one stored contact. */
async function codeWithContact() {
  const { visitor } = people.customer;
  const { id, updatedAt } = await createCode(people.customer);
  const typed = { ...ENTITY, status: "Registered", version: updatedAt };
  const path = await add(visitor, paths.codeDetails({ code: id }), typed, CONTACT);
  await send(visitor, path, typed);
  const { contacts, values } = await pageOf(visitor, paths.codeDetails({ code: id }));
  return { id, contact: contacts[0]?.id ?? 0, typed: { ...typed, version: values.version ?? "" } };
}

describe("[COD-08] contacts of a code that is being registered", () => {
  test("are kept with everything typed on the code and saved with it", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await createAvailableCodes(user, "Full", 1);
    const form = await begin(visitor, { type: "Full" });
    const typed = {
      entityName: "Plant",
      shortName: "x".repeat(200), // invalid values are kept too
      entityTypes: ["IT", "Other"],
      otherText: "Museum",
      "physicalAddress.city": "York",
      usePhysicalAddress: "on",
    };
    expect(await add(visitor, form, typed, CONTACT)).toBe(form);
    expect(await add(visitor, form, typed, EVA)).toBe(form);
    const { values, contacts } = await pageOf(visitor, form);
    const { "physicalAddress.city": city, ...texts } = typed;
    expect(values).toMatchObject({ ...texts, status: "Registered", physicalAddress: { city } });
    expect(values).not.toHaveProperty("useCompanyAddress");
    expect(contacts).toMatchObject([
      { id: -20000, ...CONTACT },
      { id: -20001, ...EVA },
    ]);
    expect(await countCodesOf(getDb(), user.companyId)).toBe(0);

    const { id } = await codeIn(await send(visitor, form, ENTITY));
    expect(await listCodeContacts(getDb(), id)).toMatchObject([
      { firstName: "Ida", email: CONTACT.emailAddress, contactType: "IT", jobTitle: null },
      { firstName: "Eva", email: EVA.emailAddress, contactType: "Sales" },
    ]);
  });

  test("are opened again by temporary id; one with the same email replaces the other", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await createAvailableCodes(user, "Full", 1);
    const form = await begin(visitor, { type: "Full" });
    await add(visitor, form, ENTITY, CONTACT);
    await add(visitor, form, ENTITY, EVA);
    const opened = await openContact(visitor, form, ENTITY, "-20000");
    const { html } = await openPage(contactDetails, visitor, opened);
    expect(valueOf(html, "firstName")).toBe("Ida");
    expect(textsOf(html, "button")).toContain("Update");
    await fillContact(visitor, opened, { ...CONTACT, firstName: "Idun" });
    await add(visitor, form, ENTITY, { ...EVA, emailAddress: "EVA@example-parts.com", lastName: "Tal" });
    expect((await pageOf(visitor, form)).contacts).toMatchObject([
      { id: -20000, firstName: "Idun" },
      { id: -20001, lastName: "Tal" },
    ]);
  });

  test("are not kept for a form of somebody else or one that does not exist", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await createAvailableCodes(user, "Full", 1);
    const form = await begin(visitor, { type: "Full" });
    const contact = await openContact(visitor, form, ENTITY);
    expect((await fillContact(people.stranger.visitor, contact, CONTACT)).headers.get("Location")).toBe(paths.codes);
    expect((await fillContact(visitor, `${contact}&contact=-20000`, CONTACT)).status).toBe(404);
    expect((await pageOf(visitor, form)).contacts).toEqual([]);
  });
});

describe("[COD-08] contacts of a stored code", () => {
  test("are changed by id and stored when the code is updated, not before", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const path = paths.codeDetails({ code: id });
    const form = await openContact(visitor, path, typed, String(contact));
    const draft = (await fillContact(visitor, form, { ...EVA })).headers.get("Location") ?? "";
    expect((await pageOf(visitor, draft)).contacts).toMatchObject([{ id: contact, firstName: "Eva" }]);
    expect(await listCodeContacts(getDb(), id)).toMatchObject([{ firstName: "Ida" }]);
    await send(visitor, draft, typed);
    expect(await listCodeContacts(getDb(), id)).toMatchObject([
      { id: contact, firstName: "Eva", email: EVA.emailAddress },
    ]);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("codeId", "=", id)
      .orderBy("id")
      .execute();
    expect(entries.at(-1)?.message).toMatch(
      /^Changed \w{6}: contact Ida Berg \(contact type from 'IT' to 'Sales', first name from 'Ida' to 'Eva', email from '[^']+' to '[^']+'\)\.$/,
    );
  });

  test("join contacts that were stored in the meantime when the form was saved elsewhere", async () => {
    const { visitor } = people.customer;
    const { id, typed } = await codeWithContact();
    const path = paths.codeDetails({ code: id });
    const mine = await add(visitor, path, typed, EVA);
    const theirs = await add(people.admin.visitor, path, typed, {
      ...CONTACT,
      emailAddress: "third@example-parts.com",
    });
    expect((await send(people.admin.visitor, theirs, typed)).status).toBe(303);
    expect((await send(visitor, mine, typed)).status).toBe(303);
    expect((await listCodeContacts(getDb(), id)).map(({ email }) => email)).toEqual([
      CONTACT.emailAddress,
      "third@example-parts.com",
      EVA.emailAddress,
    ]);
  });

  test("[COD-08] that both users changed keep the other's fields; a conflict in one field is reported first", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const path = paths.codeDetails({ code: id });
    const change = async (who: Visitor, fields: Fields) =>
      (
        await fillContact(who, await openContact(who, path, typed, String(contact)), { ...CONTACT, ...fields })
      ).headers.get("Location") ?? "";
    const mine = await change(visitor, { jobTitle: "Mine", department: "Mine" });
    const saved = await send(
      people.admin.visitor,
      await change(people.admin.visitor, { fax: "+44 1", jobTitle: "Theirs" }),
      typed,
    );
    expect(saved.status).toBe(303);
    const { status, errors, values } = await errorsOf(await send(visitor, mine, typed));
    expect([status, errors.form]).toEqual([
      409,
      expect.stringContaining("Ida Berg was changed: job title (stored now: 'Theirs')."),
    ]);
    expect(await listCodeContacts(getDb(), id)).toMatchObject([{ jobTitle: "Theirs", department: null }]);
    expect((await send(visitor, mine, { ...typed, version: String(values.version) })).status).toBe(303);
    expect(await listCodeContacts(getDb(), id)).toMatchObject([{ jobTitle: "Mine", department: "Mine", fax: "+44 1" }]);
  });

  test("are read-only where the code cannot be edited", async () => {
    const { visitor } = people.customer;
    const { id, contact } = await codeWithContact();
    await update(people.admin.visitor, id, { status: "Cancelled" });
    const path = rarePaths.codeContact({ code: id, contact });
    const { html } = await openPage(contactDetails, visitor, path);
    expect(select(html, "fieldset.group[disabled]")).toHaveLength(1);
    expect(valueOf(html, "firstName")).toBe("Ida");
    for (const label of ["Save", "Update"]) expect(textsOf(html, "button")).not.toContain(label);
    expect((await fillContact(visitor, path, EVA)).status).toBe(404);
    const fresh = await run(contactDetails.loader, visitor.get(rarePaths.codeContact({ code: id })));
    expect(fresh.headers.get("Location")).toBe(paths.codeDetails({ code: id }));
    for (const other of [rarePaths.codeContact({ code: id, contact: contact + 1000 }), `${path}x`])
      expect((await run(contactDetails.loader, visitor.get(other))).status).toBe(404);
    expect((await run(contactDetails.loader, people.stranger.visitor.get(path))).status).toBe(404);
  });

  test("[COD-04] are refused with a message when staff cancel the code while they are typed", async () => {
    const { visitor } = people.customer;
    const { id, typed } = await codeWithContact();
    const form = await openContact(visitor, paths.codeDetails({ code: id }), typed);
    await update(people.admin.visitor, id, { status: "Cancelled" });
    const refused = await fillContact(visitor, form, EVA);
    expect(refused.headers.get("Location")).toBe(paths.codeDetails({ code: id }));
    expect(await toastOf(refused)).toEqual({ kind: "warn", text: NOT_EDITABLE });
    expect(await listCodeContacts(getDb(), id)).toHaveLength(1);
  });
});

describe("[COD-08] no two contacts of a code have the same email address", () => {
  const storedEmails = async (id: number) =>
    (await listCodeContacts(getDb(), id)).map(({ firstName, email }) => [firstName, email]);

  test("an opened contact cannot take the email of another, whatever the case, and the typed values stay", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const draft = await add(visitor, paths.codeDetails({ code: id }), typed, EVA);
    for (const [opened, fields] of [
      ["-20000", { ...EVA, emailAddress: "Ida.Berg@Example-Parts.com", firstName: "Gamma" }],
      [String(contact), { ...CONTACT, emailAddress: EVA.emailAddress, firstName: "Gamma" }],
    ] as const) {
      const refused = await fillContact(visitor, await openContact(visitor, draft, typed, opened), fields);
      const { status, errors, values } = await errorsOf(refused);
      expect({ status, errors }).toEqual({
        status: 422,
        errors: { emailAddress: "Another contact of this code has this email address." },
      });
      expect(values).toMatchObject({ firstName: "Gamma" });
    }
    expect((await send(visitor, draft, typed)).status).toBe(303);
    expect(await storedEmails(id)).toEqual([
      ["Ida", IDA_EMAIL],
      ["Eva", EVA.emailAddress],
    ]);
  });

  test("a new contact with it replaces the other one, and the page names that one before and after saving", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const form = await openContact(visitor, paths.codeDetails({ code: id }), typed);
    const answer = await fillContact(visitor, form, { ...EVA, emailAddress: IDA_EMAIL.toUpperCase() });
    expect(await toastOf(answer)).toEqual({
      kind: "warn",
      text: "Eva Berg takes the place of Ida Berg, who had the same email address.",
    });
    const draft = answer.headers.get("Location") ?? "";
    const { html } = await openPage(details, visitor, draft);
    expect(pageText(html)).toContain("Not saved yet; still stored as Ida Berg");
    expect((await pageOf(visitor, draft)).contacts).toMatchObject([{ id: contact, firstName: "Eva" }]);
    await send(visitor, draft, typed);
    expect(await storedEmails(id)).toEqual([["Eva", IDA_EMAIL.toUpperCase()]]);
  });

  test("the page names a renamed contact by its stored name until it is saved", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const opened = await openContact(visitor, paths.codeDetails({ code: id }), typed, String(contact));
    const draft = (await fillContact(visitor, opened, { ...CONTACT, lastName: "Tal" })).headers.get("Location") ?? "";
    const held = await openPage(details, visitor, draft);
    expect(pageText(held.html)).toContain("Not saved yet; still stored as Ida Berg");
    await send(visitor, draft, typed);
    const { html } = await openPage(details, visitor, paths.codeDetails({ code: id }));
    expect(html).not.toContain("still stored as");
  });

  test("a new contact can take the email that an unsaved change gives up", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const opened = await openContact(visitor, paths.codeDetails({ code: id }), typed, String(contact));
    const moved = { ...CONTACT, emailAddress: "ida@elsewhere.example.com" };
    const draft = (await fillContact(visitor, opened, moved)).headers.get("Location") ?? "";
    await add(visitor, draft, typed, { ...EVA, emailAddress: IDA_EMAIL });
    expect((await pageOf(visitor, draft)).contacts).toHaveLength(2);
    await send(visitor, draft, typed);
    expect(await storedEmails(id)).toEqual([
      ["Ida", "ida@elsewhere.example.com"],
      ["Eva", IDA_EMAIL],
    ]);
  });

  test("when another window gave it to a new contact, nothing is saved until one is changed", async () => {
    const { visitor } = people.customer;
    const { id, contact, typed } = await codeWithContact();
    const path = paths.codeDetails({ code: id });
    const opened = await openContact(visitor, path, typed, String(contact));
    const moved = { ...CONTACT, emailAddress: EVA.emailAddress };
    const mine = (await fillContact(visitor, opened, moved)).headers.get("Location") ?? "";
    await send(people.admin.visitor, await add(people.admin.visitor, path, typed, EVA), typed);
    const { status, errors } = await errorsOf(await send(visitor, mine, typed));
    expect(status).toBe(422);
    expect(errors.form).toBe("Ida Berg: Another contact of this code has this email address.");
    expect(await storedEmails(id)).toEqual([
      ["Ida", IDA_EMAIL],
      ["Eva", EVA.emailAddress],
    ]);
  });
});

describe("[COD-07] fields of a contact", () => {
  const newForm = async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await createAvailableCodes(user, "Full", 1);
    const form = await openContact(visitor, await begin(visitor, { type: "Full" }), ENTITY);
    const fill = (fields: Fields) => fillContact(visitor, form, { ...CONTACT, ...fields });
    const kept = async (fields: Fields) => {
      const saved = await fill(fields);
      return (await pageOf(visitor, saved.headers.get("Location") ?? "")).contacts[0];
    };
    return { fill, kept };
  };

  test.each([
    ["firstName", 120],
    ["lastName", 120],
    ["jobTitle", 120],
    ["department", 70],
  ])("%s", async (field, max) => {
    const { fill, kept } = await newForm();
    for (const [typed, stays] of takenTexts(max))
      expect(await kept({ [field]: typed })).toMatchObject({ [field]: stays });
    for (const [typed, message] of tooLongTexts(max))
      expect((await refusal(fill({ [field]: typed }))).errors).toEqual({ [field]: message });
    for (const [typed, message] of blankTexts)
      if (/Name/.test(field)) expect((await refusal(fill({ [field]: typed }))).errors).toEqual({ [field]: message });
      else expect(await kept({ [field]: typed })).toMatchObject({ [field]: "" });
    expect((await refusal(fill({ [field]: onlyMarkup }))).errors).toEqual({ [field]: messages.markup });
  });

  test.each([
    ["phoneNumber", 25],
    ["mobile", 35],
    ["fax", 35],
  ])("%s", async (field, max) => {
    const { fill, kept } = await newForm();
    for (const typed of ["", "+49 (0) 221 {1}", "1".repeat(max)])
      expect(await kept({ [field]: typed })).toMatchObject({ [field]: typed });
    expect((await refusal(fill({ [field]: "1".repeat(max + 1) }))).errors).toEqual({ [field]: messages.outOfRange });
    for (const typed of ["abc", "+", "12-34"])
      expect((await refusal(fill({ [field]: typed }))).errors).toEqual({ [field]: messages.telephone });
  });

  test("emailAddress is required and valid", async () => {
    const { fill, kept } = await newForm();
    const longest = `${"x".repeat(48)}@example.com`;
    expect(await kept({ emailAddress: longest })).toMatchObject({ emailAddress: longest });
    expect((await refusal(fill({ emailAddress: `x${longest}` }))).errors).toEqual({
      emailAddress: messages.outOfRange,
    });
    for (const emailAddress of ["x", "x@", "a b@example.com", "x@example", "x<b></b>@example.com", onlyMarkup])
      expect((await refusal(fill({ emailAddress }))).errors).toEqual({ emailAddress: messages.email });
    for (const [emailAddress, message] of blankTexts)
      expect((await refusal(fill({ emailAddress }))).errors).toEqual({ emailAddress: message });
  });

  test("contactType is one of the list", async () => {
    const { fill, kept } = await newForm();
    const { html } = await openPage(contactDetails, people.customer.visitor, await newContact());
    const options = textsOf(html, 'select[name="contactType"] option');
    const types =
      "Accounting, Expedition, IT, Information, Material Inspection, Material Schedule, OFTP, Purchase, Receiving, Sales, Transport, Warehouse";
    expect(options).toEqual(["Select contact type", ...types.split(", ")]);
    for (const contactType of types.split(", ")) expect(await kept({ contactType })).toMatchObject({ contactType });
    for (const contactType of ["", " "])
      expect((await refusal(fill({ contactType }))).errors).toEqual({ contactType: messages.required });
    for (const contactType of ["it", "Boss"])
      expect((await refusal(fill({ contactType }))).errors).toEqual({ contactType: messages.collection });
  });

  async function newContact() {
    const { id } = await createCode(people.customer);
    return openContact(people.customer.visitor, paths.codeDetails({ code: id }), ENTITY);
  }
});
