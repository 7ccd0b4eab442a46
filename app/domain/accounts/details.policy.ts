/** The fields that only administrators can change, by name, with their stored values. */
export type LockedFields = Partial<Record<"company" | "companyRegistrationNumber" | "taxNumber", string>>;

interface Person {
  isAdmin: boolean;
  /** The administrator who acts as this person, or null. */
  impersonator: object | null;
}

interface Stored {
  company: string;
  companyRegistrationNumber: string | null;
  taxNumber: string | null;
}

/**
 * Returns the fields that a person may not change (USR-02): the company name, and the two company numbers once they are saved.
 * Administrators may change them, also while they act as a customer.
 *
 * @param namesCompany Whether the form names the company, which has no name of its own yet. The name is then not locked.
 */
export function lockedFields({ isAdmin, impersonator }: Person, stored: Stored, namesCompany = false): LockedFields {
  if (isAdmin || impersonator) return {};
  const { company, companyRegistrationNumber, taxNumber } = stored;
  return {
    ...(!namesCompany && { company }),
    ...(companyRegistrationNumber && { companyRegistrationNumber }),
    ...(taxNumber && { taxNumber }),
  };
}
