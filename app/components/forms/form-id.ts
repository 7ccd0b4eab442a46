import { createContext } from "react";

/** Used as the id outside of any form, where a hook needs one. */
export const NO_FORM = "no-form";

export const FormIdContext = createContext<string | null>(null);

/** Whether the browser validated the form's last submit. It does not after Import, Apply and similar buttons. */
export const AttemptContext = createContext(false);

export const fieldId = (formId: string, name: string) => `${formId}-${name}`;
