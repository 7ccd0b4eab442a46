/** The typed values of one step, by field name. */
export type Typed = Record<string, string>;

/** The maximum length of a text in a draft. The limits of the fields are far lower; only a CSR comes close. */
const KEPT = 65_536;

/** Returns the values of a form that are stored in a draft: the texts of the step's own fields. */
export function typedValues(submitted: Readonly<Record<string, unknown>>, fields: readonly string[]): Typed {
  const typed: Typed = {};
  for (const name of fields) {
    const value = submitted[name];
    if (typeof value === "string" && value.length <= KEPT) typed[name] = value;
  }
  return typed;
}
