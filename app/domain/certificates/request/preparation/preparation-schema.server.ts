import { isIP } from "node:net";
import { z } from "zod";
import { hasControlCharacters } from "~/ca/csr/check-subject.server";
import { mixesScriptsInLabel } from "~/ca/csr/look-alikes.server";
import { REQUEST_RULES, type RuleCode } from "~/ca/csr/rules/catalogue";
import { dnsFormProblem, type FormProblem } from "~/ca/names/name-form.server";
import { checkSubjectHosts, hostProblem } from "~/ca/names/name-policy.server";
import { isMailbox } from "~/ca/x509/host-name.server";
import { oftpid } from "~/domain/certificates/purchase/order-form.schema";
import { allowedNames } from "~/lib/allowed-names.server";
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

/** Returns the rule that a name breaks with what is wrong, after the name, or null. */
type Problem = (name: string) => FormProblem | null;

/** Returns what to do about a broken rule before there is a CSR. */
const adviceToType = (code: RuleCode): string =>
  REQUEST_RULES[code].advice.replace(/^Create the CSR again with(out)? /, (_, without) =>
    without ? "Enter it without " : "Enter ",
  );

const firstProblem = (values: readonly string[], problemOf: Problem): string | null => {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem) return `'${value.slice(0, 60)}' ${problem.text}. ${adviceToType(problem.code)}`;
  }
  return null;
};

const policyProblem: Problem = (host) => {
  const problem = hostProblem(host, { allowedNames: allowedNames() });
  return problem && { code: `name-${problem.name}`, text: problem.text };
};

const dnsProblem: Problem = (name) =>
  mixesScriptsInLabel(name)
    ? { code: "name-scripts", text: "mixes letters of different scripts that look alike" }
    : dnsFormProblem(name);

const addressProblem: Problem = (address) =>
  isIP(address) === 0
    ? { code: "ip-invalid", text: address.includes("/") ? "is a URI, not a host" : "is not a valid IP address" }
    : null;

/** Returns what the policy of names says against the subject's host, or undefined when it allows the host. */
function subjectProblem(subject: { commonName?: string; email?: string }): string | undefined {
  const [refusal] = checkSubjectHosts(subject, { allowedNames: allowedNames() });
  return refusal && `${refusal.sentence.replace(/^Subject: t/, "T")} ${adviceToType(refusal.code)}`;
}

const checkedSubject = (field: "commonName" | "email") => (value: string, context: z.RefinementCtx) => {
  const message = subjectProblem({ [field]: value });
  if (message !== undefined) context.addIssue({ code: z.ZodIssueCode.custom, message });
};

/** Words separated by commas, semicolons, blanks or line breaks, without duplicates. The message is that of the first invalid one. */
const list = (formProblem: Problem) =>
  z
    .string()
    .transform((value) => [...new Set(value.split(/[\s,;]+/).filter(Boolean))])
    .superRefine((values, context) => {
      const problem = firstProblem(values, formProblem) ?? firstProblem(values, policyProblem);
      const tooMany = values.length > MAX_NAMES ? `At most ${MAX_NAMES} are allowed.` : null;
      const message = problem ?? tooMany;
      if (message !== null) context.addIssue({ code: z.ZodIssueCode.custom, message });
    });

/** What the page accepts: the lengths of X.520, and the rules by which the portal imports a CSR. */
export const preparationSchema = (countryCodes: ReadonlySet<string>) =>
  z.object({
    commonName: required(64).superRefine(checkedSubject("commonName")),
    organisation: required(64),
    organisationUnit: text(64),
    city: text(128),
    state: text(128),
    country: z
      .string()
      .refine((value) => value !== "", messages.required)
      .refine((value) => value === "" || countryCodes.has(value), messages.collection),
    email: text(255)
      .refine((value) => value === "" || isMailbox(value), messages.email)
      .superRefine(checkedSubject("email")),
    oftpid,
    dnsNames: list(dnsProblem),
    ipAddresses: list(addressProblem),
    keySize: z
      .string()
      .refine((value) => KEY_SIZES.some((size) => String(size) === value), messages.collection)
      .transform(Number),
  });

export type Preparation = z.output<ReturnType<typeof preparationSchema>>;
