import { z } from "zod";
import { type Evidence } from "~/domain/certificates/queue/evidence.service.server";
import { STAFF_CHECKS } from "~/domain/certificates/queue/queue-fields";
import { listQueuePart, type QueuedOrder } from "~/domain/certificates/queue/queue-list.service.server";
import { getQueueOrder, type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { MIN_DATE } from "~/lib/dates";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { QUEUE_STAGES } from "~db/tables/certificates";
import { call, group, type SignedCaller } from "../call";
import { answeredStatus } from "../certificate-words";
import { PART_NOTES, partOf, partShape, partQueryOf } from "../cursor.server";
import { orderIn, orderShape } from "../order-filter";
import { queryId, toWireTimestamp, wireTimestamp, wireVersion } from "../wire";
import { queueDecisionCalls } from "./queue-decisions.server";
import { queueWorkCalls } from "./queue-work.server";

const criteria = z
  .object({
    ...orderShape,
    stage: z.enum(QUEUE_STAGES),
    work: z
      .enum(["mine", "nobody"])
      .describe("Orders on which the caller works, or nobody. For an API client, the caller is whoever answers for it"),
    search: z
      .string()
      .max(SEARCH_LIMIT, messages.outOfRange)
      .describe("Words of names, companies and people, among them the authentication contact, and numbers"),
  })
  .partial()
  .extend(partShape)
  .strict();

const about = {
  certificateId: z.number().int(),
  orderId: z.number().int(),
  orderNumber: z.string(),
  commonName: z.string(),
  organisation: z.string(),
  company: z.string().describe("Of the customer"),
  companyId: z.number().int(),
  orderType: z.string(),
  requestedAt: wireTimestamp(),
  waitsFor: z.array(z.string()).describe("What must still happen before it can be approved, in words"),
};

const listed = z.object({
  ...about,
  stage: z.enum(QUEUE_STAGES),
  ageInDays: z.number().int(),
  checks: z
    .array(z.object({ check: z.enum([...STAFF_CHECKS, "email"]), isDone: z.boolean(), isRefused: z.boolean() }))
    .describe("`email` is the customer's own confirmation; staff record the others"),
  contactAsked: z.number().int().describe("How often the contact was asked, while the answer is missing"),
  contactLastAskedAt: wireTimestamp(),
  assignee: z.string().describe("Who works on it; empty for nobody"),
  comments: z.number().int(),
  updatedAt: wireVersion(),
});

const toListed = ({ id, age, asked, updatedAt, checks, ...row }: QueuedOrder): z.input<typeof listed> => ({
  certificateId: id,
  orderId: row.orderId,
  orderNumber: row.orderNumber,
  commonName: row.commonName,
  organisation: row.organisation,
  company: row.company,
  companyId: row.companyId,
  orderType: row.orderType,
  requestedAt: toWireTimestamp(row.requestedAt),
  waitsFor: row.waitsFor,
  stage: row.stage,
  ageInDays: age,
  checks: checks.map(({ name: check, isDone, isRefused }) => ({ check, isDone, isRefused })),
  contactAsked: asked?.count ?? 0,
  contactLastAskedAt: toWireTimestamp(asked?.last),
  assignee: row.assignee ?? "",
  comments: row.comments,
  updatedAt,
});

const PATH = "Queue/GetOrders";

async function listOrders(query: z.output<typeof criteria>, { user }: SignedCaller) {
  const part = partQueryOf(PATH, query);
  const { stage = null, work = null, search = "" } = query;
  const rows = await listQueuePart({ stage, work, search, orderId: orderIn(query), ...part }, user);
  const positionOf = ({ id, updatedAt }: QueuedOrder) => ({ at: part.updatedSince === null ? null : updatedAt, id });
  return partOf(part, rows, { positionOf, toWire: toListed });
}

const evidence = z.object({
  id: z.number().int(),
  text: z.string(),
  reference: z.string().describe("Number or address of a document; may be empty"),
  by: z.string().describe("The person, with the API client if one added it"),
  addedAt: wireTimestamp(),
});

const toWireEvidence = ({ id, text, reference, by, at }: Evidence) => ({
  id,
  text,
  reference,
  by,
  addedAt: toWireTimestamp(at),
});

const marks = z.array(z.object({ code: z.string(), title: z.string(), message: z.string() }));

const whole = z.object({
  ...about,
  certificateStatus: answeredStatus(),
  outcome: z.string().describe("How it ended; empty while it is pending"),
  checks: z.array(
    z.object({
      check: z.enum(STAFF_CHECKS),
      title: z.string(),
      isDone: z.boolean(),
      isRefused: z.boolean().describe("The contact refused the order: reject or cancel it"),
      recordedAt: wireVersion().describe(
        "When it was recorded, with milliseconds, to be sent when it is recorded again; `0001-01-01T00:00:00` when it was not",
      ),
      recordedBy: z.string(),
      note: z.string(),
      evidence: z.array(evidence).describe("The oldest first. It records no check"),
    }),
  ),
  comparison: z
    .array(
      z.object({
        field: z.string(),
        finding: z.enum(["same", "differs", "look", "alone"]),
        values: z.array(z.object({ of: z.string(), value: z.string() })),
      }),
    )
    .describe("The CSR, the company and the contacts side by side, what differs first"),
  findings: z
    .array(z.object({ title: z.string(), text: z.string(), isLook: z.boolean().describe("Worth a look") }))
    .describe("What the portal found"),
  marks: marks.describe("What staff should look into: names and key"),
  brokenRules: marks.describe("Rules that the order breaks today. It cannot be approved"),
  checkBarrier: z.string().describe("Why the four-eyes principle keeps the caller from checking; may be empty"),
  approvalBarrier: z.string().describe("The same about approving"),
  assignee: z.string().describe("Who works on it; empty for nobody"),
  assigneeId: z.number().int().describe("The account of this person; 0 for nobody"),
  comments: z
    .array(z.object({ id: z.number().int(), text: z.string(), by: z.string(), writtenAt: wireTimestamp() }))
    .describe("Of staff, the latest first"),
});

type Mark = z.input<typeof marks>[number];

const toMark = ({ code, title, message }: Mark): Mark => ({ code, title, message });

const toChecks = ({ checks }: QueueOrder): z.input<typeof whole>["checks"] =>
  checks.map(({ name, title, isDone, isRefused, at, by, note, evidence: found }) => ({
    check: name,
    title,
    isDone,
    isRefused,
    recordedAt: at ?? `${MIN_DATE}T00:00:00`,
    recordedBy: by ?? "",
    note: note ?? "",
    evidence: found.map(toWireEvidence),
  }));

const toComparison = ({ comparison: { columns, rows } }: QueueOrder): z.input<typeof whole>["comparison"] =>
  rows.map(({ label: field, finding, cells }) => ({
    field,
    finding,
    values: cells.map((pieces, index) => ({ of: columns[index] ?? "", value: pieces.join("") })),
  }));

const toWhole = (order: QueueOrder): z.input<typeof whole> => ({
  certificateId: order.id,
  orderId: order.orderId,
  orderNumber: order.orderNumber,
  commonName: order.subject.commonName,
  organisation: order.subject.organisation,
  company: order.customer.company,
  companyId: order.customer.companyId,
  orderType: order.orderType,
  requestedAt: toWireTimestamp(order.requestedAt),
  waitsFor: order.waitsFor,
  certificateStatus: order.status,
  outcome: order.outcome ?? "",
  checks: toChecks(order),
  comparison: toComparison(order),
  findings: order.facts,
  marks: [...order.marks, ...order.keyMarks].map(toMark),
  brokenRules: order.brokenRules.map(toMark),
  checkBarrier: order.checkBarrier ?? "",
  approvalBarrier: order.approvalBarrier ?? order.checkBarrier ?? "",
  assignee: order.assignee?.name ?? "",
  assigneeId: order.assignee?.id ?? 0,
  comments: order.comments.map(({ writtenAt, ...comment }) => ({ ...comment, writtenAt: toWireTimestamp(writtenAt) })),
});

const readingCalls = group("Queue", [
  call({
    path: PATH,
    method: "GET",
    who: "see-queue",
    clients: "read",
    summary: "The pending orders of certificates, with stage, age, checks and who works on them",
    notes: `The oldest first. ${PART_NOTES} An order that is decided leaves the queue: \`certificates/getcertificates\` with \`updatedSince\` has what became of it.`,
    isInParts: true,
    input: criteria,
    output: z.array(listed),
    handle: listOrders,
  }),
  call({
    path: "Queue/GetOrder",
    method: "GET",
    who: "see-queue",
    clients: "read",
    summary: "One order with what staff check: checks, evidence, findings and comments",
    notes: "Also one that is decided.",
    refuses: { 404: "There is no such order of a certificate" },
    input: z.object({ certificateId: queryId() }).strict(),
    output: whole,
    handle: async ({ certificateId }, { user }) => toWhole(await getQueueOrder(certificateId, user)),
  }),
]);

export const queueCalls = [...readingCalls, ...queueWorkCalls, ...queueDecisionCalls];
