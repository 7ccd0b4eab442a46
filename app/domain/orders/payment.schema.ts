import { z } from "zod";
import { readDay } from "~/lib/dates";
import { checkbox, optionalText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { DAY_TO_COME, FIRST_DAY, INVOICE_NUMBER_LIMIT, REMARKS_LIMIT } from "./payment.limits";

/** A day that has come, as `yyyy-MM-dd`, or null when nothing is typed. Days are those of UTC, as everywhere. */
const pastDay = () =>
  optionalText(20).transform((text, context) => {
    if (text === "") return null;
    const day = readDay(text);
    if (day === null || day < FIRST_DAY) context.addIssue({ code: "custom", message: messages.invalid });
    else if (day > new Date().toISOString().slice(0, 10)) context.addIssue({ code: "custom", message: DAY_TO_COME });
    return day;
  });

/** Invoice and payment of an order. A number has a date and the other way round; what is paid has a date. */
export const paymentSchema = z
  .object({
    invoiceNumber: optionalText(INVOICE_NUMBER_LIMIT),
    invoiceDate: pastDay(),
    isPaid: checkbox(),
    paymentDate: pastDay(),
    remarks: optionalText(REMARKS_LIMIT),
    /** When the order that the page shows was last changed. */
    seen: z.string().datetime(messages.invalid),
  })
  .superRefine(({ invoiceNumber, invoiceDate, isPaid, paymentDate }, context) => {
    const demand = (path: string) => context.addIssue({ code: "custom", path: [path], message: messages.required });
    if (invoiceNumber !== "" && invoiceDate === null) demand("invoiceDate");
    if (invoiceNumber === "" && invoiceDate !== null) demand("invoiceNumber");
    if (isPaid && paymentDate === null) demand("paymentDate");
  });

export type PaymentForm = z.infer<typeof paymentSchema>;
