/** Fields that only administrators change, by name, with their stored values. */
export type LockedFields = Partial<Record<"company" | "companyRegistrationNumber" | "taxNumber", string>>;

interface Person {
  isAdmin: boolean;
  /** The administrator who acts as this person. */
  impersonator: object | null;
}

interface Stored {
  company: string;
  companyRegistrationNumber: string | null;
  taxNumber: string | null;
}

/**
 * What a person may not change (USR-02): the company's name, and its two numbers once they are saved. Administrators may,
 * also for a customer whom they act as.
 */
export function lockedFields({ isAdmin, impersonator }: Person, stored: Stored): LockedFields {
  if (isAdmin || impersonator) return {};
  const { company, companyRegistrationNumber, taxNumber } = stored;
  return {
    company,
    ...(companyRegistrationNumber && { companyRegistrationNumber }),
    ...(taxNumber && { taxNumber }),
  };
}
