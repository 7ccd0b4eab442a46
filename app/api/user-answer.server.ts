import { z } from "zod";
import { isPortalError } from "~/lib/errors";

/** The content of calls whose refusal is a message to the user (REG-03). */
export const userAnswer = z.object({
  success: z.boolean(),
  userMessage: z.string().describe("The reason for a failure; empty on success"),
});

/**
 * Runs the work of such a call. `work` returns a message that says why nothing was done, or "". A refusal of the domain becomes the
 * message. Errors about the caller (429, 403, 404) are thrown again, and so are refusals at one of the fields in `named`, whose errors are
 * answered by field.
 */
export async function userAnswerOf(
  work: () => Promise<string>,
  named: readonly string[] = [],
): Promise<z.input<typeof userAnswer>> {
  try {
    const userMessage = await work();
    return { success: userMessage === "", userMessage };
  } catch (error) {
    if (!isPortalError(error) || ![409, 422].includes(error.status) || named.includes(error.field ?? "")) throw error;
    return { success: false, userMessage: error.message };
  }
}
