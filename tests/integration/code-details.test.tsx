import { describe, expect, test } from "vitest";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { getDb } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { findCode } from "~db/repositories/codes.server";
import {
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
import { blankTexts, emptyTexts, onlyMarkup, takenTexts, tooLongTexts } from "../support/edges";
import { pageText, select, summaryOf, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";

usePortal();
const people = usePeople();

const DIRECT_PARENT = "Please specify an OSCAR code if you wish to use a direct parent.";
const address = (name: string, change: Record<string, string> = {}) => {
  const parts = { addressLine1: "2 High Street", city: "York", postalCode: "YO1 7HH", country: "276", ...change };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${name}.${part}`, value]));
};
const own = (name: string, change: Record<string, string> = {}) =>
  name === "physicalAddress"
    ? { useCompanyAddress: [], ...address(name, change) }
    : { usePhysicalAddress: [], ...address(name, change) };

const changed = async (change: Record<string, string | string[]>, given: Parameters<typeof createCode>[1] = {}) => {
  const { id } = await createCode(people.customer, given);
  return update(people.customer.visitor, id, change);
};
const stored = async (response: Response) => {
  const id = Number(/code=(\d+)/.exec(response.headers.get("Location") ?? "")?.[1]);
  return (await findCode(getDb(), id)) ?? {};
};

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
    expect(textsOf(html, "h1")).toEqual(["Code Details Sub-Entity"]);
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

describe("[COD-07] fields", () => {
  test.each([
    ["entityName", "entityName", 70],
    ["shortName", "shortName", 70],
    ["tradeName", "tradeName", 70],
    ["vatNumber", "vatNumber", 17],
    ["domesticParentId", "domesticUltimateParent", 70],
    ["globalParentId", "globalUltimateParent", 70],
    ["dunsNumber", "dunsNumber", 18],
  ] as const)(
    "%s",
    async (field, column, max) => {
      for (const [typed, kept] of takenTexts(max))
        expect(await stored(await changed({ [field]: typed })), typed).toMatchObject({ [column]: kept });
      for (const [typed, message] of tooLongTexts(max))
        expect((await refusal(changed({ [field]: typed }))).errors, typed).toEqual({ [field]: message });
      for (const [typed, message] of blankTexts)
        if (field === "entityName")
          expect((await refusal(changed({ [field]: typed }))).errors, typed).toEqual({ [field]: message });
        else expect(await stored(await changed({ [field]: typed })), typed).toMatchObject({ [column]: null });
      expect((await refusal(changed({ [field]: onlyMarkup }))).errors).toEqual({ [field]: messages.markup });
    },
    60_000,
  );

  test("the other entity type is required when it is ticked, and cleared when it is not", async () => {
    for (const [typed, kept] of takenTexts(70))
      expect(await stored(await changed({ entityTypes: "Other", otherText: typed }))).toMatchObject({
        entityType: 16384,
        entityTypeOther: kept,
      });
    for (const [typed, message] of [...emptyTexts, ...tooLongTexts(70)])
      expect((await refusal(changed({ entityTypes: "Other", otherText: typed }))).errors).toEqual({
        otherText: message,
      });
    expect(
      await stored(await changed({ entityTypes: ["Headquarters", "RegisteredOffice"], otherText: "x" })),
    ).toMatchObject({ entityType: 4097, entityTypeOther: null });
    expect((await refusal(changed({ entityTypes: ["IT", "Space"] }))).errors).toEqual({
      entityTypes: messages.collection,
    });
  }, 60_000);

  test("the direct parent must be a registered code that is not for OFTP", async () => {
    const parent = await createCode(people.stranger);
    expect(await stored(await changed({ directParentId: ` ${parent.code.toLowerCase()} ` }))).toMatchObject({
      directParent: parent.code,
    });
    const oftp = await createCode(people.stranger, { codeType: "OFTP" });
    const cancelled = await createCode(people.stranger, { status: "Cancelled" });
    const expired = await createCode(people.stranger, { status: "Expired" });
    const bad = [oftp.code, cancelled.code, expired.code, "IOIO", `${parent.code}0`, "1", "äöüß", "<b>"];
    for (const directParentId of bad.slice(0, 7))
      expect((await refusal(changed({ directParentId }))).errors, directParentId).toEqual({
        directParentId: DIRECT_PARENT,
      });
  });

  test("a code cannot be its own direct parent or that of a code above it; a sub-code can have its code", async () => {
    const [one, two, three] = [
      await createCode(people.customer),
      await createCode(people.customer),
      await createCode(people.customer),
    ];
    const sub = await createCode(people.customer, { code: one.code, subcode: "01", parentId: one.id });
    const refusalOf = async (id: number, directParentId: string) =>
      (await refusal(update(people.customer.visitor, id, { directParentId }))).errors;
    expect(await refusalOf(one.id, one.code.toLowerCase())).toEqual({
      directParentId: "A code cannot be its own direct parent.",
    });
    for (const [child, parent] of [
      [two, one],
      [three, two],
      [sub, one],
    ] as const)
      expect((await update(people.customer.visitor, child.id, { directParentId: parent.code })).status).toBe(303);
    for (const below of [two, three])
      expect(await refusalOf(one.id, below.code)).toEqual({
        directParentId: "The specified code already has this code among its parents.",
      });
  });

  test("a wrong direct parent is reported together with the other problems", async () => {
    const fields = { directParentId: "IOIO", entityName: "", entityTypes: ["Other"], otherText: "" };
    expect((await refusal(changed(fields))).errors).toEqual({
      directParentId: DIRECT_PARENT,
      entityName: messages.required,
      otherText: messages.required,
    });
  });

  test("a direct parent that has been cancelled or has expired is reported at its field", async () => {
    const hintOf = async (status: "Registered" | "Cancelled" | "Expired") => {
      const { code } = await createCode(people.stranger, { status });
      const { id } = await createCode(people.customer, { directParent: code });
      const { html } = await openPage(details, people.customer.visitor, paths.codeDetails({ code: id }));
      const text = pageText(html);
      return [text.includes(`${code} is cancelled.`), text.includes(`${code} has expired.`)];
    };
    expect(await hintOf("Registered")).toEqual([false, false]);
    expect(await hintOf("Cancelled")).toEqual([true, false]);
    expect(await hintOf("Expired")).toEqual([false, true]);
  });

  test("a direct parent that was cancelled later does not prevent other changes", async () => {
    const parent = await createCode(people.stranger, { status: "Cancelled" });
    const response = await changed({ directParentId: parent.code, shortName: "New" }, { directParent: parent.code });
    expect(await stored(response)).toMatchObject({ shortName: "New", directParent: parent.code });
  });

  test.each(["physicalAddress", "mailingAddress"])("%s", async (name) => {
    const refusalOf = async (change: Record<string, string>) => (await refusal(changed(own(name, change)))).errors;
    for (const part of ["addressLine1", "city", "postalCode"])
      for (const typed of ["", "  "])
        expect(await refusalOf({ [part]: typed })).toEqual({ [`${name}.${part}`]: messages.required });
    const limits = { addressLine1: 120, addressLine2: 120, addressLine3: 120, city: 90, postalCode: 10, region: 70 };
    for (const [part, max] of Object.entries(limits)) {
      expect((await changed(own(name, { [part]: "x".repeat(max) }))).status).toBe(303);
      expect(await refusalOf({ [part]: "x".repeat(max + 1) })).toEqual({ [`${name}.${part}`]: messages.outOfRange });
    }
    expect(await refusalOf({ country: "" })).toEqual({ [`${name}.country`]: messages.required });
    expect(await refusalOf({ country: "999" })).toEqual({ [`${name}.country`]: messages.collection });
  });

  test("the summary names the fields as the page does", async () => {
    const { id, updatedAt } = await createCode(people.customer);
    const fields = { version: updatedAt, entityTypes: "Other", directParentId: "12345", vatNumber: "1".repeat(18) };
    const { html } = await openPage(details, people.customer.visitor, paths.codeDetails({ code: id }), { fields });
    expect(summaryOf(html).slice(0, 6)).toEqual([
      "Entity name: This field is required.",
      "Status: This field is required.",
      "VAT number: Entered value is not valid.",
      DIRECT_PARENT,
      "Other entity type: This field is required.",
      "Address line 1 (physical address): This field is required.",
    ]);
  });
});

describe("[COD-03] addresses", () => {
  test("a separate one is stored and found by searches, and given up again for another one", async () => {
    const { id } = await createCode(people.customer);
    await update(people.customer.visitor, id, {
      ...own("physicalAddress"),
      ...own("mailingAddress", { city: "Hull" }),
    });
    const code = await findCode(getDb(), id);
    expect(code).toMatchObject({
      useCompanyAddress: false,
      usePhysicalAddress: false,
      sortCity: "york",
      countryId: 276,
    });
    const ids = [code?.physicalAddressId ?? 0, code?.mailingAddressId ?? 0];
    expect((await Promise.all(ids.map((one) => findAddress(getDb(), one)))).map((one) => one?.city)).toEqual([
      "York",
      "Hull",
    ]);
    await update(people.customer.visitor, id, { ...own("physicalAddress", { city: "Leeds" }) });
    expect(await findCode(getDb(), id)).toMatchObject({ sortCity: "leeds", physicalAddressId: ids[0] });
    const entries = await getDb().selectFrom("auditEntries").select("message").where("codeId", "=", id).execute();
    expect(entries.at(-1)?.message).toMatch(
      /physical address from '2 High Street, .*York.*' to '2 High Street, .*Leeds.*', mailing address from '.*Hull.*' to the physical address\./,
    );
    await update(people.customer.visitor, id);
    expect(await findCode(getDb(), id)).toMatchObject({
      useCompanyAddress: true,
      physicalAddressId: null,
      countryId: 826,
    });
    expect(await Promise.all(ids.map((one) => findAddress(getDb(), one)))).toEqual([null, null]);
  });

  test("values below a ticked box are ignored", async () => {
    const response = await changed({ ...address("physicalAddress", { city: "" }), ...address("mailingAddress") });
    expect(await stored(response)).toMatchObject({ physicalAddressId: null, mailingAddressId: null });
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
    const theirs = { shortName: "Theirs", ...own("physicalAddress", { city: "York" }) };
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
    await update(people.admin.visitor, id, own("physicalAddress", { city: "Hull" }));
    const stale = await hidden(id);
    const second = {
      ...(await openedForm(id)),
      ...own("physicalAddress", { city: "Hull", addressLine1: "3 Low Lane" }),
      entityName: "Second",
    };
    await update(people.admin.visitor, id, {
      entityName: "First",
      tradeName: "T",
      ...own("physicalAddress", { city: "York" }),
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
    expect(pageText(html)).toContain("Stored now: 'First'. The field has what you typed.");
    const { status, errors, values } = await refusal(send(visitor, path, second));
    expect([status, errors]).toEqual([
      409,
      {
        form: "Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press Update again. The form also shows what was changed in: Trade name.",
        entityName: "This was changed meanwhile. Stored now: 'First'. The field has what you typed.",
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
