import { useState } from "react";
import { useField } from "remix-validated-form";
import { HELP } from "./help-texts";
import { TextField, type TextFieldProps } from "./text-field";

/** Nothing yet, or + and what follows; brackets around it are allowed. */
const startsInternationally = (text: string) => /^[\s({]*(\+|$)/.test(text);

/**
 * A telephone number. One that does not start with + is taken as well, since the rule allows it (REG-01); the field says what it lacks, also
 * without scripts when a page comes with such a number.
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
