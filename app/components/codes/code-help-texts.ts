/** The help texts of a code's details, by the names under which the specification lists them (B §5). */
export const CODE_HELP = {
  codeVat:
    "The number under which the entity is registered for value added tax, with the prefix of its country. It is kept as it is typed and not checked with the authorities.",
  shortName: "The name by which partners know the entity in short.",
  tradeName: "The name under which the entity does business, where it is not the legal one.",
  dunsNumber: "The D-U-N-S number: nine digits by which Dun & Bradstreet identifies the entity.",
  directParentId: "The OSCAR code, four characters, of the entity that owns this one.",
  domesticUltimateParentId: "The highest company of the group in the entity's own country.",
  globalUltimateParentId: "The highest company of the whole group, in whichever country.",
  subCode: "Any 2 alphanumeric characters (numeric recommended).",
} as const;
