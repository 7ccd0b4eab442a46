import { type CodeType } from "~db/tables";

/** The labels of the code types that are sold (CPO-01). */
export const CODE_TYPE_LABELS: Readonly<Record<CodeType, string>> = {
  OFTP: "OFTP Code",
  Full: "OSCAR Code Full",
  Basic: "OSCAR Code Basic",
};

/** Returns whether a text is the short name of a code type. */
export const isCodeType = (value: string): value is CodeType => Object.hasOwn(CODE_TYPE_LABELS, value);

const OTHER_LABELS: ReadonlyMap<string, CodeType> = new Map([
  ["oscar code", "Full"],
  ["full oscar code", "Full"],
  ["oscar light code", "Basic"],
]);

/**
 * Returns the code type for a label of CPO-01, for another name that files and calls may use, or for the short name of the type. Returns
 * null for anything else.
 */
export function readCodeType(label: string): CodeType | null {
  const folded = label.trim().toLowerCase();
  const [type] = Object.entries(CODE_TYPE_LABELS).find(
    ([name, text]) => name.toLowerCase() === folded || text.toLowerCase() === folded,
  ) ?? [OTHER_LABELS.get(folded)];
  return (type as CodeType | undefined) ?? null;
}

/** What the codes of each type permit under them (COD-05). */
export const SUB_ENTITIES: Readonly<Record<CodeType, { canRegister: boolean; maxNumber: number | null }>> = {
  OFTP: { canRegister: false, maxNumber: null },
  Full: { canRegister: true, maxNumber: 1000 },
  Basic: { canRegister: true, maxNumber: 100 },
};

interface Named {
  codeType: CodeType;
  code: string;
  /** "" for an entity. */
  subcode: string;
}

/** Returns code and sub-code as one text. For an entity, '00' replaces the sub-code; an OFTP code stands alone (COD-05). */
export function fullCode({ codeType, code, subcode }: Named): string {
  if (codeType === "OFTP") return code;
  return code + (subcode === "" ? "00" : subcode.toUpperCase());
}

/** Returns the OFTP identifier (SSID) of the entity (COD-05). `O0177` identifies the issuer of the codes. */
export const oftpIdentifier = (named: Named): string =>
  `O0177${fullCode(named)}${named.codeType === "OFTP" ? "OD" : "000000"}`;
