import { useEffect, useRef, useState } from "react";
import { useFormContext } from "remix-validated-form";

interface Invoiced {
  usesCompanyAddress: boolean;
  /** The option value of the invoiced country, or "" when none is chosen. */
  country: string;
}

function read(form: HTMLFormElement): Invoiced {
  const values = new FormData(form);
  const valueOf = (name: string) => {
    const control = form.elements.namedItem(name); // FormData omits disabled fields
    return control instanceof HTMLSelectElement ? control.value : "";
  };
  const usesCompanyAddress = values.has("useCompanyAddress");
  return {
    usesCompanyAddress,
    country: valueOf(usesCompanyAddress ? "companyAddress.country" : "invoicingAddress.country"),
  };
}

/**
 * Follows the invoiced country of complete registration. Returns null without scripts. A change to another country clears the VAT number
 * (CRD-02); choosing no country in between does not.
 */
export function useInvoicedCountry(formId: string): Invoiced | null {
  const [invoiced, setInvoiced] = useState<Invoiced | null>(null);
  const { clearError } = useFormContext(formId);
  const last = useRef("");
  const clear = useRef(clearError);
  clear.current = clearError;

  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const follow = () => {
      const now = read(form);
      setInvoiced(now);
      if (now.country === "") return;
      const vat = form.elements.namedItem("vatNumber");
      if (last.current && last.current !== now.country && vat instanceof HTMLInputElement && vat.value) {
        vat.value = "";
        clear.current("vatNumber");
      }
      last.current = now.country;
    };
    follow();
    form.addEventListener("change", follow);
    return () => form.removeEventListener("change", follow);
  }, [formId]);

  return invoiced;
}
