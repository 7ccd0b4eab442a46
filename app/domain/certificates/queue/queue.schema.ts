import { z } from "zod";
import { optionalNote, requiredNote } from "~/lib/fields";
import { NOTE_LIMIT } from "./note-limit";

const note = () => requiredNote(NOTE_LIMIT);

/** When the page's check was recorded, as an ISO timestamp, or "" when it was not. */
const seen = () => z.string().optional().default("");

const typed = z.object({
  organisationSeen: seen(),
  csrSeen: seen(),
  contactNote: optionalNote(NOTE_LIMIT),
  organisationNote: optionalNote(NOTE_LIMIT),
  csrNote: optionalNote(NOTE_LIMIT),
  decisionReason: optionalNote(NOTE_LIMIT),
});

/**
 * What staff do with a pending order. Each button of the form is an `intent`. Its own field is required; the other fields are sent along.
 */
export const queueSchema = z.discriminatedUnion("intent", [
  typed.extend({ intent: z.literal("contact"), contactNote: note() }),
  typed.extend({ intent: z.literal("organisation"), organisationNote: note() }),
  typed.extend({ intent: z.literal("csr"), csrNote: note() }),
  typed.extend({ intent: z.literal("reject"), decisionReason: note() }),
  typed.extend({ intent: z.literal("approve") }),
  typed.extend({ intent: z.literal("cancel"), decisionReason: note() }),
  typed.extend({ intent: z.literal("undo") }),
]);

/** The owner's cancellation of a pending order. The reason is optional. */
export const cancellationSchema = z.object({ decisionReason: optionalNote(NOTE_LIMIT) });

export type QueueForm = z.infer<typeof queueSchema>;
export type CheckForm = Extract<QueueForm, { intent: "contact" | "organisation" | "csr" }>;
