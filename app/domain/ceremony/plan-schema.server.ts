import { z } from "zod";
import { limitsOfPlan } from "./plan-limits.server";
import {
  explainValue,
  planDay,
  planHash as hash,
  planHttpAddress,
  planInstant as instant,
  planSubject as subject,
  planText as text,
  planWebAddress,
} from "./plan-values.server";

/** A file beside the plan. Its SHA-256 is in the plan, so that whoever has read the plan knows what is signed. */
const inputFile = z.object({ file: text(500), sha256: z.string().optional() }).strict();

/**
 * Returns a schema for a short form in text, or keys and values. The errors of the keys and values are reported one by one.
 *
 * @param short The short form.
 * @param long The keys and values.
 * @param rule What the value must be.
 */
const shortOr = <Short extends string, Long extends z.ZodTypeAny>(short: z.ZodType<Short>, long: Long, rule: string) =>
  z.unknown().transform((value, context): Short | z.infer<Long> => {
    const isKeys = typeof value === "object" && value !== null && !Array.isArray(value);
    const parsed = isKeys ? long.safeParse(value, { errorMap: explainValue }) : short.safeParse(value);
    if (parsed.success) return parsed.data as Short | z.infer<Long>;
    if (isKeys) for (const issue of parsed.error.issues) context.addIssue(issue);
    else context.addIssue({ code: "custom", message: value === undefined ? "is missing" : rule });
    return z.NEVER;
  });

/** The certificate of a CA: the name of an earlier step, or a file with the name that the plan gives this CA. */
const certificateOfCa = shortOr(
  z.string(),
  inputFile.extend({ name: text(64) }).strict(),
  "must be the name of an earlier step, or have 'name', 'file' and 'sha256'",
);

const lifeFields = {
  /** By default the beginning of the day of the ceremony. */
  notBefore: instant.optional(),
  years: z
    .number()
    .int("must be a whole number")
    .min(1, "must be from 1 to 30")
    .max(30, "must be from 1 to 30")
    .optional(),
  days: z
    .number()
    .int("must be a whole number")
    .min(1, "must be from 1 to 400")
    .max(400, "must be from 1 to 400")
    .optional(),
  notAfter: instant.optional(),
};

const hasOneEnd = ({ years, days, notAfter }: { years?: number; days?: number; notAfter?: Date }) =>
  [years, days, notAfter].filter((value) => value !== undefined).length === 1;
const ONE_END = "must have exactly one of 'years', 'days' and 'notAfter'";

const policy = z
  .object({
    oid: z
      .string()
      .regex(/^[0-2](\.(0|[1-9]\d*))+$/, "must be an object identifier such as 2.999.1, in quotation marks"),
    cps: planWebAddress(/^https?:\/\//, "must be an address that begins with http:// or https://").optional(),
  })
  .strict();

/** The addresses in a certificate that another CA signs. */
const addresses = { crl: planHttpAddress, caIssuers: planHttpAddress };

const named = {
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,39}$/,
      "must have small letters, digits and hyphens, at most 40, and begin with a letter",
    ),
};

const KEY_BITS = [2048, 3072, 4096, 8192];

const rootStep = z
  .object({
    ...named,
    kind: z.literal("root"),
    key: z
      .object({
        store: z.enum(["file", "token"]),
        bits: z.number().refine((bits) => KEY_BITS.includes(bits), `must be one of ${KEY_BITS.join(", ")}`),
      })
      .strict(),
    certificate: z
      .object({ subject, hash, ...lifeFields })
      .strict()
      .refine(hasOneEnd, ONE_END),
  })
  .strict();

const issuingStep = z
  .object({
    ...named,
    kind: z.literal("issuing"),
    issuer: certificateOfCa,
    request: inputFile,
    certificate: z
      .object({ subject, hash, ...lifeFields, policy, ...addresses, ...limitsOfPlan })
      .strict()
      .refine(hasOneEnd, ONE_END),
  })
  .strict();

const crossStep = z
  .object({
    ...named,
    kind: z.literal("cross-certificate"),
    issuer: certificateOfCa,
    existing: certificateOfCa,
    certificate: z
      .object({
        hash,
        ...lifeFields,
        pathLength: z.union([z.literal("none"), z.number().int().min(0).max(9)], {
          errorMap: () => ({ message: "must be a whole number from 0 to 9, or none" }),
        }),
        policy: policy.optional(),
        ...addresses,
        ...limitsOfPlan,
      })
      .strict()
      .refine(hasOneEnd, ONE_END),
  })
  .strict();

const responderStep = z
  .object({
    ...named,
    kind: z.literal("ocsp-responder"),
    issuer: certificateOfCa,
    request: inputFile,
    certificate: z
      .object({ subject, hash, ...lifeFields })
      .strict()
      .refine(hasOneEnd, ONE_END),
  })
  .strict();

/** CRLReason (RFC 5280 §5.3.1). A root's CRL never holds or releases a certificate. */
export const REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  privilegeWithdrawn: 9,
} as const;
type Reason = keyof typeof REASONS;

const revocation = z
  .object({
    certificate: inputFile.optional(),
    serial: z
      .string()
      .transform((value) => value.replace(/[\s:]/g, "").replace(/^0+(?=.)/, ""))
      .refine((value) => /^[\dA-Fa-f]{1,40}$/.test(value) && value !== "0", "must be 1 to 40 hexadecimal digits")
      .optional(),
    date: instant,
    reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]),
  })
  .strict()
  .refine(
    ({ certificate, serial }) => (certificate === undefined) !== (serial === undefined),
    "must have either 'certificate' or 'serial'",
  );

const LARGEST_NUMBER = 2_147_483_647;
const NUMBER_RULE = `must be a whole number from 1 to ${LARGEST_NUMBER}`;

const crlStep = z
  .object({
    ...named,
    kind: z.literal("crl"),
    issuer: certificateOfCa,
    crl: z
      .object({
        hash,
        number: z.number().int(NUMBER_RULE).min(1, NUMBER_RULE).max(LARGEST_NUMBER, NUMBER_RULE),
        previous: shortOr(z.literal("none"), inputFile, "must be none for the first CRL, or have 'file' and 'sha256'"),
        thisUpdate: instant,
        nextUpdate: instant,
        revoked: z.array(revocation),
      })
      .strict(),
  })
  .strict();

/** What a ceremony's plan can say. Its values have the right form; `checkCeremony` checks what they mean together. */
export const planSchema = z
  .object({
    title: text(200),
    date: planDay,
    place: text(200).optional(),
    operator: text(100),
    witnesses: z
      .array(z.object({ name: text(100), role: text(100) }).strict())
      .min(1, "must name at least one witness"),
    output: text(500),
    steps: z
      .array(z.discriminatedUnion("kind", [rootStep, issuingStep, crossStep, responderStep, crlStep]))
      .min(1, "must have at least one step"),
  })
  .strict();

export type Plan = z.infer<typeof planSchema>;
export type Step = Plan["steps"][number];
export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;
export type InputFile = z.infer<typeof inputFile>;
export type CertificateOfCa = z.infer<typeof certificateOfCa>;
