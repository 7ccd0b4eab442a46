import { beforeAll, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout, storedUser } from "../support/administration";
import { type ApiClient, apiClientOf } from "../support/api";
import { newClientProgram } from "../support/api-clients";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { newEmail } from "../support/user-details";

usePortal();

const programFor = ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);

interface Listed {
  userId: number;
  name: string;
  state: string;
  rights: string[];
}

interface Whole extends Omit<Listed, "rights"> {
  rights: { right: string; grantedBy: string }[];
  actions: { action: string; barrier: string }[];
  awaitsFirstPassword: boolean;
}

let admin: ApiClient;
let auditor: ApiClient;
/** A program of an API client of staff. */
let register: ApiClient;

beforeAll(async () => {
  const olga = await createAdmin();
  admin = await programFor(olga);
  auditor = await programFor(await createStaff(["auditor"]));
  register = (await newClientProgram(olga, ["queue:read"], { kind: "staff" })).program;
});

const idsOf = async (program: ApiClient, query: Record<string, string | number>) =>
  (await program.get<Listed[]>("Users/GetUsers", query)).content.map(({ userId }) => userId);
const change = (userId: number, action: string, reason = "", program = admin) =>
  program.post<{ waitsForSecond: boolean }>("Users/ChangeAccount", { userId, action, reason });
const whole = async (userId: number, program = admin) =>
  (await program.get<Whole>("Users/GetUser", { userId })).content;

describe("[MAN-02] accounts by calls", () => {
  test("[MAN-02] are listed in parts and with filters", async () => {
    const company = `Parts ${newEmail()}`;
    const users = [];
    for (let number = 0; number < 3; number += 1) users.push(await createUser({ company }));
    const [one, two, three] = users.map(({ id }) => id) as [number, number, number];
    expect(await idsOf(auditor, { search: company })).toEqual([one, two, three]);
    const first = await auditor.get<Listed[]>("Users/GetUsers", { search: company, pageSize: 2 });
    await createUser({ company: "Other" });
    const cursor = String(first.nextCursor);
    expect(await idsOf(auditor, { search: company, pageSize: 2, cursor })).toEqual([three]);
    await change(two, "disable", "Left the company");
    expect(await idsOf(admin, { search: company, state: "Disabled" })).toEqual([two]);
    await updateUser(getDb(), one, { position: "Head" }, new Date("2030-01-01T00:00:00Z"));
    expect(await idsOf(admin, { search: company, updatedSince: "2030-01-01" })).toEqual([one]);
    expect(await idsOf(admin, { search: company, updatedSince: "2000-01-01" })).toEqual([three, two, one]);
    const { content } = await admin.get<Listed[]>("Users/GetUsers", { right: "auditor" });
    expect(content.every(({ rights }) => rights.includes("Auditor"))).toBe(true);
    expect((await admin.get("Users/GetUsers", { right: "king" })).errors.right).toBeDefined();
  });

  test("[MAN-02] are changed by user administrators with a reason and a fresh proof", async () => {
    const { id } = await createUser();
    expect((await change(id, "disable")).errors.reason).toBeDefined();
    expect(await change(id, "disable", "Asked to")).toMatchObject({ status: 200, content: { waitsForSecond: false } });
    expect(await whole(id)).toMatchObject({ state: "Disabled" });
    expect(await change(id, "disable", "Asked to")).toMatchObject({ status: 422, code: "account.disable" });
    await change(id, "enable");
    await change(id, "grant-auditor");
    expect((await whole(id)).rights.map(({ right }) => right)).toContain("auditor");
    expect((await auditAbout({ id })).map(({ event }) => event)).toEqual([
      "account.disabled",
      "account.enabled",
      "account.right-granted",
    ]);
    expect(await change(id, "erase", "Asked to")).toMatchObject({ status: 422, code: "request.invalid" });
    expect(await change(2_147_483_647, "enable")).toMatchObject({ status: 404 });
    await getDb()
      .updateTable("sessions")
      .set({ provedAt: new Date("2020-01-01T00:00:00Z") })
      .execute();
    expect(await change(id, "lock", "Asked to")).toMatchObject({ status: 403, code: "account.step-up" });
    await admin.post("token/confirm", { password: TEST_PASSWORD });
    expect((await change(id, "lock", "Asked to")).status).toBe(200);
  });

  test("[API-06] are not changed by auditors and API clients, and say why", async () => {
    const { id } = await createUser();
    expect(await change(id, "disable", "Asked to", auditor)).toMatchObject({ status: 403, code: "account.right" });
    expect(await change(id, "disable", "Asked to", register)).toMatchObject({
      status: 403,
      code: "client.person-only",
    });
    const barriers = (await whole(id, auditor)).actions.map(({ barrier }) => barrier);
    expect(new Set(barriers)).toEqual(new Set([expect.stringContaining("User administrator")]));
    expect((await whole(id)).actions).toContainEqual({ action: "disable", barrier: "" });
    expect(await register.get("Users/GetUsers")).toMatchObject({ status: 403, code: "client.person-only" });
    const stranger = await programFor(await createUser());
    expect(await stranger.get("Users/GetUsers")).toMatchObject({ status: 403, code: "account.right" });
  });

  test("[MAN-02] are made for a person, who gets the link to choose a password", async () => {
    await admin.post("token/confirm", { password: TEST_PASSWORD });
    const email = newEmail();
    const company = `Keller ${email}`;
    const person = { firstName: "Bruno", lastName: "Keller", position: "EDI manager", telephoneNumber: "+49 711 555" };
    const made = await admin.post<{ userId: number }>("Users/CreateUser", { ...person, email, company });
    expect(made.status).toBe(200);
    expect(await whole(made.content.userId)).toMatchObject({ name: "Bruno Keller", awaitsFirstPassword: true });
    expect(await mailsTo(email)).toHaveLength(1);
    const again = await admin.post("Users/CreateUser", { ...person, email, company: "Another" });
    expect(again).toMatchObject({ status: 422, code: "account.email-taken" });
    expect(again.errors.email).toContain("already exists");
    const other = { ...person, email: newEmail(), company };
    const { companyId } = await storedUser({ id: made.content.userId });
    const namesake = await admin.post("Users/CreateUser", other);
    expect(namesake).toMatchObject({ status: 409, code: "account.company-name" });
    expect(namesake.errors.company).toContain(String(companyId));
    expect((await admin.post("Users/CreateUser", { ...other, isAnotherCompany: true })).status).toBe(200);
    expect((await admin.post("Users/CreateUser", { ...other, lastName: " " })).errors.lastName).toBeDefined();
  });
});
