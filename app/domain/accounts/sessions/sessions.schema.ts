import { z } from "zod";
import { password } from "../accounts.schema";

/** The question whether to end a session. Only somebody who knows the password may answer it. */
export const endSessionSchema = z.object({ end: z.string().max(64).default(""), currentPassword: password });
