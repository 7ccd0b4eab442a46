import { type FieldTexts } from "./field";
import { TextField } from "./text-field";

/** With scripts nothing else can be typed (B §5: digits only; decisions §1: and one decimal point). */
const refuseOthers: React.InputEventHandler<HTMLInputElement> = (event) => {
  const { data, currentTarget } = event;
  const isSecondPoint = data.includes(".") && currentTarget.value.includes(".");
  if (/[^\d.]/.test(data) || isSecondPoint) event.preventDefault();
};

/** An amount of euro: digits and a decimal point; copy and paste blocked by script. */
export const AmountField = (props: FieldTexts & { maxLength: number }) => (
  <TextField {...props} noPaste inputMode="decimal" autoComplete="off" onBeforeInput={refuseOthers} />
);
