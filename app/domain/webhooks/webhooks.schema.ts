import { z } from "zod";
import { optionalText, requiredWord } from "~/lib/fields";
import { messages } from "~/lib/messages";
import {
  EXPIRING,
  HIGHEST_EXPIRY_DAYS,
  isWebhookEvent,
  LONGEST_DESCRIPTION,
  LONGEST_URL,
  MOST_EXPIRY_DAYS,
  readDayNumbers,
} from "./events";

const NO_EVENT = "Choose at least one event.";
const NO_DAYS = "Enter how many days before the end of a certificate you want the event, such as 30, 14, 7.";
const WRONG_DAYS = `Enter whole numbers of days from 1 to ${HIGHEST_EXPIRY_DAYS}, such as 30, 14, 7.`;

const events = () =>
  z
    .union([z.string(), z.array(z.string())], { errorMap: () => ({ message: NO_EVENT }) })
    .transform((given) => [given].flat())
    .refine((given) => given.length > 0, NO_EVENT)
    .refine((given) => given.every(isWebhookEvent), messages.collection);

/** Numbers of days, separated by commas or spaces. */
const expiryDays = () =>
  optionalText(60).transform((text, context) => {
    const days = readDayNumbers(text);
    const isRight = days.every((day) => Number.isInteger(day) && day >= 1 && day <= HIGHEST_EXPIRY_DAYS);
    if (!isRight) context.addIssue({ code: "custom", message: WRONG_DAYS });
    else if (days.length > MOST_EXPIRY_DAYS)
      context.addIssue({ code: "custom", message: `Enter ${MOST_EXPIRY_DAYS} numbers at most.` });
    return isRight ? days : [];
  });

/** The address of a receiver and what it wants. `readWebhookUrl` has the rules about the address. */
export const webhookSchema = z
  .object({
    url: requiredWord(LONGEST_URL),
    description: optionalText(LONGEST_DESCRIPTION),
    events: events(),
    expiryDays: expiryDays(),
  })
  .superRefine(({ events: chosen, expiryDays: days }, context) => {
    if (chosen.includes(EXPIRING) && days.length === 0)
      context.addIssue({ code: "custom", path: ["expiryDays"], message: NO_DAYS });
  });

export type WebhookForm = z.infer<typeof webhookSchema>;
