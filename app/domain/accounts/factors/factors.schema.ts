import { z } from "zod";
import { requiredText } from "~/lib/fields";
import { password } from "../accounts.schema";

const code = requiredText(40);
const name = requiredText(60);

/** The code of an authenticator app, or a recovery code. */
export const factorCodeSchema = z.object({ code });

/** What an account without a second factor confirms with that it is the owner. */
export const currentPasswordSchema = z.object({ currentPassword: password });

/** A new authenticator app: a code that it shows, and what the user calls the app. */
export const newAppSchema = z.object({ code, name });

/** What the user calls a new passkey, and the answer of its authenticator as JSON, which the browser's script adds. */
export const newPasskeySchema = z.object({ name, answer: z.string().default("") });

/** A new name of a factor. */
export const factorNameSchema = z.object({ id: z.string().max(12), name });
