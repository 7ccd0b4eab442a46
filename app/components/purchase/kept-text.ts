import { useActionData } from "@remix-run/react";
import { useEffect } from "react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { normaliseCsrText } from "~/domain/certificates/request/csr-text";
import { fieldId } from "../forms/form-id";

/** Updates the text box of the CSR with the server's value: the CSR of the chosen file after an import, or nothing after a private key. */
export function useKeptText(formId: string, csr: string) {
  const answer = useActionData<Partial<ValidationErrorResponseData>>();
  const refused = answer?.repopulateFields as { csr?: string } | undefined;
  const shown = refused?.csr ?? csr;
  useEffect(() => {
    const box = document.getElementById(fieldId(formId, "csr"));
    const isOther = box instanceof HTMLTextAreaElement && normaliseCsrText(box.value) !== normaliseCsrText(shown);
    if (isOther) box.value = shown;
  }, [formId, shown, answer]);
}
