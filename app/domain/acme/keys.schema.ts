import { z } from "zod";
import { requiredText } from "~/lib/fields";
import { LONGEST_KEY_DESCRIPTION } from "./keys";

/** What an owner says about a new ACME key. */
export const acmeKeySchema = z.object({ description: requiredText(LONGEST_KEY_DESCRIPTION) });

export type AcmeKeyForm = z.output<typeof acmeKeySchema>;
