import { describe, expect, test } from "vitest";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { getDb } from "~db/connection.server";
import { findCode } from "~db/repositories/codes.server";
import {
  ownAddress,
  ENTITY,
  type Fields,
  open,
  openContact,
  pageOf,
  refusal,
  send,
  toastOf,
  update,
} from "../support/code-details";
import { createCode } from "../support/codes";
import { pageText, select, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";

usePortal();
const people = usePeople();

describe("[COD-03] the page of a code", () => {
  test("shows the code, its SSID and the company of its owner, not that of the administrator", async () => {
    const { id, code } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    for (const { visitor } of [people.customer, people.admin]) {
      const { html } = await openPage(details, visitor, path);
      for (const text of [`${code}00`, `O0177${code}00000000`, "OSCAR Code Full", "Example Parts Ltd", "01234567"])
        expect(html).toContain(text);
      for (const heading of ["Details", "Physical Address", "Mailing Address", "Contacts"])
        expect(textsOf(html, "h2")).toContain(heading);
      expect(html).toContain("Physical address is the same as company address.");
      expect(html).toContain("Mailing address is the same as physical address.");
      expect(html).toContain("No records found");
      expect(textsOf(html, "button")).toContain("Update");
    }
  });

  test("[COD-09] has the tile of the audit log for administrators only", async () => {
    const { id } = await createCode(people.customer);
    const tile = async (visitor: typeof people.admin.visitor) =>
      pageText((await openPage(details, visitor, paths.codeDetails({ code: id }))).html).includes("View Audit Log");
    expect([await tile(people.admin.visitor), await tile(people.customer.visitor)]).toEqual([true, false]);
  });

  test("marks a sub-entity and does not allow changing its subcode", async () => {
    const parent = await createCode(people.customer);
    const sub = await createCode(people.customer, { code: parent.code, subcode: "7Z", parentId: parent.id });
    const { html } = await openPage(details, people.customer.visitor, paths.codeDetails({ code: sub.id }));
    expect(textsOf(html, "h1")).toEqual(["Code details Sub-Entity"]);
    expect(textsOf(html, "h1 > span.tag.info")).toEqual(["Sub-Entity"]);
    expect(select(html, 'input[disabled][value="7Z"]').length).toBe(1);
    await update(people.customer.visitor, sub.id, { subcode: "8A" });
    expect(await findCode(getDb(), sub.id)).toMatchObject({ subcode: "7Z" });
  });

  test.each(["", "?code=", "?code=x", "?code=999999999", "?code=-1", "?draft=x"])(
    "handles the query %o",
    async (query) => {
      const response = await open(people.customer.visitor, `/home/codes/code-details${query}`);
      if (query === "" || query.startsWith("?draft")) expect(response.headers.get("Location")).toBe(paths.codes);
      else expect(response.status).toBe(404);
      if (query.startsWith("?draft")) expect((await toastOf(response))?.text).toContain("There is no such open form.");
    },
  );

  test("is not found for somebody else's code in any form or link", async () => {
    const { id } = await createCode(people.customer);
    const { visitor } = people.stranger;
    const path = paths.codeDetails({ code: id });
    expect((await open(visitor, path)).status).toBe(404);
    expect((await send(visitor, path, { ...ENTITY, status: "Cancelled", confirmed: "yes" })).status).toBe(404);
    expect(await openContact(visitor, path, ENTITY)).toBe("");
    expect(await findCode(getDb(), id)).toMatchObject({ status: "Registered" });
  });

  test("links back to the page from which it was opened", async () => {
    const { id } = await createCode(people.customer);
    const backOf = async (path: string) => (await pageOf(people.customer.visitor, path)).back;
    expect(await backOf(paths.codeDetails({ code: id }))).toBe(paths.codes);
    for (const from of [`${paths.searchCodes}?company=parts`, `${paths.codes}?page=2`])
      expect(await backOf(paths.codeDetails({ code: id, from }))).toBe(from);
    expect(await backOf(`${paths.codeDetails({ code: id })}&from=//evil.example`)).toBe(paths.codes);
  });
});

describe("[COD-04] editing a code", () => {
  test.each(["Cancelled", "Expired"] as const)(
    "a %s code is read-only for its owner and editable for staff",
    async (status) => {
      const { id, updatedAt } = await createCode(people.customer, { status });
      const path = paths.codeDetails({ code: id });
      const { html } = await openPage(details, people.customer.visitor, path);
      expect(select(html, "fieldset.group[disabled]").length).toBe(4);
      expect(pageText(html)).toContain(`This code is ${status}: its details can only be changed by staff.`);
      expect(textsOf(html, "button")).not.toContain("Update");
      expect(html).not.toContain("Add New Contact");
      expect(select(html, `input[disabled][value="${status}"]`).length).toBe(1);
      const forged = { ...ENTITY, status: "Registered", version: updatedAt };
      for (const fields of [forged, { ...forged, contact: "new" }, { ...forged, entityName: "" }]) {
        const refused = await send(people.customer.visitor, path, fields);
        expect([refused.status, refused.headers.get("Location")]).toEqual([303, path]);
        expect(await toastOf(refused)).toEqual({ kind: "warn", text: NOT_EDITABLE });
      }
      expect((await update(people.admin.visitor, id, { entityName: "By staff", status })).status).toBe(303);
      expect(await findCode(getDb(), id)).toMatchObject({ status, entityName: "By staff" });
    },
  );

  test("the entity types of an OFTP code can be changed by staff only", async () => {
    const { id } = await createCode(people.customer, { codeType: "OFTP", entityType: 1 });
    await update(people.customer.visitor, id, { entityTypes: "IT", entityName: "New" });
    expect(await findCode(getDb(), id)).toMatchObject({ entityType: 1, entityName: "New" });
    await update(people.admin.visitor, id, { entityTypes: "IT" });
    expect(await findCode(getDb(), id)).toMatchObject({ entityType: 512 });
  });
});

describe("[COD-09] saving a code", () => {
  test("shows a message and records what was changed", async () => {
    const { id, code } = await createCode(people.customer);
    const change = { entityName: "Plant Süd", dunsNumber: "123456789" };
    const response = await update(people.customer.visitor, id, change);
    expect(response.headers.get("Location")).toBe(paths.codeDetails({ code: id }));
    expect(await toastOf(response)).toEqual({ kind: "ok", text: "Details have been saved successfully" });
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select(["message", "actorName"])
      .where("codeId", "=", id)
      .execute();
    expect(entries).toEqual([
      {
        message: `Changed ${code}00: entity name from 'Example Parts Plant 1' to 'Plant Süd', DUNS number from empty to '123456789'.`,
        actorName: people.customer.email,
      },
    ]);
    expect(await findCode(getDb(), id)).toMatchObject({ sortEntity: "plant sud" });
  });

  /** Returns the fields that a browser sends when the page is opened now and not changed. */
  const openedForm = async (id: number): Promise<Fields> => {
    const { values } = await pageOf(people.customer.visitor, paths.codeDetails({ code: id }));
    return { ...ENTITY, entityName: String(values.entityName), status: String(values.status), ...(await hidden(id)) };
  };
  const hidden = async (id: number) => {
    const { values } = await pageOf(people.customer.visitor, paths.codeDetails({ code: id }));
    return { version: values.version ?? "", opened: String(values.opened) };
  };

  test("[COD-06] overwrites no change from another browser: other fields are merged and reported", async () => {
    const { visitor } = people.customer;
    const { id } = await createCode(people.customer, { shortName: "PN" });
    const path = paths.codeDetails({ code: id });
    const second = { ...(await openedForm(id)), shortName: "PN", tradeName: "Mine" };
    const theirs = { shortName: "Theirs", ...ownAddress("physicalAddress", { city: "York" }) };
    expect((await update(people.admin.visitor, id, theirs)).status).toBe(303);
    const response = await send(visitor, path, second);
    const toast = await toastOf(response);
    expect([response.status, toast?.text]).toEqual([
      303,
      expect.stringMatching(
        /^Details have been saved successfully\. Changed meanwhile, and kept as it is stored: Entity name, Short name, Use company address, Address line 1 \(physical address\), City/,
      ),
    ]);
    expect(await findCode(getDb(), id)).toMatchObject({
      shortName: "Theirs",
      tradeName: "Mine",
      entityName: "Plant Nord",
    });
    expect((await pageOf(visitor, path)).values).toMatchObject({ physicalAddress: { city: "York" } });
  });

  test("[COD-06] asks about a field that both users changed, with the stored value at the field", async () => {
    const { visitor } = people.customer;
    const { id } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    await update(people.admin.visitor, id, ownAddress("physicalAddress", { city: "Hull" }));
    const stale = await hidden(id);
    const second = {
      ...(await openedForm(id)),
      ...ownAddress("physicalAddress", { city: "Hull", addressLine1: "3 Low Lane" }),
      entityName: "Second",
    };
    await update(people.admin.visitor, id, {
      entityName: "First",
      tradeName: "T",
      ...ownAddress("physicalAddress", { city: "York" }),
    });
    const { html } = await openPage(details, visitor, path, {
      fields: {
        ...stale,
        status: "Registered",
        useCompanyAddress: "on",
        usePhysicalAddress: "on",
        entityName: "Second",
        __rvfInternalFormId: "code-details",
      },
    });
    expect(pageText(html)).toContain("Stored now: 'First'. Your entry is kept.");
    const { status, errors, values } = await refusal(send(visitor, path, second));
    expect([status, errors]).toEqual([
      409,
      {
        form: "Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press Update again. The form also shows what was changed in: Trade name.",
        entityName: "This was changed meanwhile. Stored now: 'First'. Your entry is kept.",
        "physicalAddress.city":
          "This was changed meanwhile from 'Hull' to 'York'. Please check it together with what you changed.",
      },
    ]);
    expect(values).toMatchObject({
      entityName: "Second",
      tradeName: "T",
      physicalAddress: { city: "York", addressLine1: "3 Low Lane" },
    });
    expect(await findCode(getDb(), id)).toMatchObject({ entityName: "First" });
    const again = { ...second, tradeName: "T", "physicalAddress.city": "York", version: String(values.version) };
    expect((await send(visitor, path, { ...again, opened: String(values.opened) })).status).toBe(303);
    expect(await findCode(getDb(), id)).toMatchObject({ entityName: "Second", tradeName: "T" });
  });

  test("[COD-06] reports every difference when an old form does not say what it was opened with", async () => {
    const { id, updatedAt } = await createCode(people.customer, { shortName: "PN", entityType: 512 });
    await update(people.admin.visitor, id, { entityTypes: ["IT", "Sales"], status: "Cancelled", vatNumber: "DE1" });
    const mine = { ...ENTITY, status: "Registered", version: updatedAt, shortName: "X", vatNumber: "" };
    const { errors } = await refusal(send(people.admin.visitor, paths.codeDetails({ code: id }), mine));
    for (const [name, stored] of [
      ["shortName", "empty"],
      ["status", "'Cancelled'"],
      ["vatNumber", "'DE1'"],
      ["entityTypes", "'IT, Sales'"],
    ])
      expect(errors[name ?? ""]).toContain(`Stored now: ${stored}.`);
    expect(await findCode(getDb(), id)).toMatchObject({ status: "Cancelled", vatNumber: "DE1" });
  });

  test("reports a conflict of a cancellation and a new name", async () => {
    const { id, updatedAt } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    const form = { ...ENTITY, status: "Registered", version: updatedAt };
    const answers = await Promise.all([
      send(people.admin.visitor, path, { ...form, status: "Cancelled" }),
      send(people.customer.visitor, path, { ...form, entityName: "Renamed" }),
    ]);
    const isSaved = async (answer: Response) => (await toastOf(answer))?.kind === "ok";
    const [cancelled, renamed] = await Promise.all(answers.map(isSaved));
    expect([cancelled, renamed].filter(Boolean)).toHaveLength(1);
    const code = await findCode(getDb(), id);
    expect([code?.status === "Cancelled", code?.entityName === "Renamed"]).toEqual([cancelled, renamed]);
  });

  test("the same form again changes and records nothing more", async () => {
    const { id, updatedAt } = await createCode(people.customer);
    const path = paths.codeDetails({ code: id });
    const form = { ...ENTITY, status: "Registered", version: updatedAt, shortName: "S" };
    const answers = [await send(people.customer.visitor, path, form), await send(people.customer.visitor, path, form)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const entries = await getDb().selectFrom("auditEntries").select("id").where("codeId", "=", id).execute();
    expect(entries).toHaveLength(1);
  });

  test("overwrites nothing without a question when the form names no version", async () => {
    const { id } = await createCode(people.customer);
    expect((await update(people.customer.visitor, id, { version: "" })).status).toBe(409);
  });
});
