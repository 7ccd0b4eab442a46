import { z } from "zod";
import { messages } from "~/lib/messages";
import { password } from "../accounts.schema";

/** What an account without a second factor confirms with. */
export const confirmByPasswordSchema = z.object({ currentPassword: password });

/** What an account with a second factor confirms with: a code of an authenticator app or a recovery code. */
export const confirmByCodeSchema = z.object({
  code: z.string({ required_error: messages.required }).trim().min(1, messages.required).max(40, messages.outOfRange),
});
