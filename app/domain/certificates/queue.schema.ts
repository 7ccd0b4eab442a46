import { z } from "zod";
import { requiredText } from "~/lib/fields";
import { NOTE_LIMIT } from "./note-limit";

const note = () => requiredText(NOTE_LIMIT);

/** What staff do with a pending order: each button is an `intent` with the fields that belong to it. */
export const contactCheckSchema = z.object({ intent: z.literal("contact"), contactNote: note() });
export const organisationCheckSchema = z.object({ intent: z.literal("organisation"), organisationNote: note() });
export const csrCheckSchema = z.object({ intent: z.literal("csr"), csrNote: note() });
export const rejectSchema = z.object({ intent: z.literal("reject"), decisionReason: note() });

export const queueSchema = z.discriminatedUnion("intent", [
  contactCheckSchema,
  organisationCheckSchema,
  csrCheckSchema,
  rejectSchema,
  z.object({ intent: z.literal("approve") }),
  z.object({ intent: z.literal("cancel") }),
]);

export type QueueForm = z.infer<typeof queueSchema>;
export type CheckForm = Extract<QueueForm, { intent: "contact" | "organisation" | "csr" }>;
