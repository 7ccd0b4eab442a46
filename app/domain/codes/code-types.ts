import { type CodeType } from "~db/tables";

/** The captions of the code types that are sold (order types of CPO-01). */
export const CODE_TYPE_LABELS: Readonly<Record<CodeType, string>> = {
  OFTP: "OFTP Code",
  Full: "OSCAR Code Full",
  Basic: "OSCAR Code Basic",
};

const OTHER_LABELS: ReadonlyMap<string, CodeType> = new Map([
  ["oscar code", "Full"],
  ["full oscar code", "Full"],
  ["oscar light code", "Basic"],
]);

/** The code type of a caption of CPO-01, as files and calls have it, or of its short name; null for anything else. */
export function readCodeType(label: string): CodeType | null {
  const folded = label.trim().toLowerCase();
  const [type] = Object.entries(CODE_TYPE_LABELS).find(
    ([name, text]) => name.toLowerCase() === folded || text.toLowerCase() === folded,
  ) ?? [OTHER_LABELS.get(folded)];
  return (type as CodeType | undefined) ?? null;
}

/** What a code of a type may have under it (COD-05). */
export const SUB_ENTITIES: Readonly<Record<CodeType, { canRegister: boolean; maxNumber: number | null }>> = {
  OFTP: { canRegister: false, maxNumber: null },
  Full: { canRegister: true, maxNumber: 1000 },
  Basic: { canRegister: true, maxNumber: 100 },
};

interface Named {
  codeType: CodeType;
  code: string;
  /** "" of an entity. */
  subcode: string;
}

/** Code and sub-code as one; '00' stands for the entity itself, an OFTP code has none (COD-05). */
export function fullCode({ codeType, code, subcode }: Named): string {
  if (codeType === "OFTP") return code;
  return code + (subcode === "" ? "00" : subcode.toUpperCase());
}

/** The SSID of the entity for OFTP2 (COD-05): `O0177` is the issuer of the codes. */
export const oftpIdentifier = (named: Named): string =>
  `O0177${fullCode(named)}${named.codeType === "OFTP" ? "OD" : "000000"}`;
