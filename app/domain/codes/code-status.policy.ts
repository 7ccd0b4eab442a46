import { type CodeStatus } from "~db/tables";
import { fullCode } from "./code-types";

/** The question before a customer cancels a code, word for word (COD-06). */
export const CANCEL_CODE_QUESTION =
  "Are you sure wish to change the status of this code to 'Cancelled'? This code will no longer be editable within the system.";

/** The message of COD-06, word for word. */
export const HAS_REGISTERED_SUBCODES =
  "This code cannot be cancelled because it has one or more sub codes which are still Registered.";

/** Returns the message of COD-06 with the parent's status. For a cancelled parent it is the specified text, word for word. */
export const parentForbids = (parent: CodeStatus): string =>
  `This code status cannot be changed to 'Registered' because the status of it's parent code is '${parent}'.`;

/** Returns the statuses that a code can be given. Only staff can choose Expired (COD-06). */
export const statusChoices = (isForStaff: boolean): CodeStatus[] =>
  isForStaff ? ["Registered", "Cancelled", "Expired"] : ["Registered", "Cancelled"];

interface StatusChange {
  from: CodeStatus;
  to: CodeStatus;
  /** The status of a sub-code's parent; null for a code without a parent. */
  parent: CodeStatus | null;
  registeredSubcodes: number;
}

/**
 * Returns why a code's status cannot be changed in this way, or null (COD-06). A sub-code can become Registered only under a Registered
 * parent, and a code with Registered sub-codes cannot be cancelled. A status that stays the same is always allowed.
 */
export function whyNoStatusChange({ from, to, parent, registeredSubcodes }: StatusChange): string | null {
  if (from === to) return null;
  if (to === "Cancelled" && registeredSubcodes > 0) return HAS_REGISTERED_SUBCODES;
  if (to === "Registered" && parent !== null && parent !== "Registered") return parentForbids(parent);
  return null;
}

type Named = Parameters<typeof fullCode>[0];

/** The maximum number of sub-codes that a sentence names. Further ones are only counted. */
const MOST_NAMED = 10;

/** Returns 'its sub-entity AB1201' or 'its 12 sub-entities AB1201, …, AB1210 and 2 more'. */
function itsSubEntities(subcodes: readonly Named[]): string {
  if (subcodes.length === 1) return `its sub-entity ${subcodes.map(fullCode).join()}`;
  const names = subcodes.slice(0, MOST_NAMED).map(fullCode).join(", ");
  const more = subcodes.length > MOST_NAMED ? ` and ${subcodes.length - MOST_NAMED} more` : "";
  return `its ${subcodes.length} sub-entities ${names}${more}`;
}

/** Returns the warning about what Expired would do to the Registered sub-codes, or "" when there are none. */
export const expiryWarning = (subcodes: readonly Named[]): string =>
  subcodes.length === 0
    ? ""
    : `If the code expires, ${itsSubEntities(subcodes)} ${subcodes.length === 1 ? "expires" : "expire"} with it.`;

/** Returns in words which sub-codes expired with their parent, or "" when none did. */
export const expiredWithIt = (subcodes: readonly Named[]): string =>
  subcodes.length === 0 ? "" : `I${itsSubEntities(subcodes).slice(1)} expired with it.`;
