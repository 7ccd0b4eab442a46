import { z } from "zod";
import { messages } from "~/lib/messages";
import { USAGE_FLAGS } from "../purchase/fields";
import { chosenUsage } from "../purchase/order-form.schema";

/** Reads the ticked boxes of the usage attributes. */
function withTicked(raw: unknown): unknown {
  if (raw === null || typeof raw !== "object") return raw;
  const values: Record<string, unknown> = { ...raw };
  return { ...values, usage: USAGE_FLAGS.filter((flag) => values[flag] === "on" || values[flag] === true) };
}

/** The form of a correction. The text is optional because a file can be sent instead. */
export const certificateCorrectionSchema = z.preprocess(
  withTicked,
  z.object({ csr: z.string({ invalid_type_error: messages.invalid }).default(""), usage: chosenUsage }),
);
