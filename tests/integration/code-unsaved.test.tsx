import { expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { begin, CONTACT, ENTITY, type Fields, fillContact, openContact, pageOf, send } from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { select } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

const htmlOf = async (visitor: Visitor, path: string) => (await openPage(details, visitor, path)).html;

/** Returns the address of the unsaved form that the page offers to continue, or null when it offers none. */
const offeredOn = async (visitor: Visitor, path: string) => {
  const links = select(await htmlOf(visitor, path), "a:contains('Continue with them'), a:contains('Resume it')");
  return links.attr("href") ?? null;
};

const hold = async (visitor: Visitor, path: string, typed: Fields) =>
  (await fillContact(visitor, await openContact(visitor, path, typed), CONTACT)).headers.get("Location") ?? "";

test("[COD-08] unsaved contacts are offered with everything typed when the code is opened again, until it is saved", async () => {
  const { visitor } = people.customer;
  const { id, updatedAt } = await createCode(people.customer);
  const path = paths.codeDetails({ code: id });
  const typed = { ...ENTITY, status: "Registered", version: updatedAt, shortName: "Nord" };
  expect(await offeredOn(visitor, path)).toBeNull();
  const draft = await hold(visitor, path, typed);
  expect(await offeredOn(visitor, draft)).toBeNull();
  expect(await offeredOn(visitor, path)).toBe(draft);
  expect(await htmlOf(visitor, path)).toContain("You have contacts of this code that are not saved.");
  const { values, contacts } = await pageOf(visitor, draft);
  expect([values.shortName, contacts.length]).toEqual(["Nord", 1]);

  expect(await offeredOn(people.admin.visitor, path)).toBeNull(); // unsaved forms are offered only to the person who typed them
  const other = await createCode(people.customer);
  expect(await offeredOn(visitor, paths.codeDetails({ code: other.id }))).toBeNull();
  await send(visitor, draft, typed);
  expect(await offeredOn(visitor, path)).toBeNull();
});

test("[COD-08] a form without contacts, or whose contacts were removed again, is not offered", async () => {
  const { visitor } = people.customer;
  const { id, updatedAt } = await createCode(people.customer);
  const path = paths.codeDetails({ code: id });
  const typed = { ...ENTITY, status: "Registered", version: updatedAt };
  await openContact(visitor, path, typed);
  expect(await offeredOn(visitor, path)).toBeNull();
  const draft = await hold(visitor, path, typed);
  await send(visitor, draft, { ...typed, remove: "-20000" });
  expect(await offeredOn(visitor, path)).toBeNull();
});

test("[COD-02] [COD-05] [COD-08] a registration that was begun is offered to the next one of the same kind only", async () => {
  const user = await createUser();
  const visitor = await signedInAs(user);
  await createAvailableCodes(user, "Full", 2);
  await createAvailableCodes(user, "Basic", 2);
  const parent = await createCode(user);
  const left = await hold(visitor, await begin(visitor, { type: "Full" }), ENTITY);
  const sub = await hold(visitor, await begin(visitor, { parent: parent.id }), ENTITY);
  expect(await offeredOn(visitor, await begin(visitor, { type: "Full" }))).toBe(left);
  expect(await offeredOn(visitor, await begin(visitor, { parent: parent.id }))).toBe(sub);
  expect(await offeredOn(visitor, await begin(visitor, { type: "Basic" }))).toBeNull();
  const from = paths.searchCodes;
  const next = await begin(visitor, { type: "Full", from });
  expect(await offeredOn(visitor, next)).toBe(`${left}&from=${encodeURIComponent(from)}`);
  await send(visitor, left, ENTITY);
  expect(await offeredOn(visitor, next)).toBeNull();
});

test("[COD-04] nothing is offered where the code is read-only", async () => {
  const { visitor } = people.customer;
  const { id, updatedAt } = await createCode(people.customer);
  const path = paths.codeDetails({ code: id });
  await hold(visitor, path, { ...ENTITY, status: "Registered", version: updatedAt });
  const cancelled = { ...ENTITY, status: "Cancelled", version: updatedAt };
  await send(people.admin.visitor, path, cancelled);
  expect(await offeredOn(visitor, path)).toBeNull();
});
