import { beforeAll, describe, expect, test } from "vitest";
import { DATE_FORMATS } from "~/api/dates";
import { HAS_REGISTERED_SUBCODES } from "~/domain/codes/code-status.policy";
import { CONTACT_EMAIL_TAKEN } from "~/domain/codes/contacts.policy";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import { CODE_CONTACT, eventsOfCode, readCode, updateCode, WIRE_ADDRESS } from "../support/api-codes";
import { createCode } from "../support/codes";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { NO_VERSIONS, waysToSay } from "../support/moments";
import { usePortal } from "../support/portal";

usePortal();

let user: Awaited<ReturnType<typeof newProgram>>["user"];
let client: ApiClient;
let staff: ApiClient;
beforeAll(async () => {
  ({ user, client } = await newProgram());
  staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
});

const saved = { status: 200, success: true, content: true };

/** Stores a code with every detail. */
async function filledCode() {
  const { id } = await createCode(user);
  const code = {
    shortName: "Nord",
    tradeName: "Nord Trade",
    vatNumber: "DE123456789",
    dunsNumber: "12-345",
    domesticUltimateParent: "Nord AG",
    globalUltimateParent: "Nord SE",
    entityName: "Plant Nord",
    directParent: (await createCode(user)).code,
    entityTypes: ["IT", "Other"],
    entityTypeOther: "Museum",
    physicalAddress: WIRE_ADDRESS,
    mailingAddress: { ...WIRE_ADDRESS, city: "Metz" },
  };
  const contacts = [CODE_CONTACT, { ...CODE_CONTACT, name: "Bo", email: "bo@example.com", telephone: "+46 1" }];
  expect(await updateCode(client, { id, ...code }, { contacts })).toMatchObject(saved);
  return readCode(client, id);
}

describe("[API-03] UpdateEntity", () => {
  test("[API-03] changes nothing and leaves no entry for a code that is sent as it was read", async () => {
    const before = await filledCode();
    expect(before.code).toMatchObject({ entityType: 512 + 16384, entityTypes: ["IT", "Other"] });
    const events = await eventsOfCode(before.code.id);
    expect(events).toEqual(["code.changed"]);
    expect(await updateCode(client, before.code, { ...before, code: before.code })).toMatchObject(saved);
    expect(await readCode(client, before.code.id)).toEqual(before);
    expect(await eventsOfCode(before.code.id)).toEqual(events);
  });

  test("[API-03] keeps omitted fields and clears empty ones", async () => {
    const before = await filledCode();
    const { id } = before.code;
    expect(await updateCode(client, { id, shortName: "South" })).toMatchObject(saved);
    const { updatedAt: _, ...rest } = before;
    expect(await readCode(client, id)).toMatchObject({ ...rest, code: { ...before.code, shortName: "South" } });
    const emptied = { shortName: null, tradeName: " ", vatNumber: "", directParent: " ", dunsNumber: null };
    const others = { domesticUltimateParent: " ", globalUltimateParent: "", entityType: 0, physicalAddress: null };
    expect(await updateCode(client, { id, ...emptied, ...others }, { usePhysicalAddress: true })).toMatchObject(saved);
    expect(await readCode(client, id)).toMatchObject({
      useCompanyAddress: true,
      usePhysicalAddress: true,
      code: {
        shortName: "",
        tradeName: "",
        vatNumber: "",
        directParent: "",
        dunsNumber: "",
        entityName: "Plant Nord",
        domesticUltimateParent: "",
        globalUltimateParent: "",
        entityTypes: [],
        entityTypeOther: "",
        physicalAddress: null,
        mailingAddress: null,
      },
    });
  });

  test("[API-03] takes an address from its fields or from the tick box, which has precedence", async () => {
    const { id } = await createCode(user);
    const addressOf = async () => (await readCode(client, id)).code.physicalAddress;
    expect((await updateCode(client, { id }, { useCompanyAddress: false })).errors).toHaveProperty([
      "code.physicalAddress.street1",
    ]);
    expect(await updateCode(client, { id, physicalAddress: WIRE_ADDRESS }, { useCompanyAddress: true })).toMatchObject(
      saved,
    );
    expect(await addressOf()).toBe(null);
    expect(await updateCode(client, { id, physicalAddress: WIRE_ADDRESS })).toMatchObject(saved);
    expect(await addressOf()).toMatchObject({ city: "Lyon" });
    expect(await updateCode(client, { id }, { useCompanyAddress: false })).toMatchObject(saved);
    expect(await addressOf()).toMatchObject({ city: "Lyon" });
    expect(await updateCode(client, { id }, { useCompanyAddress: true })).toMatchObject(saved);
    expect(await addressOf()).toBe(null);
  });

  test("[API-03] takes entity types by name or as bits", async () => {
    const { id } = await createCode(user);
    const typesOf = async () => (await readCode(client, id)).code.entityTypes;
    await updateCode(client, { id, entityTypes: ["Sales", "IT"] });
    expect(await typesOf()).toEqual(["Sales", "IT"]);
    await updateCode(client, { id, entityType: 1 + 4096 });
    expect(await typesOf()).toEqual(["Headquarters", "RegisteredOffice"]);
    expect((await updateCode(client, { id, entityType: 1, entityTypes: ["IT"] })).errors).toHaveProperty([
      "code.entityType",
    ]);
    expect(await typesOf()).toEqual(["Headquarters", "RegisteredOffice"]);
    await updateCode(client, { id, entityTypes: null });
    expect(await typesOf()).toEqual([]);
  });

  test("[API-03] keeps code, sub-code, type and owner, which are no details", async () => {
    const before = await readCode(client, (await createCode(user)).id);
    const other = { code: "AAAA", subcode: "09", codeType: "OFTP Code", userId: 1, parentId: 1, sbeMaxNumber: 9999 };
    expect(await updateCode(client, { ...before.code, ...other })).toMatchObject(saved);
    expect(await readCode(client, before.code.id)).toEqual(before);
  });

  test("[API-03] applies the rules of the status", async () => {
    const parent = await createCode(user);
    const { id } = await createCode(user, { code: parent.code, subcode: "01", parentId: parent.id });
    expect((await updateCode(client, { id: parent.id, status: "Cancelled" })).errors).toEqual({
      "code.status": HAS_REGISTERED_SUBCODES,
    });
    expect((await updateCode(client, { id, status: "Expired" })).errors).toEqual({
      "code.status": "The value is not part of the collection.",
    });
    expect((await updateCode(client, { id, status: " " })).errors).toEqual({
      "code.status": "This field is required.",
    });
    expect(await updateCode(client, { id, status: "Cancelled" })).toMatchObject(saved);
    expect((await readCode(client, id)).code.status).toBe("Cancelled");
    expect(await updateCode(client, { id, entityName: "Again" })).toMatchObject({
      status: 409,
      code: "codes.not-editable",
      text: expect.stringContaining("Details have not been saved.") as string,
    });
    expect(await updateCode(staff, { id, status: "Registered" })).toMatchObject(saved);
  });

  test.each([
    [{ id: undefined }, "code.id"],
    [{ id: 0 }, "code.id"],
    [{ id: "1" }, "code.id"],
    [{ entityName: "<b></b>" }, "code.entityName"],
    [{ entityName: null }, "code.entityName"],
    [{ entityName: ["a"] }, "code.entityName"],
    [{ shortName: "x".repeat(71) }, "code.shortName"],
    [{ vatNumber: "x".repeat(18) }, "code.vatNumber"],
    [{ directParent: "ABCDE" }, "code.directParent"],
    [{ dunsNumber: "<u>" }, "code.dunsNumber"],
    [{ entityTypes: "IT" }, "code.entityTypes"],
    [{ entityTypes: ["<IT"] }, "code.entityTypes"],
    [{ entityType: 2 ** 40 }, "code.entityType"],
    [{ physicalAddress: { ...WIRE_ADDRESS, colour: "red" } }, "code.physicalAddress.colour"],
  ])("[API-06] refuses %j at its field", async (code, field) => {
    const { id } = await createCode(user);
    const before = await readCode(client, id);
    const answer = await updateCode(client, { id, ...code });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.errors)).toEqual([field]);
    expect(await readCode(client, id)).toEqual(before);
  });

  test("[API-06] finds no code of somebody else; administrators change any code, also an OFTP code's entity types", async () => {
    const { id } = await createCode(user, { codeType: "OFTP" });
    const stranger = await newProgram();
    expect(await updateCode(stranger.client, { id, entityName: "Mine" })).toMatchObject({ status: 404, content: null });
    expect((await updateCode(staff, { id: 999_999 })).status).toBe(404);
    expect(await updateCode(client, { id, entityTypes: ["IT"], entityName: "Own" })).toMatchObject(saved);
    expect((await readCode(client, id)).code).toMatchObject({ entityTypes: [], entityName: "Own" });
    expect(await updateCode(staff, { id, entityTypes: ["IT"], status: "Expired" })).toMatchObject(saved);
    expect((await readCode(client, id)).code).toMatchObject({ entityTypes: ["IT"], status: "Expired" });
    expect(await eventsOfCode(id)).toEqual(["code.changed", "code.changed"]);
  });

  test("[API-03] overwrites nobody else's change when the version that was read is sent", async () => {
    const { id } = await createCode(user);
    const { updatedAt } = await readCode(client, id);
    expect(await updateCode(staff, { id, shortName: "Theirs" }, { updatedAt })).toMatchObject(saved);
    const late = await updateCode(client, { id, shortName: "Mine" }, { updatedAt });
    expect(late).toMatchObject({ status: 200, content: false });
    expect(late.text).toContain("short name (stored now: 'Theirs')");
    expect((await readCode(client, id)).code.shortName).toBe("Theirs");
    const now = (await readCode(client, id)).updatedAt;
    expect(await updateCode(client, { id, shortName: "Mine" }, { updatedAt: now })).toMatchObject(saved);
  });

  test("[API-03] compares the version as a timestamp in any notation; without one it changes the stored code", async () => {
    const { id } = await createCode(user);
    let { updatedAt } = await readCode(client, id);
    for (const way of waysToSay(updatedAt).keys()) {
      const version = waysToSay(updatedAt)[way];
      const { content } = await updateCode(client, { id, shortName: `Way ${way}` }, { updatedAt: version });
      expect({ version, content }).toEqual({ version, content: true });
      ({ updatedAt } = await readCode(client, id));
    }
    for (const [way, version] of NO_VERSIONS.entries())
      expect(await updateCode(client, { id, shortName: `None ${way}` }, { updatedAt: version })).toMatchObject(saved);
    const early = new Date(Date.parse(updatedAt) - 1).toISOString();
    expect((await updateCode(client, { id, shortName: "Early" }, { updatedAt: early })).content).toBe(false);
    expect(await updateCode(client, { id, shortName: "No date" }, { updatedAt: "yesterday" })).toMatchObject({
      status: 422,
      errors: { updatedAt: DATE_FORMATS },
    });
  });

  test("[API-03] loses none of several simultaneous changes silently", async () => {
    const { id } = await createCode(user);
    const names = Array.from({ length: 6 }, (_, index) => `Plant ${index}`);
    const answers = await Promise.all(names.map((entityName) => updateCode(client, { id, entityName })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const done = answers.filter(({ content }) => content).length;
    expect(await eventsOfCode(id)).toEqual(Array.from({ length: done }, () => "code.changed"));
    for (const { text } of answers.filter(({ content }) => !content))
      expect(text).toMatch(/^Nothing was saved: .* entity name \(stored now: 'Plant \d'\)\. .* with updatedAt \S+Z\.$/);
  });
});

describe("[API-03] [COD-08] contacts of UpdateEntity", () => {
  const contactsOf = async (id: number) => (await readCode(client, id)).contacts;

  test("[API-03] are changed by id; omitted fields and other contacts stay", async () => {
    const { code, contacts } = await filledCode();
    const [ida, bo] = contacts;
    const change = { id: bo?.id, lastname: "Alm", telephone: " " };
    expect(await updateCode(client, { id: code.id }, { contacts: [change] })).toMatchObject(saved);
    expect(await contactsOf(code.id)).toEqual([ida, { ...bo, lastname: "Alm", telephone: "" }]);
  });

  test("[API-03] [COD-08] are removed by removedContacts; unknown ids and changed ones are refused", async () => {
    const { code, contacts } = await filledCode();
    const [ida, bo] = contacts;
    expect((await updateCode(client, { id: code.id }, { removedContacts: [999_999_999] })).status).toBe(404);
    const both = { removedContacts: [bo?.id], contacts: [{ id: bo?.id, lastname: "Alm" }] };
    expect((await updateCode(client, { id: code.id }, both)).errors).toEqual({
      "removedContacts.0": "This contact is also among `contacts`.",
    });
    expect(await updateCode(client, { id: code.id }, { removedContacts: [bo?.id] })).toMatchObject(saved);
    expect(await contactsOf(code.id)).toEqual([ida]);
  });

  test.each([0, -1, -20_000, null, undefined])(
    "[API-03] with the id %j are new, or replace the one with the same email",
    async (id) => {
      const { code, contacts } = await filledCode();
      const added = { id, ...CODE_CONTACT, name: "Cleo", email: "cleo@example.com" };
      const replacing = { id, ...CODE_CONTACT, name: "Dora", email: "BO@example.com" };
      const sent = { contacts: [added, { ...replacing, ...(id && { id: id - 1 }) }] };
      expect(await updateCode(client, { id: code.id }, sent)).toMatchObject(saved);
      const after = await contactsOf(code.id);
      expect(after).toMatchObject([
        { id: contacts[0]?.id, name: "Ida" },
        { id: contacts[1]?.id, name: "Dora", email: "BO@example.com", telephone: "" },
        { name: "Cleo", email: "cleo@example.com" },
      ]);
      expect(after[2]?.id).toBeGreaterThan(0);
    },
  );

  test("[API-06] of another code are not found, an email belongs to one contact, and no contact comes twice", async () => {
    const { code, contacts } = await filledCode();
    const [ida, bo] = contacts;
    const foreign = (await filledCode()).contacts[0];
    const send = (...sent: object[]) => updateCode(client, { id: code.id }, { contacts: sent });
    for (const id of [foreign?.id, 2_000_000_000])
      expect(await send({ id, name: "Stolen" })).toMatchObject({ status: 404, content: null });
    const clash = await send({ id: ida?.id, email: bo?.email });
    expect(clash).toMatchObject({ status: 422, errors: { contacts: `Ida Berg: ${CONTACT_EMAIL_TAKEN}` } });
    expect((await send({ id: ida?.id, name: "A" }, { id: ida?.id, name: "B" })).errors).toHaveProperty([
      "contacts.1.id",
    ]);
    expect(
      (await send({ ...CODE_CONTACT, email: "x@example.com" }, { id: bo?.id, email: "X@example.com" })).errors,
    ).toEqual({ "contacts.1.email": CONTACT_EMAIL_TAKEN });
    for (const [field, value] of [
      ["contactType", "Boss"],
      ["name", " "],
      ["lastname", "<b>"],
      ["position", "x".repeat(121)],
      ["telephone", "none"],
      ["fax", "1".repeat(36)],
      ["email", "bo@"],
    ] as const)
      expect(Object.keys((await send({ id: bo?.id, [field]: value })).errors)).toEqual([`contacts.0.${field}`]);
    expect(await contactsOf(code.id)).toEqual(contacts);
  });

  test("[API-03] can exchange their email addresses", async () => {
    const { code, contacts } = await filledCode();
    const [ida, bo] = contacts;
    const sent = [
      { id: ida?.id, email: bo?.email },
      { id: bo?.id, email: ida?.email },
    ];
    expect(await updateCode(client, { id: code.id }, { contacts: sent })).toMatchObject(saved);
    expect(await contactsOf(code.id)).toMatchObject([
      { name: "Ida", email: bo?.email },
      { name: "Bo", email: ida?.email },
    ]);
  });
});
