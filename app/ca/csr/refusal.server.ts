import { type RequestRefusal, REQUEST_RULES, type RuleCode } from "./rules/catalogue";

/** Returns a refusal with the advice of its rule. `sentence` names the rule and what is wrong. */
export const brokenRule = (code: RuleCode, sentence: string): RequestRefusal => ({
  code,
  sentence,
  message: `${sentence} ${REQUEST_RULES[code].advice}`.trim(),
});

/** Returns an array with the refusal when the rule is broken, otherwise an empty array. */
export const refuseIf = (broken: boolean, code: RuleCode, sentence: string): RequestRefusal[] =>
  broken ? [brokenRule(code, sentence)] : [];
