import { z } from "zod";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { dayError } from "~/lib/date-errors";
import { checkbox, optionalText, requiredNote, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { formatEuro, readEuro } from "~/lib/money";
import { readDay } from "~/lib/typed-dates";
import { USAGE_FLAGS, VALIDITY_YEARS } from "../purchase/fields";
import { chosenUsage, oftpid, renewalYears } from "../purchase/order-form.schema";
import { MOST_CENTS, MOST_CERTIFICATES, STANDING_NOTE_LIMIT } from "./standing";

const isTicked = (value: unknown): boolean => value !== undefined && value !== false && value !== "";

/** Collects the ticked usage attributes of a form as `usage`. */
function withUsages(raw: unknown): unknown {
  if (raw === null || typeof raw !== "object") return raw;
  const values: Record<string, unknown> = { ...raw };
  return { ...values, usage: USAGE_FLAGS.filter((flag) => isTicked(values[flag])) };
}

/** A day as `yyyy-MM-dd`. The server knows which is the last one possible. */
const lastDay = () =>
  requiredText(20).transform((text, context) => {
    if (text === "") return text;
    const day = readDay(text);
    if (day === null) context.addIssue({ code: "custom", message: dayError(text) });
    return day ?? text;
  });

const COUNT = `A whole number from 1 to ${MOST_CERTIFICATES}.`;
const AMOUNT = `An amount up to ${formatEuro(MOST_CENTS)}, with a point before the cents: 500 or 499.50.`;

const isCount = (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_CERTIFICATES;

function isAmount(text: string): boolean {
  const cents = readEuro(text);
  return cents !== null && cents > 0 && cents <= MOST_CENTS;
}

const NO_CEILING = "Enter a number of certificates, an amount, or both.";

const years = () =>
  z
    .string({ required_error: messages.required, invalid_type_error: messages.invalid })
    .refine((value) => VALIDITY_YEARS.some((offered) => String(offered) === value), messages.collection)
    .transform(Number);

/** What an owner of a company asks for. */
export const standingSchema = z.preprocess(
  withUsages,
  z
    .object({
      basis: requiredText(10)
        .refine((value) => value === "" || /^\d+$/.test(value), messages.collection)
        .transform(Number),
      usage: chosenUsage,
      longestYears: years(),
      purchaseOrderNumber: requiredText(50),
      ceilingCertificates: optionalText(20)
        .refine((text) => text === "" || isCount(text), COUNT)
        .transform((text) => (text === "" ? null : Number(text))),
      ceilingEuro: optionalText(20)
        .refine((text) => text === "" || isAmount(text), AMOUNT)
        .transform((text) => (text === "" ? null : readEuro(text))),
      isInvoicedMonthly: checkbox(),
      lastDay: lastDay(),
      termsAndConditionsAccepted: checkbox().refine(Boolean, TERMS_NOT_ACCEPTED),
    })
    .superRefine(({ ceilingCertificates, ceilingEuro }, context) => {
      if (ceilingCertificates === null && ceilingEuro === null)
        context.addIssue({ code: "custom", path: ["ceilingCertificates"], message: NO_CEILING });
    }),
);

export type StandingForm = z.output<typeof standingSchema>;

const csr = z
  .string()
  .optional()
  .transform((value) => value ?? "")
  .refine((value) => value.trim() !== "", messages.required);

/** An order of a new certificate under a standing authorisation. */
export const orderUnderSchema = z.preprocess(
  withUsages,
  z.object({
    csr,
    oftpid,
    usage: chosenUsage,
    validityPeriod: years(),
  }),
);

export type OrderUnderForm = z.output<typeof orderUnderSchema>;

/**
 * Returns the schema of a renewal under a standing authorisation. It keeps the usage and the OFTP ID.
 *
 * @param refusals The reasons why some of the years cannot be chosen, by year.
 */
export const renewalUnderSchema = (refusals: Readonly<Record<string, string>>) =>
  z.object({ csr, validityPeriod: renewalYears(refusals) });

/** Why a standing authorisation ends or is not approved. */
export const endStandingSchema = z.object({ reason: requiredNote(STANDING_NOTE_LIMIT) });

/** How the contact was asked. */
export const checkStandingSchema = z.object({ note: requiredNote(STANDING_NOTE_LIMIT) });
