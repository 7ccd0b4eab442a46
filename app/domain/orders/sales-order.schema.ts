import { z } from "zod";
import { dayError } from "~/lib/date-errors";
import { optionalText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { readEuro } from "~/lib/money";
import { readDay } from "~/lib/typed-dates";
import {
  AMOUNT_MOST,
  AMOUNT_TOO_LARGE,
  DAY_TO_COME,
  DAY_TOO_EARLY,
  FIRST_DAY,
  INVOICE_NUMBER_LIMIT,
  NO_AMOUNT,
  ORDER_STATUSES,
  PROMOTION_CODE_LIMIT,
  REMARKS_LIMIT,
} from "./sales-order-fields";

/** Any day of the year 0001 is the empty date (GEN-01). */
const isEmptyDay = (day: string) => day.startsWith("0001-");

/** A day up to today as `yyyy-MM-dd`, or null when the field is empty. The day is in UTC. */
const pastDay = () =>
  optionalText(20).transform((text, context) => {
    if (text === "") return null;
    const day = readDay(text);
    if (day !== null && isEmptyDay(day)) return null;
    if (day === null) context.addIssue({ code: "custom", message: dayError(text) });
    else if (day < FIRST_DAY) context.addIssue({ code: "custom", message: DAY_TOO_EARLY });
    else if (day > new Date().toISOString().slice(0, 10)) context.addIssue({ code: "custom", message: DAY_TO_COME });
    return day;
  });

/** Returns whether a text is a number above the largest amount, also in the notation of programs: 1e+300. */
const isTooLarge = (text: string): boolean =>
  /^-?\d+(\.\d+)?(e\+\d+)?$/.test(text) && Math.abs(Number(text)) > AMOUNT_MOST;

/** An amount in euro as integer cents, or null when the field is empty. A negative amount becomes 0 (SAL-03). */
const amount = () =>
  optionalText(Infinity).transform((text, context) => {
    if (text === "") return null;
    const isNegative = text.startsWith("-");
    const cents = readEuro(isNegative ? text.slice(1) : text);
    const message = isTooLarge(text) ? AMOUNT_TOO_LARGE : NO_AMOUNT;
    if (cents === null) context.addIssue({ code: "custom", message });
    return isNegative ? 0 : cents;
  });

const status = () =>
  z.string({ required_error: messages.required, invalid_type_error: messages.invalid }).transform((text, context) => {
    const known = ORDER_STATUSES.find((name) => name === text);
    if (known) return known;
    context.addIssue({ code: "custom", message: text === "" ? messages.required : messages.collection });
    return z.NEVER;
  });

/** The fields of a sales order that staff can change (SAL-03). */
export const salesOrderSchema = z.object({
  status: status(),
  remarks: optionalText(REMARKS_LIMIT),
  promotionCode: optionalText(PROMOTION_CODE_LIMIT),
  invoiceNumber: optionalText(INVOICE_NUMBER_LIMIT),
  invoiceTotal: amount(),
  invoiceDate: pastDay(),
  paymentTotal: amount(),
  paymentDate: pastDay(),
  /** When the order was last changed before the page showed it. It is the version of the order. */
  seen: z.string().datetime(messages.invalid),
});

export type SalesOrderForm = z.infer<typeof salesOrderSchema>;
