import { createContext } from "react";

/** Stands for "outside any form" where a hook wants an id. */
export const NO_FORM = "no-form";

export const FormIdContext = createContext<string | null>(null);

export const fieldId = (formId: string, name: string) => `${formId}-${name}`;
