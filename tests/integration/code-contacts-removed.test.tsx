import { expect, test } from "vitest";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { getDb } from "~db/connection.server";
import { listCodeContacts } from "~db/repositories/code-contacts.server";
import {
  begin,
  codeIn,
  CONTACT,
  ENTITY,
  type Fields,
  fillContact,
  openContact,
  pageOf,
  send,
  toastOf,
  update,
} from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

const EVA = { ...CONTACT, firstName: "Eva", emailAddress: "eva@example-parts.com", contactType: "Sales" };

const fill = async (visitor: Visitor, path: string, typed: Fields, contact: Fields, opened?: string) =>
  (await fillContact(visitor, await openContact(visitor, path, typed, opened), contact)).headers.get("Location") ?? "";

const remove = (visitor: Visitor, path: string, typed: Fields, id: number | string) =>
  send(visitor, path, { ...typed, remove: String(id) });
const undo = (visitor: Visitor, path: string, typed: Fields) => send(visitor, path, { ...typed, restore: "yes" });

const emailsOn = async (visitor: Visitor, path: string) =>
  (await pageOf(visitor, path)).contacts.map(({ emailAddress }) => emailAddress);

/** Begins a registration whose draft has two contacts. */
async function registration() {
  const user = await createUser();
  const visitor = await signedInAs(user);
  await createAvailableCodes(user, "Full", 1);
  const form = await begin(visitor, { type: "Full" });
  for (const contact of [CONTACT, EVA]) await fill(visitor, form, ENTITY, contact);
  return { visitor, form };
}

/** Opens the form of a customer's code that has one contact. */
async function stored() {
  const { visitor } = people.customer;
  const { id, updatedAt } = await createCode(people.customer);
  const first = { ...ENTITY, status: "Registered", version: updatedAt };
  await send(visitor, await fill(visitor, paths.codeDetails({ code: id }), first, CONTACT), first);
  const { contacts, values } = await pageOf(visitor, paths.codeDetails({ code: id }));
  const typed = { ...first, version: values.version ?? "" };
  return { id, visitor, contact: contacts[0]?.id ?? 0, typed, path: paths.codeDetails({ code: id }) };
}

const storedNames = async (id: number) =>
  (await listCodeContacts(getDb(), id)).map(({ firstName, email }) => [firstName, email]);

test("[COD-08] removing an unsaved contact keeps the other one and everything typed, and only they are saved", async () => {
  const { visitor, form } = await registration();
  const typed = { ...ENTITY, shortName: "x".repeat(200), "physicalAddress.city": "York", entityTypes: ["IT", "Other"] };
  const response = await remove(visitor, form, typed, -20000);
  expect([response.status, response.headers.get("Location")]).toEqual([303, `${form}#contacts`]);
  const { contacts, values } = await pageOf(visitor, form);
  expect(contacts).toMatchObject([{ id: -20001, ...EVA }]);
  expect(values).toMatchObject({ shortName: typed.shortName, physicalAddress: { city: "York" } });
  expect(values.entityTypes).toEqual(["IT", "Other"]);
  const { id } = await codeIn(await send(visitor, form, ENTITY));
  expect(await storedNames(id)).toEqual([["Eva", EVA.emailAddress]]);
});

test("[COD-08] Remove is offered for it, then Undo, which restores it; the next change hides Undo", async () => {
  const { visitor, form } = await registration();
  const html = async () => (await openPage(details, visitor, form)).html;
  const buttons = async (which: string) => textsOf(await html(), `button${which}`);
  expect(await buttons('[name="remove"][value="-20000"]')).toEqual(["Remove of Ida Berg"]);
  expect(await buttons('[name="remove"][value="-20001"]')).toEqual(["Remove of Eva Berg"]);
  expect(await buttons('[name="restore"]')).toEqual([]);
  await remove(visitor, form, ENTITY, -20000);
  expect(textsOf(await html(), ".note").join(" ")).toContain("The unsaved changes of Ida Berg have been removed.");
  expect(await buttons('[name="restore"][value="yes"]')).toEqual(["Undo"]);

  const typed = { ...ENTITY, tradeName: "Typed meanwhile" };
  expect((await undo(visitor, form, typed)).headers.get("Location")).toBe(`${form}#contacts`);
  expect(await emailsOn(visitor, form)).toEqual([EVA.emailAddress, CONTACT.emailAddress]);
  expect((await pageOf(visitor, form)).values).toMatchObject({ tradeName: "Typed meanwhile" });
  expect(await buttons('[name="restore"]')).toEqual([]);

  await remove(visitor, form, typed, -20001);
  await fill(visitor, form, typed, { ...EVA, emailAddress: "third@example-parts.com" });
  expect(await buttons('[name="restore"]')).toEqual([]);
  expect((await undo(visitor, form, typed)).status).toBe(303); // the button of an older page: there is nothing to undo
  expect(await emailsOn(visitor, form)).toEqual([CONTACT.emailAddress, "third@example-parts.com"]);
});

test("[COD-08] discarding the changes of a stored contact restores it as stored, and Undo brings the changes back", async () => {
  const { id, visitor, contact, typed, path } = await stored();
  const draft = await fill(visitor, path, typed, { ...CONTACT, firstName: "Idun" }, String(contact));
  expect(textsOf((await openPage(details, visitor, draft)).html, "button")).toContain("Discard changes of Idun Berg");
  await remove(visitor, draft, typed, contact);
  expect((await pageOf(visitor, draft)).contacts).toMatchObject([{ id: contact, firstName: "Ida" }]);
  await undo(visitor, draft, typed);
  expect((await pageOf(visitor, draft)).contacts).toMatchObject([{ id: contact, firstName: "Idun" }]);
  await remove(visitor, draft, typed, contact);
  await send(visitor, draft, typed);
  expect(await storedNames(id)).toEqual([["Ida", CONTACT.emailAddress]]);
});

test("[COD-08] discarding a new contact that replaced a stored one restores the stored one", async () => {
  const { visitor, contact, typed, path } = await stored();
  const draft = await fill(visitor, path, typed, { ...EVA, emailAddress: String(CONTACT.emailAddress) });
  const { html } = await openPage(details, visitor, draft);
  expect(textsOf(html, 'button[name="remove"]')).toEqual(["Discard changes of Eva Berg"]);
  await remove(visitor, draft, typed, contact);
  expect((await pageOf(visitor, draft)).contacts).toMatchObject([{ id: contact, firstName: "Ida" }]);
});

test("[COD-08] a removed change is not restored, with a message, when another contact has got its email", async () => {
  const { id, visitor, contact, typed, path } = await stored();
  const moved = { ...CONTACT, emailAddress: EVA.emailAddress };
  const draft = await fill(visitor, path, typed, moved, String(contact));
  await remove(visitor, draft, typed, contact);
  const { admin } = people;
  await send(admin.visitor, await fill(admin.visitor, path, typed, EVA), typed);
  const refused = await undo(visitor, draft, typed);
  expect(await toastOf(refused)).toEqual({
    kind: "warn",
    text: "Another contact of this code has this email address.",
  });
  expect(await storedNames(id)).toEqual([
    ["Ida", CONTACT.emailAddress],
    ["Eva", EVA.emailAddress],
  ]);
});

/** Presses a button of the contacts. Returns the address of the form with the change. */
const press = async (visitor: Visitor, path: string, fields: Fields) =>
  ((await send(visitor, path, fields)).headers.get("Location") ?? "").replace(/#.*/, "");

test("[COD-08] a stored contact is removed when the code is saved, and can be kept until then", async () => {
  const { id, visitor, contact, typed, path } = await stored();
  const before = { ...typed, tradeName: "Typed before" };
  const draft = await press(visitor, path, { ...before, remove: String(contact) });
  const { html } = await openPage(details, visitor, draft);
  expect(textsOf(html, "td s, th s")).toEqual(["Ida"]);
  expect(textsOf(html, 'button[name="keep"]')).toEqual(["Keep Ida Berg"]);
  expect((await pageOf(visitor, draft)).values).toMatchObject({ tradeName: "Typed before" });
  expect(await storedNames(id)).toEqual([["Ida", CONTACT.emailAddress]]);

  expect(await press(visitor, draft, { ...before, keep: String(contact) })).toBe(draft);
  expect(textsOf((await openPage(details, visitor, draft)).html, 'button[name="keep"]')).toEqual([]);
  await press(visitor, draft, { ...before, remove: String(contact) });
  await send(visitor, draft, typed);
  expect(await storedNames(id)).toEqual([]);
  const entries = await getDb().selectFrom("auditEntries").select("message").where("codeId", "=", id).execute();
  expect(entries.at(-1)?.message).toContain(
    ": contact Ida Berg removed (contact type 'IT', first name 'Ida', last name 'Berg', email 'ida.berg@example-parts.com').",
  );
});

test("[COD-08] a new contact can take the email of a removed one, which then cannot be kept", async () => {
  const { id, visitor, contact, typed, path } = await stored();
  const draft = await press(visitor, path, { ...typed, remove: String(contact) });
  await fill(visitor, draft, typed, { ...CONTACT, firstName: "Eva" });
  expect(await toastOf(await send(visitor, draft, { ...typed, keep: String(contact) }))).toMatchObject({
    text: "Another contact of this code has this email address.",
  });
  await send(visitor, draft, typed);
  expect(await storedNames(id)).toEqual([["Eva", CONTACT.emailAddress]]);
});

test("[COD-08] a contact that was changed in the meantime is removed only after a message", async () => {
  const { id, visitor, contact, typed, path } = await stored();
  const draft = await press(visitor, path, { ...typed, remove: String(contact) });
  const changed = await fill(people.admin.visitor, path, typed, { ...CONTACT, lastName: "Mann" }, String(contact));
  await send(people.admin.visitor, changed, typed);
  const { status, errors, values } = await errorsOf(await send(visitor, draft, typed));
  expect([status, errors.form]).toEqual([409, expect.stringContaining("Ida Mann, who is to be removed, was changed.")]);
  expect(await storedNames(id)).toHaveLength(1);
  await send(visitor, draft, { ...typed, version: String(values.version) });
  expect(await storedNames(id)).toEqual([]);
});

test.each(["-20005", "x", "", "1e3", "99999999999"])("[COD-08] '%s' removes nothing", async (id) => {
  const { visitor, form } = await registration();
  expect((await remove(visitor, form, ENTITY, id)).status).toBe(303);
  expect(await emailsOn(visitor, form)).toEqual([CONTACT.emailAddress, EVA.emailAddress]);
});

test("[COD-08] nothing is removed without a form, in somebody else's, or of a code that was cancelled in the meantime", async () => {
  const { visitor, form } = await registration();
  const stranger = await remove(people.stranger.visitor, form, ENTITY, -20000);
  expect(stranger.headers.get("Location")).toBe(paths.codes);
  expect(await emailsOn(visitor, form)).toHaveLength(2);

  const code = await stored();
  expect((await undo(people.stranger.visitor, code.path, code.typed)).status).toBe(404);
  const draft = await fill(code.visitor, code.path, code.typed, EVA);
  await update(people.admin.visitor, code.id, { status: "Cancelled" });
  const refused = await remove(code.visitor, draft, code.typed, -20000);
  expect(await toastOf(refused)).toEqual({ kind: "warn", text: NOT_EDITABLE });
  expect(await storedNames(code.id)).toEqual([["Ida", CONTACT.emailAddress]]);
  expect((await openPage(details, code.visitor, code.path)).html).not.toContain('name="remove"');
});
