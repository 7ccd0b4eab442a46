import { beforeAll, describe, expect, test } from "vitest";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { createAvailableCodes, createCode } from "../support/codes";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

type User = Awaited<ReturnType<typeof createUser>>;
interface Code {
  id: number;
  fullCode: string;
}

const people = {} as { owner: User; client: ApiClient; staff: ApiClient; stranger: ApiClient };
const ids = { own: 0, sub: 0, other: 0 };

beforeAll(async () => {
  const [owner, other, stranger, admin] = [
    await createUser(),
    await createUser(),
    await createUser(),
    await createAdmin(),
  ];
  const clientOf = ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);
  Object.assign(people, { owner, client: await clientOf(owner), staff: await clientOf(admin) });
  people.stranger = await clientOf(stranger);
  ids.own = (await createCode(owner, { code: "AB1C", entityName: "Own Works", city: "Lyon" })).id;
  ids.sub = (await createCode(owner, { code: "AB1C", subcode: "P1", parentId: ids.own, entityName: "Own Plant" })).id;
  ids.other = (await createCode(other, { code: "YY9Z", entityName: "Foreign Works" })).id;
});

/** Sets when a code was changed. */
const changedAt = (id: number, updatedAt: string) =>
  getDb()
    .updateTable("codes")
    .set({ updatedAt: new Date(updatedAt) })
    .where("id", "=", id)
    .execute();

describe("reading codes", () => {
  test("[API-03] getcodes returns one's own with every documented field, and administrators everybody's, page by page", async () => {
    const own = (await people.client.get<Code[]>("codes/getcodes")).content;
    expect(own.map(({ fullCode }) => fullCode)).toEqual(["AB1C00", "AB1CP1"]);
    expect(own[0]).toMatchObject({
      id: ids.own,
      userId: people.owner.id,
      code: "AB1C",
      subcode: "",
      codeType: "OSCAR Code Full",
      company: people.owner.company,
      email: people.owner.email,
      registeredBy: "Anna Müller",
      entityName: "Own Works",
      status: "Registered",
      isOscar: true,
      sbeCanRegister: true,
      sbeMaxNumber: 1000,
      parentId: null,
    });
    expect((await people.stranger.get("codes/getcodes")).content).toEqual([]);
    const ofAll = async (query: Record<string, number>) =>
      (await people.staff.get<Code[]>("Codes/GetCodes", query)).content.map(({ id }) => id);
    expect(await ofAll({})).toEqual([ids.own, ids.sub, ids.other]);
    expect(await ofAll({ pageSize: 2 })).toEqual([ids.own, ids.sub]);
    expect(await ofAll({ pageSize: 2, page: 2 })).toEqual([ids.other]);
    expect(await ofAll({ pageSize: 2, page: 3 })).toEqual([]);
    for (const pageSize of [0, 1001, -1])
      expect((await people.staff.get("codes/getcodes", { pageSize })).errors).toHaveProperty("pageSize");
  });

  test("[API-03] getcodes takes a status, a time of change and a cursor, with which nothing is missed or comes twice", async () => {
    const read = (query: Record<string, string | number>) => people.staff.get<Code[]>("codes/getcodes", query);
    const idsIn = async (query: Record<string, string | number>) => (await read(query)).content.map(({ id }) => id);
    const first = await read({ pageSize: 2 });
    expect(await idsIn({ pageSize: 2, cursor: String(first.nextCursor) })).toEqual([ids.other]);
    expect((await read({})).nextCursor).toBeNull();
    expect(await idsIn({ status: "Expired" })).toEqual([]);
    await changedAt(ids.own, "2040-01-01T00:00:00.000Z");
    expect(await idsIn({ updatedSince: "2039-12-31" })).toEqual([ids.own]);
    const changes = await read({ updatedSince: "2000-01-01", pageSize: 2 });
    expect(changes.content.map(({ id }) => id)).toEqual([ids.sub, ids.other]);
    expect(await idsIn({ updatedSince: "2000-01-01", pageSize: 2, cursor: String(changes.nextCursor) })).toEqual([
      ids.own,
    ]);
    expect((await read({ cursor: String(changes.nextCursor) })).errors.cursor).toContain("belongs to another list");
    expect((await read({ status: "Waiting" })).errors.status).toBeDefined();
  });

  test("[API-03] [API-06] getcode and GetCodeContacts return the code with its contacts; somebody else's is not found", async () => {
    const { content } = await people.client.get<{ code: Code; contacts: object[] }>("codes/getcode", { id: ids.sub });
    expect(content).toMatchObject({ code: { id: ids.sub, parentId: ids.own, fullCode: "AB1CP1" }, contacts: [] });
    expect((await people.client.get("codes/GetCodeContacts", { codeId: ids.sub })).content).toEqual([]);
    for (const id of [ids.other, 999_999]) {
      expect(await people.client.get("codes/getcode", { id })).toMatchObject({ status: 404, content: null });
      expect((await people.client.get("codes/GetCodeContacts", { codeId: id })).status).toBe(404);
    }
    expect((await people.staff.get("codes/getcode", { id: ids.other })).status).toBe(200);
  });

  test("[API-03] counts registered and available codes", async () => {
    expect((await people.client.get("codes/GetCodeCountForUser")).content).toBe(2);
    expect((await people.stranger.get("codes/GetCodeCountForUser")).content).toBe(0);
    expect((await people.client.get("codes/getcodesavailable")).content).toEqual([]);
    await createAvailableCodes(people.owner, "Basic", 3);
    expect((await people.client.get("codes/getcodesavailable")).content).toEqual([
      { codeType: "OSCAR Code Basic", quantity: 3 },
    ]);
  });

  test("[API-03] returns prices and statuses", async () => {
    expect((await people.client.get("codes/getPricings")).content).toContainEqual({
      codeType: "OSCAR Code Full",
      price: expect.any(Number) as number,
    });
    expect((await people.client.get("codes/GetCodeStatuses")).content).toEqual(["Registered", "Cancelled"]);
    expect((await people.staff.get("codes/GetCodeStatuses")).content).toEqual(["Registered", "Cancelled", "Expired"]);
    expect((await people.client.get("codes/GetOrderStatuses")).content).toEqual([
      ...["Cancelled", "Invoiced", "Open", "Paid"],
    ]);
  });
});

describe("searching codes", () => {
  const none = { code: " ", subCode: " ", company: " ", city: " ", country: -1 };
  const search = (client: ApiClient, query: Record<string, string | number>) =>
    client.get<Code[]>("codes/search", { ...none, ...query });

  test("[API-03] takes code, sub code and city; a single space and -1 count as empty", async () => {
    const found = async (query: Record<string, string | number>) =>
      (await search(people.client, query)).content.map(({ id }) => id);
    expect(await found({ code: "AB1C" })).toEqual([ids.own, ids.sub]);
    expect(await found({ code: "ab1cp1" })).toEqual([ids.sub]);
    expect(await found({ code: "AB1C", subCode: "p1" })).toEqual([ids.sub]);
    expect(await found({ code: "YY9Z" })).toEqual([ids.other]);
    expect(await found({ city: "lyon" })).toEqual([ids.own]);
    expect(await found({ code: "AB1C", pageSize: 1, page: 2 })).toEqual([ids.sub]);
    expect(await found({ code: "AB1C", pageSize: 1, page: 3 })).toEqual([]);
  });

  test("[API-03] returns the documented warnings at their fields", async () => {
    expect(await search(people.client, {})).toMatchObject({
      status: 422,
      text: "Specify code search details and try again.",
    });
    expect((await search(people.client, { subCode: "P1" })).errors).toEqual({
      code: "You must specify the Code value when searching sub codes.",
    });
    expect((await search(people.client, { country: 9999 })).errors).toHaveProperty("country");
    expect((await search(people.client, { code: "AB1CP11" })).errors).toHaveProperty("code");
    expect((await search(people.client, { code: "AB1CP1", subCode: "P2" })).errors).toEqual({
      subCode: "Entered values do not match.",
    });
    expect((await search(people.client, { code: "AB1CP1", subCode: "p1" })).status).toBe(200);
  });

  test("[API-06] is for administrators and owners of codes", async () => {
    expect((await search(people.stranger, { code: "AB1C" })).status).toBe(403);
    expect((await search(people.staff, { code: "AB1C" })).content).toHaveLength(2);
  });
});

describe("the audit log of a code", () => {
  test("[API-03] is for administrators and lists the latest entry first", async () => {
    for (const day of [1, 2]) {
      const actor = { id: people.owner.id, name: "somebody@example.com" };
      const entry = { actor, event: "code.changed", message: `Change ${day}`, codeId: ids.own, reference: `R-${day}` };
      await inTransaction((trx) => recordAudit(trx, entry, new Date(Date.UTC(2026, 0, day))));
    }
    const { content } = await people.staff.get<{ message: string; email: string }[]>("codes/getAuditLogs", {
      codeId: ids.own,
      pageSize: 1,
    });
    expect(content).toEqual([
      {
        email: "somebody@example.com",
        message: "Change 2",
        auditReference: "R-2",
        code: "AB1C00",
        purchaseOrderNumber: "",
        dateTime: "2026-01-02T00:00:00Z",
      },
    ]);
    expect((await people.staff.get("codes/getAuditLogs", { codeId: 999_999 })).status).toBe(404);
    expect((await people.client.get("codes/getAuditLogs", { codeId: ids.own })).status).toBe(403);
  });
});
