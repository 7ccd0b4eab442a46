import { z } from "zod";
import { isPortalError } from "~/lib/errors";

/** The content of calls whose refusal is a message to the user (REG-03). */
export const userAnswer = z.object({
  success: z.boolean(),
  userMessage: z.string().describe("Why not; empty on success"),
});

/**
 * Runs the work of a call and returns its answer in the format of `userAnswer`.
 * @param work Returns a message that says why nothing was done, or "". A PortalError with the status 409 or 422 becomes the message; other
 * errors are thrown again.
 * @param named The fields whose errors are thrown again too, because the call answers them by field.
 */
export async function told(
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
