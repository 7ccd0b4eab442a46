import { may, rightNeeded, type RightsHolder } from "~/domain/accounts/rights.policy";
import { mayFor, type Member, roleNeeded } from "~/domain/companies/roles.policy";
import { type Row } from "~db/tables";

type Viewer = RightsHolder & Member;

type CodeRow = Pick<Row<"codes">, "companyId" | "status" | "codeType">;

/** The error for a form whose code was cancelled or has expired while it was filled in. */
export const NOT_EDITABLE =
  "Details have not been saved. The code was cancelled or has expired: it cannot be changed any more.";

/**
 * Returns why this user may not edit a code, or null. Members with a role that may, of the company that owns the code, edit it while it is
 * Registered. Only staff may edit Cancelled and Expired ones (COD-04).
 */
export function whyNotEdit(viewer: Viewer, code: CodeRow): string | null {
  if (may(viewer, "change-codes")) return null;
  if (mayFor(viewer, code, "change-own-codes")) return code.status === "Registered" ? null : NOT_EDITABLE;
  return code.companyId === viewer.companyId ? roleNeeded("change-own-codes") : rightNeeded("change-codes");
}

export const mayEditCode = (viewer: Viewer, code: CodeRow): boolean => whyNotEdit(viewer, code) === null;

/** Only staff may change the entity types of an OFTP code (COD-04). */
export const mayEditEntityType = (viewer: Viewer, code: CodeRow): boolean =>
  mayEditCode(viewer, code) && (may(viewer, "change-codes") || code.codeType !== "OFTP");

interface Parent extends Pick<Row<"codes">, "status" | "sbeCanRegister" | "sbeMaxNumber" | "subcode"> {
  /** The number of its sub-entities, whatever their status. */
  subEntities: number;
}

export const allSubEntities = (most: number): string => `The code has all the sub-entities that it may have: ${most}.`;

/** Returns why no sub-entity can be registered under this code, or null (COD-05). */
export function whyNoSubEntity({ status, sbeCanRegister, sbeMaxNumber, subcode, subEntities }: Parent): string | null {
  if (subcode !== "") return "A sub-entity cannot have sub-entities.";
  if (!sbeCanRegister) return "Sub-entities cannot be registered under a code of this type.";
  if (status !== "Registered")
    return `The code is ${status.toLowerCase()}: sub-entities cannot be registered under it.`;
  if (sbeMaxNumber && subEntities >= sbeMaxNumber) return allSubEntities(sbeMaxNumber);
  return null;
}
