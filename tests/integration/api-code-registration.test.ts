import { describe, expect, test } from "vitest";
import { SUBCODE_LENGTH_MESSAGE, SUBCODE_ZEROS_MESSAGE } from "~/domain/codes/code-details.schema";
import { SUBCODE_EXISTS } from "~/domain/codes/registration.service.server";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import {
  type AnsweredCode,
  CODE_CONTACT,
  codesOf,
  ENTITY_CALL,
  eventsOfCode,
  readCode,
  WIRE_ADDRESS,
} from "../support/api-codes";
import { createAvailableCodes, createCode } from "../support/codes";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const registerEntity = (client: ApiClient, code: object = {}, rest: object = {}) =>
  client.post<AnsweredCode>("codes/registerNewEntity", { code: { ...ENTITY_CALL, ...code }, ...rest });

const registerSub = (client: ApiClient, parentId: number, code: object = {}, rest: object = {}) =>
  client.post<AnsweredCode>("codes/registerNewSubEntity", {
    code: { parentId, subcode: "01", entityName: "Gate 1", ...code },
    ...rest,
  });

const exists = (client: ApiClient, parentId: number, subcode: unknown) =>
  client.post<boolean>("codes/checkSubEntityExist", { parentId, subcode });

/** Returns a customer with paid Full codes. */
async function buyer(quantity = 1) {
  const owner = await newProgram();
  await createAvailableCodes(owner.user, "Full", quantity);
  return owner;
}

describe("[API-03] registerNewEntity", () => {
  test("[API-03] returns the new code at the company's address and uses up one available code", async () => {
    const { user, client } = await buyer(2);
    const answer = await registerEntity(client);
    expect(answer.status).toBe(200);
    expect(answer.content).toMatchObject({
      userId: user.id,
      codeType: "OSCAR Code Full",
      entityName: "Plant Nord",
      status: "Registered",
      subcode: "",
      entityType: 0,
      entityTypes: [],
      physicalAddress: null,
      mailingAddress: null,
      sbeMaxNumber: 1000,
    });
    expect(answer.content.fullCode).toBe(`${answer.content.code}00`);
    expect(await readCode(client, answer.content.id)).toEqual({
      code: answer.content,
      useCompanyAddress: true,
      usePhysicalAddress: true,
      contacts: [],
      updatedAt: expect.any(String) as string,
    });
    expect(await eventsOfCode(answer.content.id)).toEqual(["code.entity-registered"]);
    expect((await client.get("codes/getcodesavailable")).content).toEqual([
      { codeType: "OSCAR Code Full", quantity: 1 },
    ]);
  });

  test("[API-03] stores every detail, address and contact; the status is Registered", async () => {
    const { client } = await buyer();
    const details = {
      shortName: "Nord",
      tradeName: "Nord Trade",
      vatNumber: "DE123456789",
      dunsNumber: "12-345",
      domesticUltimateParent: "Nord AG",
      globalUltimateParent: "Nord SE",
      entityTypes: ["IT", "Other"],
      entityType: 512 + 16384,
      entityTypeOther: "Museum",
    };
    const sent = { ...details, directParent: " ", status: "Expired", physicalAddress: WIRE_ADDRESS };
    const contacts = [
      { id: -20_000, ...CODE_CONTACT },
      { ...CODE_CONTACT, email: "b@example.com", fax: "+49 1" },
    ];
    const { content } = await registerEntity(client, sent, { contacts, usePhysicalAddress: true });
    expect(content).toMatchObject({ ...details, directParent: "", status: "Registered", mailingAddress: null });
    expect(content.physicalAddress).toMatchObject({
      street1: "2 Dock Road",
      street2: "",
      city: "Lyon",
      countryId: 250,
    });
    const { contacts: stored, ...whole } = await readCode(client, content.id);
    expect(whole).toMatchObject({ useCompanyAddress: false, usePhysicalAddress: true });
    expect(stored).toMatchObject([CODE_CONTACT, { name: "Ida", email: "b@example.com", fax: "+49 1", mobile: "" }]);
    expect(stored.every(({ id }) => id > 0)).toBe(true);
  });

  test("[API-06] registers nothing without an available code of the type", async () => {
    const { user, client } = await buyer();
    expect(await registerEntity(client, { codeType: "OFTP Code" })).toMatchObject({
      status: 409,
      code: "codes.none-available",
      text: "You have no OFTP Code available to register. Please purchase one first.",
    });
    expect((await registerEntity(client)).status).toBe(200);
    expect((await registerEntity(client)).status).toBe(409);
    expect(await codesOf(user.id)).toHaveLength(1);
  });

  test.each([
    [{ codeType: " " }, { "code.codeType": "This field is required." }],
    [{ codeType: "OSCAR" }, { "code.codeType": "The value is not part of the collection." }],
    [{ entityName: undefined }, { "code.entityName": "This field is required." }],
    [{ entityName: "<br>" }, { "code.entityName": "Markup is not allowed." }],
    [{ entityName: "x".repeat(71) }, { "code.entityName": "Entered value is not valid." }],
    [{ entityTypes: ["OFTP"] }, { "code.entityTypes": "The value is not part of the collection." }],
    [{ entityTypes: ["Other"] }, { "code.entityTypeOther": "This field is required." }],
    [{ entityTypes: ["IT"], entityType: 1 }, { "code.entityType": "entityType and entityTypes are not the same." }],
    [{ entityType: 32_768 }, { "code.entityType": "The value is not part of the collection." }],
    [{ entityType: -1 }, { "code.entityType": "The value is not part of the collection." }],
    [{ physicalAddress: { ...WIRE_ADDRESS, city: "<i>" } }, { "code.physicalAddress.city": "Markup is not allowed." }],
    [
      { mailingAddress: { ...WIRE_ADDRESS, countryId: -1 } },
      { "code.mailingAddress.countryId": "This field is required." },
    ],
    [
      { mailingAddress: { ...WIRE_ADDRESS, countryId: 999 } },
      { "code.mailingAddress.countryId": "The value is not part of the collection." },
    ],
    [
      { directParent: "ZZZZ" },
      { "code.directParent": "Please specify an OSCAR code if you wish to use a direct parent." },
    ],
    [{ colour: "red" }, { "code.colour": "This call has no such field." }],
  ])("[API-06] refuses %j at its field", async (code, errors) => {
    const { user, client } = await buyer();
    expect(await registerEntity(client, code)).toMatchObject({ status: 422, errors });
    expect(await codesOf(user.id)).toEqual([]);
  });

  test.each([
    ["without one it needs an address of its own", { useCompanyAddress: false }, "code.physicalAddress.street1"],
    ["a contact needs its fields", { contacts: [{ name: "Ida" }] }, "contacts.0.email"],
    [
      "two contacts of one email",
      { contacts: [CODE_CONTACT, { ...CODE_CONTACT, email: "IDA.BERG@example-parts.com" }] },
      "contacts.1.email",
    ],
    ["more than a hundred contacts", { contacts: Array.from({ length: 101 }, () => CODE_CONTACT) }, "contacts"],
    ["a contact's markup", { contacts: [{ ...CODE_CONTACT, position: "<p></p>" }] }, "contacts.0.position"],
  ])("[API-06] %s", async (_, rest, field) => {
    const { user, client } = await buyer();
    const answer = await registerEntity(client, {}, rest);
    expect(answer.status).toBe(422);
    expect(answer.errors).toHaveProperty([field]);
    expect(await codesOf(user.id)).toEqual([]);
  });

  test("[API-03] accepts a hundred contacts at once, and refuses one that exists", async () => {
    const { client } = await buyer(2);
    const contacts = Array.from({ length: 100 }, (_, index) => ({ ...CODE_CONTACT, email: `c${index}@example.com` }));
    const { content } = await registerEntity(client, {}, { contacts });
    const stored = (await readCode(client, content.id)).contacts;
    expect(stored).toHaveLength(100);
    expect((await registerEntity(client, {}, { contacts: [{ ...CODE_CONTACT, id: stored[0]?.id }] })).status).toBe(404);
  });

  test("[COD-10] [API-03] of ten requests at once with five codes available five succeed", async () => {
    const { user, client } = await buyer(5);
    const answers = await Promise.all(Array.from({ length: 10 }, () => registerEntity(client)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(new Set((await codesOf(user.id)).map(({ code }) => code)).size).toBe(5);
  });
});

describe("[API-03] registerNewSubEntity and checkSubEntityExist", () => {
  test("[API-06] name a missing field also by its name in the call", async () => {
    const { user, client } = await newProgram();
    const parentId = (await createCode(user)).id;
    expect(await client.post("codes/checkSubEntityExist", { parentId, subCode: "A1" })).toMatchObject({
      status: 422,
      errors: { subCode: "This call has no such field.", subcode: "This field is required." },
    });
    const { errors } = await client.post("codes/registerNewSubEntity", { code: { parentId, subCode: "A1" } });
    expect(errors).toEqual({
      "code.subCode": "This call has no such field.",
      "code.subcode": "This field is required.",
      "code.entityName": "This field is required.",
    });
  });

  test("[API-03] return the new code; its sub-code then exists, and only under its parent", async () => {
    const { user, client } = await newProgram();
    const [parent, other] = [await createCode(user), await createCode(user)];
    expect((await exists(client, parent.id, "a1")).content).toBe(false);
    const { content } = await registerSub(client, parent.id, { subcode: "a1", entityTypes: ["OFTP"] });
    expect(content).toMatchObject({
      parentId: parent.id,
      code: parent.code,
      subcode: "A1",
      fullCode: `${parent.code}A1`,
      entityName: "Gate 1",
      entityTypes: ["OFTP"],
      status: "Registered",
      sbeCanRegister: false,
    });
    expect(await eventsOfCode(content.id)).toEqual(["code.sub-entity-registered"]);
    expect((await exists(client, parent.id, "A1")).content).toBe(true);
    expect((await exists(client, parent.id, "a1")).content).toBe(true);
    expect((await exists(client, other.id, "A1")).content).toBe(false);
    expect(await registerSub(client, parent.id, { subcode: "A1" })).toMatchObject({
      status: 422,
      errors: { "code.subcode": SUBCODE_EXISTS },
    });
  });

  test("[API-03] report the sub-code of a cancelled code as existing", async () => {
    const { user, client } = await newProgram();
    const { id, code } = await createCode(user);
    await createCode(user, { code, subcode: "07", parentId: id, status: "Cancelled" });
    expect((await exists(client, id, "07")).content).toBe(true);
  });

  test.each([
    [" ", "This field is required."],
    [null, "This field is required."],
    ["1", SUBCODE_LENGTH_MESSAGE],
    ["123", SUBCODE_LENGTH_MESSAGE],
    ["00", SUBCODE_ZEROS_MESSAGE],
    ["é1", "Entered value is not valid."],
    ["<b>", SUBCODE_LENGTH_MESSAGE],
  ])("[API-06] refuse the sub-code %j", async (subcode, message) => {
    const { user, client } = await newProgram();
    const { id } = await createCode(user);
    expect(await exists(client, id, subcode)).toMatchObject({ status: 422, errors: { subcode: message } });
    const answer = await registerSub(client, id, { subcode });
    expect(answer).toMatchObject({ status: 422, errors: { "code.subcode": message } });
    expect(await codesOf(user.id)).toHaveLength(1);
  });

  test("[API-06] say when no sub-entity is permitted", async () => {
    const { user, client } = await newProgram();
    const oftp = await createCode(user, { codeType: "OFTP" });
    const cancelled = await createCode(user, { status: "Cancelled" });
    const sub = await createCode(user, { code: cancelled.code, subcode: "02", parentId: cancelled.id });
    for (const { id } of [oftp, cancelled, sub])
      expect(await registerSub(client, id)).toMatchObject({ status: 409, code: "codes.no-sub-entity" });
    expect(await codesOf(user.id)).toHaveLength(3);
  });

  test("[API-06] register nothing under somebody else's code and tell nothing about it", async () => {
    const [owner, stranger] = [await newProgram(), await newProgram()];
    const { id, code } = await createCode(owner.user);
    await createCode(owner.user, { code, subcode: "01", parentId: id });
    for (const parentId of [id, 999_999]) {
      expect(await registerSub(stranger.client, parentId)).toMatchObject({ status: 404, content: null });
      expect(await exists(stranger.client, parentId, "01")).toMatchObject({ status: 404, content: null });
    }
    expect(await codesOf(stranger.user.id)).toEqual([]);
  });

  test("[API-06] refuse administrators who are no applicants, also for codes of others", async () => {
    const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
    const { user } = await newProgram();
    const { id } = await createCode(user);
    expect((await registerEntity(staff)).status).toBe(403);
    expect((await registerSub(staff, id)).status).toBe(403);
    expect((await exists(staff, id, "01")).status).toBe(403);
  });
});
