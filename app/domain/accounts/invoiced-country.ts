/** The hidden field that says which country the page was made for. */
export const INVOICED_COUNTRY = "invoicedCountry";

/** What the button 'Update country' sends, where no scripts run. */
export const UPDATE_COUNTRY = "update-country";

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/**
 * Notes in a form of company details which country is invoiced. When it is sent to update the country, another one clears the VAT
 * number (CRD-02), as scripts do. Out: whether it was sent for that only.
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
