import { isIP } from "node:net";
import { z } from "zod";
import { hasControlCharacters } from "~/ca/csr/check-subject.server";
import { isDnsName, isMailbox } from "~/ca/x509/host-name.server";
import { oftpid } from "~/domain/certificates/purchase/order-form.schema";
import { messages } from "~/lib/messages";
import { KEY_SIZES } from "./preparation-fields";

const MAX_NAMES = 100;

const text = (max: number) =>
  z
    .string()
    .transform((value) => value.trim())
    .refine((value) => [...value].length <= max, `At most ${max} characters are allowed.`)
    .refine((value) => !hasControlCharacters(value), "Control characters and invisible characters are not allowed.");

const required = (max: number) => text(max).refine((value) => value !== "", messages.required);

/** Words separated by commas, semicolons, blanks or line breaks, without duplicates. The message names the first invalid one. */
const list = (what: string, holds: (value: string) => boolean) =>
  z
    .string()
    .transform((value) => [...new Set(value.split(/[\s,;]+/).filter(Boolean))])
    .superRefine((values, context) => {
      const wrong = values.find((value) => !holds(value));
      const problem = wrong !== undefined ? `'${wrong.slice(0, 60)}' is not a valid ${what}.` : null;
      const tooMany = values.length > MAX_NAMES ? `At most ${MAX_NAMES} are allowed.` : null;
      const message = problem ?? tooMany;
      if (message !== null) context.addIssue({ code: z.ZodIssueCode.custom, message });
    });

/** What the page accepts: the lengths of X.520, and the rules by which the portal imports a CSR. */
export const preparationSchema = (countryCodes: ReadonlySet<string>) =>
  z.object({
    commonName: required(64),
    organisation: required(64),
    organisationUnit: text(64),
    city: text(128),
    state: text(128),
    country: z
      .string()
      .refine((value) => value !== "", messages.required)
      .refine((value) => value === "" || countryCodes.has(value), messages.collection),
    email: text(255).refine((value) => value === "" || isMailbox(value), messages.email),
    oftpid,
    dnsNames: list("DNS name", isDnsName),
    ipAddresses: list("IP address", (value) => isIP(value) !== 0),
    keySize: z
      .string()
      .refine((value) => KEY_SIZES.some((size) => String(size) === value), messages.collection)
      .transform(Number),
  });

export type Preparation = z.output<ReturnType<typeof preparationSchema>>;
