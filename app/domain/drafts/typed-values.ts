/** What was typed in one step, by field name. */
export type Typed = Record<string, string>;

/** Longest text that is kept; a field's own rules are far below, only a CSR comes near. */
const KEPT = 65_536;

/** What of a submitted form is kept in a draft: texts of the step's own fields. */
export function typedValues(submitted: Readonly<Record<string, unknown>>, fields: readonly string[]): Typed {
  const typed: Typed = {};
  for (const name of fields) {
    const value = submitted[name];
    if (typeof value === "string" && value.length <= KEPT) typed[name] = value;
  }
  return typed;
}
