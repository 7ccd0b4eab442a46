import { type AccountDetails, detailsOf } from "./account-details.server";
import { fieldsOf } from "./address-form";
import { type LockedFields } from "./details.policy";
import { INVOICED_COUNTRY } from "./invoiced-country";
import { type Profile } from "./profile.service.server";

/** Returns whether invoices go to the company address. They do as long as no other address is stored. */
function usesCompanyAddress({ company, companyAddress, invoicingAddress }: AccountDetails): boolean {
  if (!invoicingAddress) return true;
  return JSON.stringify(invoicingAddress) === JSON.stringify(companyAddress && { ...companyAddress, company });
}

/** Returns the stored details of an account as the initial values of a form. */
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

/** Replaces the values of fields that this person may not change with the stored values. Browsers do not send disabled fields. */
export function restoreLocked(form: FormData, locked: LockedFields): void {
  for (const [name, value] of Object.entries(locked)) form.set(name, value);
}
