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
 * While the company address is used for invoices, the disabled invoicing address shows it as it is typed; an own one that was there
 * before comes back when the box is unticked.
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
    // Before `change`, by which the invoiced country is followed.
    form.addEventListener("input", follow);
    return () => form.removeEventListener("input", follow);
  }, [formId]);
}
