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

/** The usage block counts only while it is shown; hidden it means the defaults, which is all of them. */
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

/** What purchase and renewal ask alike. */
const common = {
  csr: z
    .string()
    .optional()
    .transform((value) => value ?? "")
    .refine((value) => value.trim() !== "", csrMessages.importFirst),
  purchaseOrderNumber: requiredText(50),
  termsAndConditionsAccepted: checkbox().refine(Boolean, orderMessages.terms),
};

/** The order step as Next takes it (PUR-03, PUR-08). Whether the CSR was imported and the promotion code exists is for the server to say. */
export const orderFormSchema = z.preprocess(
  withUsage,
  z.object({
    ...common,
    oftpid,
    usage: z.array(z.enum(USAGE_FLAGS)).min(1, orderMessages.usage),
    validityPeriod: validityPeriod(VALIDITY_YEARS).transform(Number),
    promoCode: optionalText(Infinity).refine(
      (value) => value === "" || isPromotionLength(value),
      promotionMessages.length,
    ),
  }),
);

export type OrderForm = z.output<typeof orderFormSchema>;

/**
 * The order step of a renewal: usage and OFTP ID are the original's, there is no promotion code (REN-01), and whatever is sent for them is
 * ignored. In: why some of the years cannot be chosen, by the years.
 */
export const renewalFormSchema = (refusals: Readonly<Record<string, string>>) =>
  z.object({
    ...common,
    validityPeriod: validityPeriod(RENEWAL_YEARS)
      .superRefine((value, context) => {
        const message = refusals[value];
        if (message) context.addIssue({ code: "custom", message });
      })
      .transform(Number),
  });
