import { z } from "zod";
import { isPromotionLength, promotionMessages } from "~/domain/orders/promotion.policy";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { checkbox, optionalText, requiredText } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { isOftpIdLength, OFTP_ID_PATTERN } from "~/lib/oftp-id";
import { csrMessages } from "../request/csr-text";
import { RENEWAL_YEARS, USAGE_FLAGS, VALIDITY_YEARS } from "./fields";

/** Messages of PUR-04, PUR-05, PUR-08, word for word. */
export const orderMessages = {
  usage: "Please select at least one certificate usage attribute",
  oftpid: "Valid OFTP ID should be between 9 and 25 characters.",
  terms: TERMS_NOT_ACCEPTED,
} as const;

const isTicked = (value: unknown): boolean => value !== undefined && value !== false && value !== "";

/** Uses the usage attributes of the form only while their block is shown. A hidden block means the default, which is all of them. */
function withUsage(raw: unknown): unknown {
  if (raw === null || typeof raw !== "object") return raw;
  const values: Record<string, unknown> = { ...raw };
  const chosen = USAGE_FLAGS.filter((flag) => isTicked(values[flag]));
  return { ...values, usage: isTicked(values.showUsageAttributes) ? chosen : USAGE_FLAGS };
}

export const oftpid = optionalText(Infinity)
  .transform((value) => value.toUpperCase())
  .refine((value) => value === "" || isOftpIdLength(value), orderMessages.oftpid)
  .refine((value) => value === "" || OFTP_ID_PATTERN.test(value), messages.pattern);

const validityPeriod = (offered: readonly number[]) =>
  z
    .string({ required_error: messages.required, invalid_type_error: messages.invalid })
    .refine((value) => offered.some((years) => String(years) === value), messages.collection);

/** The chosen usage attributes, at least one. */
export const chosenUsage = z.array(z.enum(USAGE_FLAGS)).min(1, orderMessages.usage);

/** The fields that purchase and renewal share. */
const common = {
  csr: z
    .string()
    .optional()
    .transform((value) => value ?? "")
    .refine((value) => value.trim() !== "", csrMessages.importFirst),
  purchaseOrderNumber: requiredText(50),
};

const termsAccepted = checkbox().refine(Boolean, orderMessages.terms);

/**
 * The order step as Next accepts it (PUR-03, PUR-08). The server checks whether the CSR was imported and whether the promotion code exists.
 */
export const orderFormSchema = z.preprocess(
  withUsage,
  z.object({
    ...common,
    termsAndConditionsAccepted: termsAccepted,
    oftpid,
    usage: chosenUsage,
    validityPeriod: validityPeriod(VALIDITY_YEARS).transform(Number),
    promoCode: optionalText(Infinity).refine(
      (value) => value === "" || isPromotionLength(value),
      promotionMessages.length,
    ),
  }),
);

export type OrderForm = z.output<typeof orderFormSchema>;

/**
 * Returns the rule for the years of a renewal.
 *
 * @param refusals The reasons why some of the years cannot be chosen, by year.
 */
export const renewalYears = (refusals: Readonly<Record<string, string>>) =>
  validityPeriod(RENEWAL_YEARS)
    .superRefine((value, context) => {
      const message = refusals[value];
      if (message) context.addIssue({ code: "custom", message });
    })
    .transform(Number);

/**
 * Returns the schema for the order step of a renewal. Usage and OFTP ID are the original's, and there is no promotion code (REN-01); values
 * that are sent for them are ignored.
 *
 * @param refusals The reasons why some of the years cannot be chosen, by year.
 * @param asksForTerms False when the terms are accepted later, by whoever orders what somebody else prepares.
 */
export const renewalFormSchema = (refusals: Readonly<Record<string, string>>, asksForTerms = true) =>
  z.object({
    ...common,
    termsAndConditionsAccepted: asksForTerms ? termsAccepted : checkbox(),
    validityPeriod: renewalYears(refusals),
  });

/** The form for checking a CSR before an order. The server reads the CSR itself, which can be a file. */
export const preflightSchema = z.preprocess(withUsage, z.object({ usage: chosenUsage }));
