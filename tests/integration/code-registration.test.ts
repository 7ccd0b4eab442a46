import { describe, expect, test } from "vitest";
import { SUBCODE_EXISTS } from "~/domain/codes/registration.service.server";
import { type searchCodesFor } from "~/domain/codes/search.service.server";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import * as searchPage from "~/routes/home.search-codes/route";
import { getDb } from "~db/connection.server";
import { listAvailableCodes } from "~db/repositories/available-codes.server";
import { countCodesOf } from "~db/repositories/codes.server";
import { begin, codeIn, ENTITY, open, pageOf, refusal, register, send, toastOf } from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

const customer = async () => {
  const user = await createUser();
  return { user, visitor: await signedInAs(user) };
};

const auditsOf = (codeId: number) =>
  getDb()
    .selectFrom("auditEntries")
    .select(["event", "message", "userId", "orderId", "actorName"])
    .where("codeId", "=", codeId)
    .orderBy("id")
    .execute();

describe("[COD-02] registering an entity", () => {
  test.each(["Nonsense", "__proto__", "constructor", "toString", ""])(
    "with the type '%s' is not found",
    async (type) => {
      const { visitor } = await customer();
      expect((await open(visitor, `/home/codes/code-details?type=${type}`)).status).toBe(404);
    },
  );

  test.each([
    ["Full", "OSCAR Code Full", /^[0-9A-HJ-NP-WYZ][0-9A-HJ-NP-Z]{3}$/, { sbeCanRegister: true, sbeMaxNumber: 1000 }],
    ["Basic", "OSCAR Code Basic", /^[0-9A-HJ-NP-WYZ][0-9A-HJ-NP-Z]{3}$/, { sbeCanRegister: true, sbeMaxNumber: 100 }],
    ["OFTP", "OFTP Code", /^X[0-9A-HJ-NP-Z]{3}$/, { sbeCanRegister: false, sbeMaxNumber: null }],
  ] as const)("of type %s gives it a code and reduces the order by one", async (codeType, label, form, sbe) => {
    const { user, visitor } = await customer();
    const orderId = await createAvailableCodes(user, codeType, 2);
    const response = await register(visitor, { type: label }, { entityName: " Plant <b>Nord</b> " });
    const code = await codeIn(response);
    expect(code.code).toMatch(form);
    expect(code).toMatchObject({ userId: user.id, orderId, codeType, subcode: "", status: "Registered", ...sbe });
    expect(code).toMatchObject({ entityName: "Plant Nord", sortCity: "coventry", countryId: 826 });
    expect(code.searchText).toContain(code.code.toLowerCase());
    expect(await toastOf(response)).toEqual({
      kind: "ok",
      text: `New code ${code.code} has been successfully registered.`,
    });
    expect(await listAvailableCodes(getDb(), user.companyId)).toEqual([{ codeType, quantity: 1 }]);
    expect(await auditsOf(code.id)).toEqual([
      {
        event: "code.entity-registered",
        message: `Registered the entity ${code.code}${codeType === "OFTP" ? "" : "00"}.`,
        userId: user.id,
        orderId,
        actorName: user.email,
      },
    ]);
  });

  test("[SRC-01] makes it and its sub-entity searchable by company and city", async () => {
    const user = await createUser({ company: "Fundort Parts" });
    const visitor = await signedInAs(user);
    await createAvailableCodes(user, "Full", 1);
    const { id, code } = await codeIn(await register(visitor, { type: "Full" }));
    await register(visitor, { parent: id }, { subcode: "01" });
    const search = visitor.get("/home/search-codes?company=fundort&city=coventry");
    const { results } = await jsonOf<Awaited<ReturnType<typeof searchCodesFor>>>(await run(searchPage.loader, search));
    expect(results?.rows.map((row) => row.code + row.subcode)).toEqual([code, `${code}01`]);
  });

  test("uses up the oldest order first and no more than is available", async () => {
    const { user, visitor } = await customer();
    const orders = [await createAvailableCodes(user, "Full", 1), await createAvailableCodes(user, "Full", 1)];
    const third = await begin(visitor, { type: "Full" });
    const codes = [
      await codeIn(await register(visitor, { type: "Full" })),
      await codeIn(await register(visitor, { type: "Full" })),
    ];
    expect(codes.map(({ orderId }) => orderId)).toEqual(orders);
    expect(await refusal(send(visitor, third, ENTITY))).toMatchObject({
      status: 409,
      errors: { form: "You have no OSCAR Code Full available to register. Please purchase one first." },
      values: { entityName: "Plant Nord", status: "Registered" },
    });
    const start = await open(visitor, paths.codeDetails({ type: "Full" }));
    expect(start.headers.get("Location")).toBe(paths.codes);
    expect(await toastOf(start)).toMatchObject({ kind: "warn" });
  });

  test("needs an available code of the same type and user", async () => {
    const { user, visitor } = await customer();
    await createAvailableCodes(user, "Basic", 1);
    await createAvailableCodes(people.stranger, "Full", 1);
    expect(await begin(visitor, { type: "Full" })).toBe(paths.codes);
    expect(await begin(visitor, { type: "Gold" })).toBe("404");
    expect(await begin(people.admin.visitor, { type: "Full" })).toBe("404");
  });

  test("happens once, however often its form is sent", async () => {
    const { user, visitor } = await customer();
    await createAvailableCodes(user, "Full", 3);
    const path = await begin(visitor, { type: "Full" });
    const answers = await Promise.all([send(visitor, path, ENTITY), send(visitor, path, ENTITY)]);
    const again = await send(visitor, path, ENTITY);
    expect(new Set([...answers, again].map(({ headers }) => headers.get("Location"))).size).toBe(1);
    expect(await countCodesOf(getDb(), user.companyId)).toBe(1);
    expect((await open(visitor, path)).headers.get("Location")).toBe(answers[0]?.headers.get("Location"));
  });

  test("sets the status Registered and the sender as owner, whatever is sent", async () => {
    const { user, visitor } = await customer();
    await createAvailableCodes(user, "Full", 1);
    const sent = { status: "Expired", userId: "1", code: "AAAA", subcode: "01", codeType: "OFTP" };
    const code = await codeIn(await register(visitor, { type: "Full" }, sent));
    expect(code).toMatchObject({ status: "Registered", userId: user.id, subcode: "", codeType: "Full" });
  });

  test("uses up nothing when the form is refused", async () => {
    const { user, visitor } = await customer();
    await createAvailableCodes(user, "Full", 1);
    const { status, errors } = await errorsOf(await register(visitor, { type: "Full" }, { directParentId: "9999" }));
    expect([status, Object.keys(errors)]).toEqual([422, ["directParentId"]]);
    expect(await listAvailableCodes(getDb(), user.companyId)).toEqual([{ codeType: "Full", quantity: 1 }]);
  });

  test("does not find a form of somebody else", async () => {
    const { user, visitor } = await customer();
    await createAvailableCodes(user, "Full", 1);
    const path = await begin(visitor, { type: "Full" });
    expect((await send(people.stranger.visitor, path, ENTITY)).headers.get("Location")).toBe(paths.codes);
    expect(await countCodesOf(getDb(), people.stranger.companyId)).toBe(0);
  });
});

describe("[COD-05] registering a sub-entity", () => {
  const withParent = async (given: Parameters<typeof createCode>[1] = {}) => {
    const { user, visitor } = await customer();
    return { user, visitor, parent: await createCode(user, given) };
  };
  const sub = (visitor: Visitor, parent: number, subcode: string) => register(visitor, { parent }, { subcode });

  test.each([
    ["01", "01"],
    ["ab", "AB"],
    ["zZ", "ZZ"],
    [" 7i ", "7I"],
    ["0O", "0O"],
  ])("with the subcode %o stores it under %s", async (typed, stored) => {
    const { user, visitor, parent } = await withParent();
    const response = await sub(visitor, parent.id, typed);
    const code = await codeIn(response);
    expect(code).toMatchObject({ code: parent.code, subcode: stored, parentId: parent.id, userId: user.id });
    expect(code).toMatchObject({ codeType: "Full", sbeCanRegister: false, sbeMaxNumber: null, orderId: null });
    expect(await toastOf(response)).toMatchObject({
      text: `New code ${parent.code}${stored} has been successfully registered.`,
    });
    const page = await pageOf(visitor, paths.codeDetails({ code: code.id }));
    expect(page.code).toMatchObject({
      fullCode: `${parent.code}${stored}`,
      oftpIdentifier: `O0177${parent.code}${stored}000000`,
    });
  });

  test.each([
    ["", messages.required],
    ["  ", messages.required],
    ["a", "Subcode must be exactly 2 characters long."],
    ["abc", "Subcode must be exactly 2 characters long."],
    ["🚗a", "Subcode must be exactly 2 characters long."],
    ["00", "00 may not be used as a subcode."],
    ["äb", messages.outOfRange],
    ["٠١", messages.outOfRange],
    ["1 2", "Subcode must be exactly 2 characters long."],
    ["a-", messages.outOfRange],
    ["1½", messages.outOfRange],
    ["🚗", messages.outOfRange],
  ])("refuses the subcode %o", async (subcode, message) => {
    const { user, visitor, parent } = await withParent();
    expect(await refusal(sub(visitor, parent.id, subcode))).toMatchObject({
      status: 422,
      errors: { subcode: message },
    });
    expect(await countCodesOf(getDb(), user.companyId)).toBe(1);
  });

  test("uses a subcode once under its parent for ever; it is free under another parent", async () => {
    const { user, visitor, parent } = await withParent();
    await createCode(user, { code: parent.code, subcode: "A1", parentId: parent.id, status: "Cancelled" });
    expect(await refusal(sub(visitor, parent.id, "a1"))).toMatchObject({
      status: 422,
      errors: { subcode: SUBCODE_EXISTS },
      values: { subcode: "a1", entityName: "Plant Nord" },
    });
    expect(SUBCODE_EXISTS).toBe("Entered sub code already exist. Please specify another code and try again.");
    const other = await createCode(user);
    expect(await codeIn(await sub(visitor, other.id, "a1"))).toMatchObject({ subcode: "A1" });
  });

  test.each([
    ["an OFTP code", { codeType: "OFTP" as const }],
    ["a cancelled code", { status: "Cancelled" as const }],
    ["an expired code", { status: "Expired" as const }],
    ["a sub-code", { subcode: "01" }],
    ["a code that may have none", { sbeCanRegister: false }],
  ])("is refused under %s", async (_, given) => {
    const { visitor, parent } = await withParent(given);
    expect(await begin(visitor, { parent: parent.id })).toBe(paths.codes);
  });

  test("is refused under a code that was cancelled in the meantime", async () => {
    const { visitor, parent } = await withParent();
    const path = await begin(visitor, { parent: parent.id });
    await getDb().updateTable("codes").set({ status: "Cancelled" }).where("id", "=", parent.id).execute();
    expect(await refusal(send(visitor, path, { ...ENTITY, subcode: "01" }))).toMatchObject({
      status: 409,
      errors: { form: "The code is cancelled: sub-entities cannot be registered under it." },
    });
  });

  test("is for the owner of the parent only", async () => {
    const { parent } = await withParent();
    for (const { visitor } of [people.stranger, people.admin])
      expect(await begin(visitor, { parent: parent.id })).toBe("404");
    expect(await begin(people.customer.visitor, { parent: 1 })).toBe("404");
  });

  test("[COD-03] OFTP is among the entity types of a sub-entity, and is refused for an entity", async () => {
    const { user, visitor, parent } = await withParent();
    const types = { subcode: "01", entityTypes: ["OFTP", "IT"] };
    expect(await codeIn(await register(visitor, { parent: parent.id }, types))).toMatchObject({ entityType: 8704 });
    await createAvailableCodes(user, "Full", 1);
    expect(await refusal(register(visitor, { type: "Full" }, types))).toMatchObject({
      status: 422,
      errors: { entityTypes: messages.collection },
    });
  });
});
