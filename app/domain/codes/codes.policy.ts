import { type Row } from "~db/tables";

interface Viewer {
  id: number;
  isAdmin: boolean;
}

type CodeRow = Pick<Row<"codes">, "userId" | "status" | "codeType">;

/** Administrators see every code, others their own. */
export const maySeeCode = (viewer: Viewer, code: Pick<CodeRow, "userId">): boolean =>
  viewer.isAdmin || code.userId === viewer.id;

/** For a form of a code that was cancelled or expired while it was filled in. */
export const NOT_EDITABLE =
  "Details have not been saved. The code was cancelled or has expired: it cannot be changed any more.";

/** Owners edit what is registered; what is cancelled or expired is edited by administrators only (COD-04). */
export const mayEditCode = (viewer: Viewer, code: CodeRow): boolean =>
  viewer.isAdmin || (code.userId === viewer.id && code.status === "Registered");

/** The entity type of an OFTP code is changed by administrators only (COD-04). */
export const mayEditEntityType = (viewer: Viewer, code: CodeRow): boolean =>
  mayEditCode(viewer, code) && (viewer.isAdmin || code.codeType !== "OFTP");

interface Parent extends Pick<Row<"codes">, "status" | "sbeCanRegister" | "sbeMaxNumber" | "subcode"> {
  /** How many sub-entities it has, whatever their status. */
  subEntities: number;
}

export const allSubEntities = (most: number): string => `The code has all the sub-entities that it may have: ${most}.`;

/** Why no sub-entity can be registered under this code, or null (COD-05). */
export function whyNoSubEntity({ status, sbeCanRegister, sbeMaxNumber, subcode, subEntities }: Parent): string | null {
  if (subcode !== "") return "A sub-entity cannot have sub-entities.";
  if (!sbeCanRegister) return "Sub-entities cannot be registered under a code of this type.";
  if (status !== "Registered")
    return `The code is ${status.toLowerCase()}: sub-entities cannot be registered under it.`;
  if (sbeMaxNumber && subEntities >= sbeMaxNumber) return allSubEntities(sbeMaxNumber);
  return null;
}
