import { LARGEST_ID, readNumber } from "~/lib/list-params";

/** Returns how entries of the audit trail name a company: `CO-10001`. */
export const companyReference = (id: number): string => `CO-${id}`;

/** Returns the id of the company that a reference names, or null for any other reference. */
export const companyIdOf = (reference: string): number | null =>
  readNumber(/^CO-(\d+)$/.exec(reference)?.[1] ?? null, LARGEST_ID);
