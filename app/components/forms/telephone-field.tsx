import { useState } from "react";
import { useField } from "remix-validated-form";
import { HELP } from "./help-texts";
import { TextField, type TextFieldProps } from "./text-field";

/** Whether the text is empty or begins with +, possibly after an opening bracket. */
const startsInternationally = (text: string) => /^[\s({]*(\+|$)/.test(text);

/**
 * A telephone number. A number that does not start with + is accepted, because the rule allows it (REG-01), but the hint then asks for it.
 * Without scripts the hint does so when the page has such a number.
 */
export function TelephoneField(props: Omit<TextFieldProps, "type" | "hint">) {
  const { defaultValue } = useField(props.name) as { defaultValue?: string };
  const [typed, setTyped] = useState<string>();
  const isInternational = startsInternationally(typed ?? defaultValue ?? "");
  const plea = (
    <>
      {HELP.phoneNumber}. <strong>Please begin with + and the code of the country.</strong>
    </>
  );
  const hint = isInternational ? HELP.phoneNumber : plea;
  return <TextField {...props} type="tel" hint={hint} onChange={(event) => setTyped(event.currentTarget.value)} />;
}
