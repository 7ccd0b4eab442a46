import { type CodeStatus } from "~db/tables";
import { fullCode } from "./code-types";

/** The question before a customer cancels a code, word for word (COD-06). */
export const CANCEL_CODE_QUESTION =
  "Are you sure wish to change the status of this code to 'Cancelled'? This code will no longer be editable within the system.";

/** COD-06, word for word. */
export const HAS_REGISTERED_SUBCODES =
  "This code cannot be cancelled because it has one or more sub codes which are still Registered.";

/** COD-06, word for word where the parent is cancelled. */
export const parentForbids = (parent: CodeStatus): string =>
  `This code status cannot be changed to 'Registered' because the status of it's parent code is '${parent}'.`;

/** What a code's status can be set to; Expired by administrators only (COD-06). */
export const statusChoices = (isAdmin: boolean): CodeStatus[] =>
  isAdmin ? ["Registered", "Cancelled", "Expired"] : ["Registered", "Cancelled"];

interface StatusChange {
  from: CodeStatus;
  to: CodeStatus;
  /** The parent's, of a sub-code. */
  parent: CodeStatus | null;
  registeredSubcodes: number;
}

/**
 * Why a code cannot change its status so, or null (COD-06): no Registered sub-code under a parent that is not, no Cancelled parent of
 * Registered sub-codes. A status that stays is no change.
 */
export function whyNoStatusChange({ from, to, parent, registeredSubcodes }: StatusChange): string | null {
  if (from === to) return null;
  if (to === "Cancelled" && registeredSubcodes > 0) return HAS_REGISTERED_SUBCODES;
  if (to === "Registered" && parent !== null && parent !== "Registered") return parentForbids(parent);
  return null;
}

type Named = Parameters<typeof fullCode>[0];

/** Sub-codes that a sentence names; of more it says how many they are. */
const MOST_NAMED = 10;

/** 'its sub-entity AB1201', 'its 12 sub-entities AB1201, …, AB1210 and 2 more'. */
function itsSubEntities(subcodes: readonly Named[]): string {
  if (subcodes.length === 1) return `its sub-entity ${subcodes.map(fullCode).join()}`;
  const names = subcodes.slice(0, MOST_NAMED).map(fullCode).join(", ");
  const more = subcodes.length > MOST_NAMED ? ` and ${subcodes.length - MOST_NAMED} more` : "";
  return `its ${subcodes.length} sub-entities ${names}${more}`;
}

/** What Expired would do to the Registered sub-codes, in words; "" when there are none. */
export const expiryWarning = (subcodes: readonly Named[]): string =>
  subcodes.length === 0
    ? ""
    : `If the code expires, ${itsSubEntities(subcodes)} ${subcodes.length === 1 ? "expires" : "expire"} with it.`;

/** Which sub-codes expired with their parent, in words; "" when none did. */
export const expiredWithIt = (subcodes: readonly Named[]): string =>
  subcodes.length === 0 ? "" : `I${itsSubEntities(subcodes).slice(1)} expired with it.`;
