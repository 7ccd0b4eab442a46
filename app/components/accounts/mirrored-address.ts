import { useEffect, useRef } from "react";

const PARTS = ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"];

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement, prefix: string): Control[] =>
  PARTS.map((part) => form.elements.namedItem(prefix + part)).filter(
    (control) => control instanceof HTMLInputElement || control instanceof HTMLSelectElement,
  );

const valuesOf = (controls: Control[]) => controls.map(({ value }) => value);

function put(controls: Control[], values: readonly string[]): void {
  for (const [index, control] of controls.entries()) control.value = values[index] ?? "";
}

/**
 * Shows the company address, as it is typed, in the disabled invoicing address while it is used for invoices. An invoicing address that was
 * entered before comes back when the box is unticked.
 */
export function useMirroredAddress(formId: string): void {
  const own = useRef<string[] | null>(null);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const follow = ({ target }: Event) => {
      const invoicing = controlsOf(form, "invoicingAddress.");
      const isUsed = new FormData(form).has("useCompanyAddress");
      const isSwitch = target instanceof HTMLInputElement && target.name === "useCompanyAddress";
      if (isUsed && isSwitch) own.current = valuesOf(invoicing);
      if (isUsed) put(invoicing, valuesOf(controlsOf(form, "companyAddress.")));
      else if (isSwitch && own.current) put(invoicing, own.current);
    };
    // `input` fires before `change`, which the invoiced country follows.
    form.addEventListener("input", follow);
    return () => form.removeEventListener("input", follow);
  }, [formId]);
}
