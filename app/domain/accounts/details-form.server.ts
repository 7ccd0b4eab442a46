import { type AccountDetails, detailsOf } from "./account-details.server";
import { type AddressForm } from "./accounts.schema";
import { type LockedFields } from "./details.policy";
import { INVOICED_COUNTRY } from "./invoiced-country";
import { type Profile } from "./profile.service.server";

/** An address as the first values of its fields. */
export const fieldsOf = ({ country, ...texts }: AddressForm) => ({ ...texts, country: String(country) });

/** Invoices go to the company's own address, or nothing says otherwise yet. */
function usesCompanyAddress({ company, companyAddress, invoicingAddress }: AccountDetails): boolean {
  if (!invoicingAddress) return true;
  return JSON.stringify(invoicingAddress) === JSON.stringify(companyAddress && { ...companyAddress, company });
}

/** What is stored of an account, as the first values of the forms that show it. */
export function formValuesOf(profile: Profile) {
  const details = detailsOf(profile);
  const { companyAddress, invoicingAddress, ...texts } = details;
  return {
    ...texts,
    useCompanyAddress: usesCompanyAddress(details),
    companyAddress: companyAddress ? fieldsOf(companyAddress) : {},
    invoicingAddress: { company: texts.company, ...(invoicingAddress && fieldsOf(invoicingAddress)) },
    [INVOICED_COUNTRY]: invoicingAddress ? String(invoicingAddress.country) : "",
  };
}

/** Puts the stored values in the place of what was sent for fields that this person may not change; browsers leave disabled ones out. */
export function restoreLocked(form: FormData, locked: LockedFields): void {
  for (const [name, value] of Object.entries(locked)) form.set(name, value);
}
