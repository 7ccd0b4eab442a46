import { type CodeType } from "~db/tables";

/** The yearly fees for the maintenance of codes, in integer cents without VAT. */
export interface MaintenanceFees {
  codeCents: Readonly<Record<CodeType, number>>;
  /** The fee for each block of sub-codes that is begun. */
  subcodeBlock: { size: number; cents: number };
}

const MONTHS = 12;

/** Returns the number of months of the year before the one in which the code was registered. They are not charged (SAL-04). */
function monthsBefore(createdAt: string, year: number): number {
  const created = new Date(createdAt);
  return created.getUTCFullYear() === year ? created.getUTCMonth() : 0;
}

/** Returns what a code costs for a year, rounded half up once, and how many of its months are not charged. */
export function maintenanceCharge(
  code: { codeType: CodeType; createdAt: string; subcodes: number },
  year: number,
  { codeCents, subcodeBlock }: MaintenanceFees,
): { costCents: number; discountNumMonths: number } {
  const discountNumMonths = monthsBefore(code.createdAt, year);
  const blocks = Math.ceil(code.subcodes / subcodeBlock.size);
  const yearly = codeCents[code.codeType] + blocks * subcodeBlock.cents;
  return { costCents: Math.floor((yearly * (MONTHS - discountNumMonths)) / MONTHS + 0.5), discountNumMonths };
}
