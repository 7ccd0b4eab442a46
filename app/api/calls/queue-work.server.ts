import { z } from "zod";
import { REMIND_CONTACTS } from "~/domain/certificates/queue/contact-reminder.server";
import { recordChecks } from "~/domain/certificates/queue/decisions.service.server";
import { evidenceSchema } from "~/domain/certificates/queue/evidence.schema";
import { addEvidence, EVIDENCE_LIMIT } from "~/domain/certificates/queue/evidence.service.server";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { addOrderComment, releaseOrder, takeOrder } from "~/domain/certificates/queue/order-work.service.server";
import { BULK_LIMIT, STAFF_CHECKS } from "~/domain/certificates/queue/queue-fields";
import { orderCommentSchema } from "~/domain/certificates/queue/queue.schema";
import { actOnSelectedOrders } from "~/domain/certificates/queue/selected-orders.server";
import { optionalNote } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check, InvalidInput } from "../check";
import { version } from "../dates";
import { id, textBy } from "../wire";

const NO_ORDER = "There is no such order of a certificate";
const DECIDED = "The order is decided";

/** The certificate whose order a call is about. */
const ofOrder = { certificateId: id() };

const notes = z.object({
  contact: optionalNote(NOTE_LIMIT),
  organisation: optionalNote(NOTE_LIMIT),
  csr: optionalNote(NOTE_LIMIT),
});

const noteBy = (rule: z.ZodTypeAny, what: string) =>
  textBy(rule, { description: `How ${what}. The check is recorded when this is sent` });

const records = z
  .object({
    ...ofOrder,
    contact: noteBy(notes.shape.contact, "it was found that the contact authorises the order"),
    organisation: noteBy(notes.shape.organisation, "the document that proves the organisation was seen"),
    csr: noteBy(notes.shape.csr, "the CSR was compared with the company"),
    organisationSeen: version("check"),
    csrSeen: version("check"),
  })
  .strict();

const NOTHING_CHECKED = "Send how at least one check was done: contact, organisation or csr.";

const chosen = z
  .array(id())
  .min(1, messages.required)
  .max(BULK_LIMIT, messages.outOfRange)
  .describe(`The certificates of the orders, at most ${BULK_LIMIT}`);

const reminded = z.object({
  certificateId: z.number().int(),
  isReminded: z.boolean(),
  error: z.string().describe("Why the contact was not asked; empty when it was"),
});

export const queueWorkCalls = group("Queue", [
  call({
    path: "Queue/AddEvidence",
    method: "POST",
    who: "add-evidence",
    clients: "write",
    summary: "Adds evidence to a check of a pending order",
    notes: `Staff see it beside the check, with its source. It records no check and decides nothing: a person does. Nobody can change or delete it. The same evidence sent again is stored once. An order has at most ${EVIDENCE_LIMIT} pieces. The four-eyes principle holds for the person, or whoever answers for the API client: nobody adds evidence to their own order, and where it is strict, nobody approves what they gave evidence for.`,
    refuses: { 404: NO_ORDER, 422: `${DECIDED}, the four-eyes principle refuses it, or a field is not valid` },
    input: z
      .object({
        ...ofOrder,
        check: z.enum(STAFF_CHECKS),
        text: textBy(evidenceSchema.shape.text, { description: "What was found" }),
        reference: textBy(evidenceSchema.shape.reference, { description: "Number or address of a document" }),
      })
      .strict(),
    output: z.object({ evidenceId: z.number().int() }),
    handle: async ({ certificateId, check: name, ...sent }, { user }) => ({
      evidenceId: await addEvidence(user, certificateId, { check: name, ...check(evidenceSchema, sent) }),
    }),
  }),
  call({
    path: "Queue/RecordChecks",
    method: "POST",
    who: "check-orders",
    summary: "Records checks of a pending order, each with a note that says how it was done",
    notes:
      "All of them, or none. The four-eyes principle holds. A check that somebody recorded is recorded again only with `organisationSeen` or `csrSeen`, the `recordedAt` that `Queue/GetOrder` answered. What the contact answered stays.",
    refuses: {
      404: NO_ORDER,
      422: `${DECIDED}, somebody recorded the check meanwhile, the four-eyes principle refuses it, or a field is not valid`,
    },
    input: records,
    output: z.boolean(),
    handle: async ({ certificateId, organisationSeen, csrSeen, ...sent }, { user }) => {
      const all = check(notes, sent);
      const given = STAFF_CHECKS.filter((name) => all[name] !== "").map((name) => [name, all[name]] as const);
      if (given.length === 0) throw new InvalidInput({ contact: NOTHING_CHECKED });
      const seen = { organisationSeen: organisationSeen ?? "", csrSeen: csrSeen ?? "" };
      await recordChecks(certificateId, Object.fromEntries(given), user, seen);
      return true;
    },
  }),
  call({
    path: "Queue/TakeOrder",
    method: "POST",
    who: "work-on-orders",
    summary: "Notes that the caller works on a pending order",
    notes: "It keeps nobody else from checking or deciding the order. To take it over, name who has it.",
    refuses: { 404: NO_ORDER, 409: "Somebody else works on it", 422: `${DECIDED}, or a field is not valid` },
    input: z
      .object({ ...ofOrder, assigneeId: id().nullish().describe("Who has it, as `Queue/GetOrder` answered") })
      .strict(),
    output: z.boolean(),
    handle: async ({ certificateId, assigneeId }, { user }) => {
      await takeOrder(user, certificateId, assigneeId ?? null);
      return true;
    },
  }),
  call({
    path: "Queue/ReleaseOrder",
    method: "POST",
    who: "work-on-orders",
    summary: "Notes that the caller no longer works on a pending order",
    notes: "An order that the caller does not have stays as it is.",
    refuses: { 404: NO_ORDER },
    input: z.object(ofOrder).strict(),
    output: z.boolean(),
    handle: async ({ certificateId }, { user }) => {
      await releaseOrder(user, certificateId);
      return true;
    },
  }),
  call({
    path: "Queue/AddComment",
    method: "POST",
    who: "work-on-orders",
    summary: "Adds a comment for staff about an order",
    notes: "The customer does not see it. Nobody can change or delete it. The same comment sent again is stored once.",
    refuses: { 404: NO_ORDER },
    input: z.object({ ...ofOrder, comment: textBy(orderCommentSchema.shape.comment) }).strict(),
    output: z.boolean(),
    handle: async ({ certificateId, ...sent }, { user }) => {
      const { comment: text } = check(orderCommentSchema, sent);
      await addOrderComment(user, certificateId, { text, seen: 0 });
      return true;
    },
  }),
  call({
    path: "Queue/RemindContacts",
    method: "POST",
    who: "work-on-orders",
    summary: "Asks the authentication contacts of pending orders again",
    notes: "Each at most once in 24 hours. Earlier links stay valid. Orders that do not exist are left out.",
    input: z.object({ certificateIds: chosen }).strict(),
    output: z.array(reminded),
    handle: async ({ certificateIds }, { user }) => {
      const { ready, refused } = await actOnSelectedOrders(REMIND_CONTACTS, certificateIds, user);
      return [
        ...ready.map((order) => ({ certificateId: order.id, isReminded: true, error: "" })),
        ...refused.map((order) => ({ certificateId: order.id, isReminded: false, error: order.reason })),
      ];
    },
  }),
]);
