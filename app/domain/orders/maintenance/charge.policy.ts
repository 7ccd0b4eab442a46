import { type CodeType } from "~db/tables";

/** What the maintenance of codes costs a year, integer cents without VAT. */
export interface MaintenanceFees {
  codeCents: Readonly<Record<CodeType, number>>;
  /** For every begun block of sub-codes. */
  subcodeBlock: { size: number; cents: number };
}

const MONTHS = 12;

/** Months of the year before the one in which the code was registered (SAL-04): they are not charged. */
function monthsBefore(createdAt: string, year: number): number {
  const moment = new Date(createdAt);
  return moment.getUTCFullYear() === year ? moment.getUTCMonth() : 0;
}

/** What a code costs for a year, and how many of its months are not charged; rounded half up once. */
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
