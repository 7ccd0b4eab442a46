import { createContext } from "react";

/** Stands for "outside any form" where a hook wants an id. */
export const NO_FORM = "no-form";

export const FormIdContext = createContext<string | null>(null);

/** Whether the form's last submit was one that the browser checks: not so after Import, Apply and the like. */
export const AttemptContext = createContext(false);

export const fieldId = (formId: string, name: string) => `${formId}-${name}`;
