import { type FieldTexts } from "./field";
import { TextField } from "./text-field";

/** An amount of euro: digits and a decimal point; letters, copy and paste are blocked by script (docs/decisions/0036). */
export const AmountField = (props: FieldTexts & { maxLength: number }) => (
  <TextField {...props} noPaste inputMode="decimal" autoComplete="off" />
);
