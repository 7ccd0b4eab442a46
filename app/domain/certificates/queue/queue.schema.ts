import { z } from "zod";
import { optionalNote, requiredNote } from "~/lib/fields";
import { FORM_ERROR } from "~/lib/form-error";
import { messages } from "~/lib/messages";
import { COMMENT_LIMIT, NOTE_LIMIT } from "./note-limit";
import { OTHER_NOTE, STAFF_CHECKS, type StaffCheck } from "./queue-fields";

const note = () => optionalNote(NOTE_LIMIT);

/** When the page's check was recorded, as an ISO timestamp, or "" when it was not. */
const seen = () => z.string().optional().default("");

const typed = z.object({
  /** How each check was done: the text of a preset, OTHER_NOTE for the typed note, or "" when it is not checked yet. */
  contact: note(),
  organisation: note(),
  csr: note(),
  organisationSeen: seen(),
  csrSeen: seen(),
  contactNote: note(),
  organisationNote: note(),
  csrNote: note(),
  decisionReason: note(),
});

const buttons = z.discriminatedUnion("intent", [
  typed.extend({ intent: z.literal("record") }),
  typed.extend({ intent: z.literal("next") }),
  typed.extend({ intent: z.literal("approve") }),
  typed.extend({ intent: z.literal("reject"), decisionReason: requiredNote(NOTE_LIMIT) }),
  typed.extend({ intent: z.literal("cancel"), decisionReason: requiredNote(NOTE_LIMIT) }),
  typed.extend({ intent: z.literal("undo") }),
]);

export type QueueForm = z.infer<typeof buttons>;

/** Returns the notes of the checks that the form records. A note that is typed while another choice is made does not count. */
export const checkNotesOf = (form: QueueForm): Partial<Record<StaffCheck, string>> =>
  Object.fromEntries(
    STAFF_CHECKS.flatMap((check) => {
      const text = form[check] === OTHER_NOTE ? form[`${check}Note`] : form[check];
      return text === "" ? [] : [[check, text]];
    }),
  );

/**
 * What staff do with a pending order. Each button of the form is an `intent`. `record`, `next` and `approve` record the chosen checks first;
 * the other fields are sent along.
 */
export const queueSchema = buttons.superRefine((form, context) => {
  if (form.intent !== "record" && form.intent !== "next" && form.intent !== "approve") return;
  const missing = STAFF_CHECKS.filter((check) => form[check] === OTHER_NOTE && form[`${check}Note`] === "");
  for (const check of missing) context.addIssue({ code: "custom", path: [`${check}Note`], message: messages.required });
  if (form.intent !== "approve" && STAFF_CHECKS.every((check) => form[check] === ""))
    context.addIssue({ code: "custom", path: [FORM_ERROR], message: "Choose how a check was done to record it." });
});

/** What each button of the page sends as `intent`. */
export const QUEUE_INTENTS = buttons.options.map(({ shape }) => shape.intent.value);

/** What staff write about an order for each other. */
export const orderCommentSchema = z.object({ comment: requiredNote(COMMENT_LIMIT) });

/** The owner's cancellation of a pending order. The reason is optional. */
export const cancellationSchema = z.object({ decisionReason: optionalNote(NOTE_LIMIT) });
