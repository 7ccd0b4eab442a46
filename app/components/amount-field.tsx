import { type FieldTexts } from "./field";
import { TextField } from "./text-field";

/**
 * An amount of euro: digits and a decimal point; copy and paste blocked by script. What else is typed stays and is told (docs/decisions/0036):
 * swallowing the comma of `870,00` would make it another amount.
 */
export const AmountField = (props: FieldTexts & { maxLength: number }) => (
  <TextField {...props} noPaste inputMode="decimal" autoComplete="off" />
);
