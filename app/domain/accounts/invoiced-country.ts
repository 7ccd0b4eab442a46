/** The hidden field with the country for which the page was rendered. */
export const INVOICED_COUNTRY = "invoicedCountry";

/** The value that the button 'Update country' sends. It is needed only without scripts. */
export const UPDATE_COUNTRY = "update-country";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/**
 * Stores the invoiced country in the hidden field of a form with company details. When the form was sent to update the country and the
 * country is another one, clears the VAT number (CRD-02), as scripts do. Returns whether the form was sent only to update the country.
 */
export function followCountry(form: FormData): boolean {
  const usesCompanyAddress = form.has("useCompanyAddress");
  const country = textOf(form, usesCompanyAddress ? "companyAddress.country" : "invoicingAddress.country");
  const before = textOf(form, INVOICED_COUNTRY);
  const isUpdate = form.get("intent") === UPDATE_COUNTRY;
  if (isUpdate && country && before && country !== before) form.set("vatNumber", "");
  if (country) form.set(INVOICED_COUNTRY, country);
  return isUpdate;
}
