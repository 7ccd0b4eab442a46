import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { newClientProgram } from "../support/api-clients";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
type Given = Parameters<typeof createCertificateOrder>[2];

let customer: User;
let officer: User;
/** Programs of an officer, of an approver and of somebody without a right of staff. */
let office: ApiClient;
let approver: ApiClient;
let stranger: ApiClient;
/** A program of an API client of staff, for which the officer answers. */
let register: ApiClient;

const programFor = ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);

beforeAll(async () => {
  customer = await createUser();
  officer = await createStaff(["registration-officer", "user-administrator"]);
  office = await programFor(officer);
  approver = await programFor(await createStaff(["approver"]));
  stranger = await programFor(customer);
  const scopes = ["queue:read", "queue:write"] as const;
  register = (await newClientProgram(officer, scopes, { kind: "staff", name: "Register" })).program;
});

// Each test sees only its own orders in the queue.
beforeEach(async () => {
  await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("status", "=", "Pending").execute();
});

const order = async (given: Given = {}) => createCertificateOrder(customer, makeCsr().der, given);

interface Listed {
  certificateId: number;
  orderId: number;
  stage: string;
  assignee: string;
  updatedAt: string;
  waitsFor: string[];
  checks: { check: string; isDone: boolean }[];
}

interface Evidence {
  text: string;
  reference: string;
  by: string;
}

interface Whole {
  checks: {
    check: string;
    isDone: boolean;
    recordedAt: string;
    recordedBy: string;
    note: string;
    evidence: Evidence[];
  }[];
  comments: { text: string }[];
  outcome: string;
  assigneeId: number;
}

const listOf = (query: Record<string, string | number> = {}, program = office) =>
  program.get<Listed[]>("Queue/GetOrders", query);
const idsOf = async (query: Record<string, string | number> = {}, program = office) =>
  (await listOf(query, program)).content.map(({ certificateId }) => certificateId);
const wholeOf = async (certificateId: number, program = office) =>
  (await program.get<Whole>("Queue/GetOrder", { certificateId })).content;
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute));

describe("[MAN-03] the queue as a list", () => {
  test("[MAN-03] has the stage, the checks and who works on each order, for people and API clients", async () => {
    const fresh = await order();
    const ready = await order(checksDone());
    const all = await listOf({}, register);
    expect(all).toMatchObject({ status: 200, nextCursor: null });
    expect(all.content.map(({ certificateId, stage }) => [certificateId, stage])).toEqual([
      [fresh.id, "new"],
      [ready.id, "ready"],
    ]);
    expect(all.content[1]?.checks.every(({ isDone }) => isDone)).toBe(true);
    expect(all.content[0]?.checks).toContainEqual({ check: "organisation", isDone: false, isRefused: false });
    expect(all.content[1]?.waitsFor).toEqual([]);
    await office.post("Queue/TakeOrder", { certificateId: fresh.id });
    expect((await listOf()).content[0]?.assignee).toBe(`${officer.firstName} ${officer.lastName}`);
  });

  test("[MAN-03] takes filters by stage, order, work and words", async () => {
    const [one, two] = [await order(), await order(checksDone())];
    await office.post("Queue/TakeOrder", { certificateId: two.id });
    expect(await idsOf({ stage: "ready" })).toEqual([two.id]);
    expect(await idsOf({ orderId: one.orderId })).toEqual([one.id]);
    expect(await idsOf({ orderNumber: `so-${two.orderId}` })).toEqual([two.id]);
    expect(await idsOf({ orderNumber: `SO-${two.orderId}`, orderId: one.orderId })).toEqual([]);
    expect(await idsOf({ work: "mine" })).toEqual([two.id]);
    expect(await idsOf({ work: "nobody" })).toEqual([one.id]);
    expect(await idsOf({ search: "nowhere" })).toEqual([]);
  });

  test("[MAN-03] a cursor stays right while orders are added and decided", async () => {
    const made = [await order(), await order(), await order()];
    const [one, two, three] = made.map(({ id }) => id) as [number, number, number];
    const first = await listOf({ pageSize: 2 });
    expect(first.content.map(({ certificateId }) => certificateId)).toEqual([one, two]);
    await setCertificate(one, { status: "Cancelled" });
    const { id: four } = await order();
    const cursor = String(first.nextCursor);
    expect(await idsOf({ pageSize: 2, cursor })).toEqual([three, four]);
    const next = await listOf({ pageSize: 2, cursor });
    expect(await idsOf({ pageSize: 2, cursor: String(next.nextCursor) })).toEqual([]);
  });

  test("[MAN-03] updatedSince answers in the order of the last change, and what changes meanwhile comes again", async () => {
    const [one, two, three] = [await order(), await order(), await order()];
    for (const [index, { id }] of [one, three, two].entries()) await setCertificate(id, { updatedAt: at(index) });
    const updatedSince = at(0).toISOString();
    expect(await idsOf({ updatedSince })).toEqual([one.id, three.id, two.id]);
    expect(await idsOf({ updatedSince: "2026-05-01T14:01:00+02:00" })).toEqual([three.id, two.id]);
    expect(await idsOf({ updatedSince: at(3).toISOString() })).toEqual([]);
    const first = await listOf({ updatedSince, pageSize: 2 });
    await setCertificate(one.id, { updatedAt: at(9) });
    const rest = await idsOf({ updatedSince, pageSize: 2, cursor: String(first.nextCursor) });
    expect(rest).toEqual([two.id, one.id]);
  });

  test("[API-06] names the rule of a wrong cursor, timestamp, stage and order", async () => {
    await order();
    await order();
    const { nextCursor } = await listOf({ pageSize: 1 });
    const errorsOf = async (query: Record<string, string | number>) => {
      const { status, code, errors } = await listOf(query);
      expect([status, code]).toEqual([422, "request.invalid"]);
      return errors;
    };
    expect((await errorsOf({ cursor: "abc" })).cursor).toContain("The cursor is not valid");
    const forged = Buffer.from(JSON.stringify(["x", "2026-13-01", 1])).toString("base64url");
    expect((await errorsOf({ cursor: forged })).cursor).toContain("The cursor is not valid");
    expect((await errorsOf({ cursor: String(nextCursor), stage: "new" })).cursor).toContain("other filters");
    expect((await errorsOf({ updatedSince: "yesterday" })).updatedSince).toContain("YYYY-MM-DD");
    expect((await errorsOf({ stage: "waiting" })).stage).toBeDefined();
    expect((await errorsOf({ orderNumber: "order" })).orderNumber).toBeDefined();
    expect((await errorsOf({ pageSize: 1001 })).pageSize).toBeDefined();
  });
});

describe("[MAN-03] evidence for a check", () => {
  const found = (certificateId: number, given: object = {}) => ({
    certificateId,
    check: "organisation",
    text: "Active, same address.",
    reference: "https://register.example/HRB%201",
    ...given,
  });
  const add = (program: ApiClient, body: object) => program.post<{ evidenceId: number }>("Queue/AddEvidence", body);

  test("[MAN-03] of an API client is shown beside the check, which a person records", async () => {
    const { id } = await order();
    const added = await add(register, found(id));
    expect(added.status).toBe(200);
    expect((await add(register, found(id))).content).toEqual(added.content);
    const organisation = (await wholeOf(id)).checks.find(({ check }) => check === "organisation");
    const by = `${officer.firstName} ${officer.lastName}, by the API client “Register”`;
    expect(organisation).toMatchObject({ isDone: false, note: "", recordedBy: "" });
    expect(organisation?.evidence).toEqual([
      expect.objectContaining({ text: "Active, same address.", reference: "https://register.example/HRB%201", by }),
    ]);
    const page = await openPage(orderPage, await signedInAs(officer), `/home/certificate-queue/${id}`, {
      params: { id: String(id) },
    });
    const items = textsOf(page.html, ".checks > li");
    expect(items[1]).toContain(`from ${by}: Active, same address. (https://register.example/HRB%201)`);
    expect(items[0]).not.toContain("Active, same address.");
    expect(await readCertificate(id)).toMatchObject({ organisationCheckedAt: null, organisationNote: null });
    expect(await auditEventsOf(id)).toEqual(["certificate.evidence-added"]);
    await expect(getDb().deleteFrom("checkEvidence").execute()).rejects.toThrow("never changed");
  });

  test("[MAN-03] an API client neither checks nor decides", async () => {
    const { id: certificateId } = await order(checksDone());
    for (const [path, body] of [
      ["Queue/RecordChecks", { contact: "Called back" }],
      ["Queue/TakeOrder", {}],
      ["Queue/AddComment", { comment: "Hello" }],
      ["Queue/RejectOrder", { reason: "No" }],
      ["Queue/CancelOrder", { reason: "No" }],
      ["Queue/UndoApproval", {}],
    ] as const)
      expect(await register.post(path, { certificateId, ...body })).toMatchObject({
        status: 403,
        code: "client.person-only",
      });
    const approve = await register.post("certificates/ApproveOrders", { certificateIds: [certificateId] });
    expect(approve).toMatchObject({ status: 403, code: "client.person-only" });
  });

  test("[API-06] needs the scope, and the right of whoever answers for the client", async () => {
    const { id } = await order();
    const { program } = await newClientProgram(officer, ["queue:read"], { kind: "staff" });
    expect(await add(program, found(id))).toMatchObject({ status: 403, code: "client.scope" });
    expect((await listOf({}, program)).status).toBe(200);
    expect(await add(approver, found(id))).toMatchObject({ status: 403, code: "account.right" });
    expect(await listOf({}, stranger)).toMatchObject({ status: 403, code: "account.right" });
    const administrator = await createStaff(["user-administrator"]);
    await expect(newClientProgram(administrator, ["queue:write"], { kind: "staff" })).rejects.toThrow(
      "Registration officer",
    );
  });

  test("[MAN-03] whoever answers for the client gives no evidence for an own order", async () => {
    const staff = await createAdmin();
    const { program } = await newClientProgram(staff, ["queue:write"], { kind: "staff" });
    const own = await createCertificateOrder(staff, makeCsr().der);
    expect(await add(program, found(own.id))).toMatchObject({ status: 422, code: "certificate.own-order" });
  });

  test("[API-06] is refused for a decided order, for too much of it, and for fields that are not valid", async () => {
    const { id } = await order();
    for (let number = 1; number <= 30; number += 1)
      expect((await add(register, found(id, { text: `Found ${number}` }))).status).toBe(200);
    expect(await add(register, found(id))).toMatchObject({ status: 422, code: "certificate.evidence-limit" });
    expect((await add(register, found(id, { check: "email" }))).errors.check).toBeDefined();
    expect((await add(register, found(id, { text: " " }))).errors.text).toBeDefined();
    expect((await add(register, found(id, { reference: "x".repeat(501) }))).errors.reference).toBeDefined();
    await setCertificate(id, { status: "Cancelled" });
    expect(await add(register, found(id))).toMatchObject({ code: "certificate.not-pending" });
    expect(await add(register, found(2_147_483_647))).toMatchObject({ status: 404 });
  });
});

describe("[MAN-03] what people do with an order", () => {
  test("[MAN-03] records checks together, and not over a newer record", async () => {
    const { id: certificateId } = await order();
    expect((await office.post("Queue/RecordChecks", { certificateId })).errors.contact).toContain("at least one check");
    const body = { certificateId, organisation: "Trade register seen", csr: "Agrees with the register" };
    expect(await office.post("Queue/RecordChecks", body)).toMatchObject({ status: 200, content: true });
    const [, organisation] = (await wholeOf(certificateId)).checks;
    expect(organisation).toMatchObject({ isDone: true, note: "Trade register seen", recordedBy: officer.email });
    const other = await programFor(await createStaff(["registration-officer"]));
    const again = { certificateId, contact: "Called back", organisation: "Extract sent by the customer" };
    const refused = await other.post("Queue/RecordChecks", again);
    expect(refused).toMatchObject({ status: 422, code: "certificate.check-recorded" });
    expect(refused.errors.organisation).toContain("meanwhile");
    expect((await readCertificate(certificateId)).contactAnswer).toBeNull();
    const seen = await other.post("Queue/RecordChecks", { ...again, organisationSeen: organisation?.recordedAt });
    expect(seen.status).toBe(200);
    expect(await readCertificate(certificateId)).toMatchObject({
      contactAnswer: "authorised",
      organisationNote: "Extract sent by the customer",
    });
    expect(await approver.post("Queue/RecordChecks", again)).toMatchObject({ status: 403, code: "account.right" });
  });

  test("[MAN-03] takes, takes over, releases and comments", async () => {
    const { id: certificateId } = await order();
    const other = await programFor(await createStaff(["finance"]));
    expect((await office.post("Queue/TakeOrder", { certificateId })).status).toBe(200);
    expect(await other.post("Queue/TakeOrder", { certificateId })).toMatchObject({
      status: 409,
      code: "certificate.taken",
    });
    const { assigneeId } = await wholeOf(certificateId);
    expect((await other.post("Queue/TakeOrder", { certificateId, assigneeId })).status).toBe(200);
    await office.post("Queue/ReleaseOrder", { certificateId });
    expect((await wholeOf(certificateId)).assigneeId).not.toBe(0);
    await other.post("Queue/ReleaseOrder", { certificateId });
    expect((await wholeOf(certificateId)).assigneeId).toBe(0);
    for (const comment of ["Calls back.", "Calls back.", "Has called."])
      expect((await office.post("Queue/AddComment", { certificateId, comment })).status).toBe(200);
    expect((await wholeOf(certificateId)).comments.map(({ text }) => text)).toEqual(["Has called.", "Calls back."]);
    expect((await office.post("Queue/AddComment", { certificateId, comment: " " })).errors.comment).toBeDefined();
  });

  test("[MAN-03] reminds contacts once in 24 hours, and says why not", async () => {
    const { id } = await order();
    const remind = () =>
      office.post<{ isReminded: boolean; error: string }[]>("Queue/RemindContacts", { certificateIds: [id] });
    expect((await remind()).content).toEqual([{ certificateId: id, isReminded: true, error: "" }]);
    expect((await remind()).content).toMatchObject([
      { isReminded: false, error: expect.stringContaining("24 hours") as string },
    ]);
  });

  test("[MAN-03] rejects and cancels with a reason that the customer reads, once", async () => {
    const [one, two] = [await order(), await order()];
    const reject = { certificateId: one.id, reason: "The register knows no such company." };
    expect((await office.post("Queue/RejectOrder", { ...reject, reason: " " })).errors.reason).toBeDefined();
    expect(await office.post("Queue/RejectOrder", reject)).toMatchObject({
      status: 200,
      content: { refund: "", promotionCode: "" },
    });
    expect(await readCertificate(one.id)).toMatchObject({ status: "Rejected", decisionReason: reject.reason });
    expect(await office.post("Queue/RejectOrder", reject)).toMatchObject({ code: "certificate.not-pending" });
    const cancel = { certificateId: two.id, reason: "Ordered twice" };
    expect((await approver.post("Queue/CancelOrder", cancel)).status).toBe(200);
    expect(await readCertificate(two.id)).toMatchObject({ status: "Cancelled" });
    expect(await stranger.post("Queue/CancelOrder", cancel)).toMatchObject({ status: 403, code: "account.right" });
    expect((await wholeOf(two.id)).outcome).toContain("cancelled");
    expect(await office.post("Queue/UndoApproval", cancel)).toMatchObject({ status: 403, code: "account.right" });
    const undo = await approver.post("Queue/UndoApproval", { certificateId: (await order()).id });
    expect(undo).toMatchObject({ code: "certificate.not-issuing" });
  });
});
