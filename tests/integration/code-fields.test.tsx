import { describe, expect, test } from "vitest";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import { getDb } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { findCode } from "~db/repositories/codes.server";
import {
  addressFields,
  ownAddress,
  updateNewCode,
  codeIn,
  type Fields,
  refusal,
  update,
} from "../support/code-details";
import { createCode } from "../support/codes";
import { blankTexts, emptyTexts, onlyMarkup, takenTexts, tooLongTexts } from "../support/edges";
import { pageText, summaryOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";

usePortal();
const people = usePeople();

const changed = (change: Fields, given: Parameters<typeof createCode>[1] = {}) =>
  updateNewCode(people.customer, change, given);

const DIRECT_PARENT = "Please specify an OSCAR code if you wish to use a direct parent.";

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
        expect(await codeIn(await changed({ [field]: typed })), typed).toMatchObject({ [column]: kept });
      for (const [typed, message] of tooLongTexts(max))
        expect((await refusal(changed({ [field]: typed }))).errors, typed).toEqual({ [field]: message });
      for (const [typed, message] of blankTexts)
        if (field === "entityName")
          expect((await refusal(changed({ [field]: typed }))).errors, typed).toEqual({ [field]: message });
        else expect(await codeIn(await changed({ [field]: typed })), typed).toMatchObject({ [column]: null });
      expect((await refusal(changed({ [field]: onlyMarkup }))).errors).toEqual({ [field]: messages.markup });
    },
    60_000,
  );

  test("the other entity type is required when it is ticked, and cleared when it is not", async () => {
    for (const [typed, kept] of takenTexts(70))
      expect(await codeIn(await changed({ entityTypes: "Other", otherText: typed }))).toMatchObject({
        entityType: 16384,
        entityTypeOther: kept,
      });
    for (const [typed, message] of [...emptyTexts, ...tooLongTexts(70)])
      expect((await refusal(changed({ entityTypes: "Other", otherText: typed }))).errors).toEqual({
        otherText: message,
      });
    expect(
      await codeIn(await changed({ entityTypes: ["Headquarters", "RegisteredOffice"], otherText: "x" })),
    ).toMatchObject({ entityType: 4097, entityTypeOther: null });
    expect((await refusal(changed({ entityTypes: ["IT", "Space"] }))).errors).toEqual({
      entityTypes: messages.collection,
    });
  }, 60_000);

  test("the direct parent must be a registered code that is not for OFTP", async () => {
    const parent = await createCode(people.stranger);
    expect(await codeIn(await changed({ directParentId: ` ${parent.code.toLowerCase()} ` }))).toMatchObject({
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
    expect(await codeIn(response)).toMatchObject({ shortName: "New", directParent: parent.code });
  });

  test.each(["physicalAddress", "mailingAddress"])("%s", async (name) => {
    const refusalOf = async (change: Record<string, string>) =>
      (await refusal(changed(ownAddress(name, change)))).errors;
    for (const part of ["addressLine1", "city", "postalCode"])
      for (const typed of ["", "  "])
        expect(await refusalOf({ [part]: typed })).toEqual({ [`${name}.${part}`]: messages.required });
    const limits = { addressLine1: 120, addressLine2: 120, addressLine3: 120, city: 90, postalCode: 10, region: 70 };
    for (const [part, max] of Object.entries(limits)) {
      expect((await changed(ownAddress(name, { [part]: "x".repeat(max) }))).status).toBe(303);
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
      ...ownAddress("physicalAddress"),
      ...ownAddress("mailingAddress", { city: "Hull" }),
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
    await update(people.customer.visitor, id, { ...ownAddress("physicalAddress", { city: "Leeds" }) });
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
    const response = await changed({
      ...addressFields("physicalAddress", { city: "" }),
      ...addressFields("mailingAddress"),
    });
    expect(await codeIn(response)).toMatchObject({ physicalAddressId: null, mailingAddressId: null });
  });
});
