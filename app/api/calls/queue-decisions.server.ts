import { z } from "zod";
import { endIssuing } from "~/domain/certificates/issuing/issuing-undone.server";
import { cancelOrder, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { type OrderEnd } from "~/domain/certificates/queue/order-end.server";
import { requireDecision } from "~/domain/certificates/queue/queue.service.server";
import { requiredNote } from "~/lib/fields";
import { call, group } from "../call";
import { check } from "../check";
import { id, textBy } from "../wire";

const reasonSchema = z.object({ reason: requiredNote(NOTE_LIMIT) });

const ending = z
  .object({
    certificateId: id(),
    reason: textBy(reasonSchema.shape.reason, {
      description: "The customer reads it in the message and with the order",
    }),
  })
  .strict();

const ended = z.object({
  refund: z.string().describe("What must be done with the payment; empty when nothing was paid"),
  promotionCode: z.string().describe("The code that can be used again; may be empty"),
});

const toEnded = ({ refund, promotionCode }: OrderEnd): z.input<typeof ended> => ({
  refund: refund ?? "",
  promotionCode: promotionCode ?? "",
});

const REFUSES = {
  404: "There is no such order of a certificate",
  422: "The order is decided already, or a field is not valid",
};

/** Decisions about orders, which people take. `certificates/ApproveOrders` approves them. */
export const queueDecisionCalls = group("Queue", [
  call({
    path: "Queue/RejectOrder",
    method: "POST",
    who: "end-orders",
    summary: "Rejects a pending order. The customer gets a message with the reason",
    refuses: REFUSES,
    input: ending,
    output: ended,
    handle: async ({ certificateId, ...sent }, { user }) => {
      const { reason } = check(reasonSchema, sent);
      await requireDecision(certificateId, "reject", user);
      return toEnded(await rejectOrder(certificateId, reason, user));
    },
  }),
  call({
    path: "Queue/CancelOrder",
    method: "POST",
    who: "end-orders",
    summary: "Cancels a pending order for the customer, who gets a message with the reason",
    refuses: REFUSES,
    input: ending,
    output: ended,
    handle: async ({ certificateId, ...sent }, { user }) => {
      const { reason } = check(reasonSchema, sent);
      await requireDecision(certificateId, "cancel", user);
      return toEnded(await cancelOrder(certificateId, reason, user));
    },
  }),
  call({
    path: "Queue/UndoApproval",
    method: "POST",
    who: "approve-orders",
    summary: "Undoes an approval whose certificate is not issued yet: the order is pending again",
    refuses: { 404: REFUSES[404], 422: "The certificate is not being issued, or a field is not valid" },
    input: z.object({ certificateId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ certificateId }, { user }) => {
      await endIssuing(certificateId, user.actor);
      return true;
    },
  }),
]);
