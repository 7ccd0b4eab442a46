import { CONTROL_RULES } from "./control";
import { ISSUER_RULES } from "./issuer";
import { KEY_RULES, SUCCESSOR_RULES } from "./keys";
import { MARK_RULES } from "./marks";
import { CLASS_RULES, FORM_RULES, SUBJECT_RULES } from "./names";
import { READING_RULES, SIGNATURE_RULES } from "./reading";
import { type RequestRules } from "./rule";

/** Every rule about a CSR and its key by its stable code. Pages, calls and documents take their words from here. */
export const REQUEST_RULES = {
  ...READING_RULES,
  ...SIGNATURE_RULES,
  ...KEY_RULES,
  ...SUBJECT_RULES,
  ...FORM_RULES,
  ...CLASS_RULES,
  ...CONTROL_RULES,
  ...ISSUER_RULES,
  ...SUCCESSOR_RULES,
  ...MARK_RULES,
};

export type RuleCode = keyof typeof REQUEST_RULES;

/** The rules in groups, in the order of the page of all rules. */
export const RULE_GROUPS: readonly { title: string; rules: RequestRules }[] = [
  { title: "Reading the CSR", rules: READING_RULES },
  { title: "Signature", rules: SIGNATURE_RULES },
  { title: "Key", rules: KEY_RULES },
  { title: "Subject", rules: SUBJECT_RULES },
  { title: "Forms of names", rules: FORM_RULES },
  { title: "Names that no organisation owns", rules: CLASS_RULES },
  { title: "Names of the company", rules: CONTROL_RULES },
  { title: "What the issuing CA may certify", rules: ISSUER_RULES },
  { title: "Renewals and replacements", rules: SUCCESSOR_RULES },
  { title: "Marks", rules: MARK_RULES },
];

/** One broken rule. `sentence` says what is wrong, `message` also how to satisfy the rule, for the person who made the CSR. */
export interface RequestRefusal {
  code: RuleCode;
  sentence: string;
  message: string;
}
