/** Text as searches and orders compare it. Folded here and not by the databases, which differ: SQLite's lower() knows only ASCII. */
export const foldText = (text: string): string => text.normalize("NFC").toLowerCase();

/** A name of a subject as it is compared (docs/decisions/0010): folded, without blanks around it, a run of blanks as one. Null is "". */
export const foldName = (name: string | null | undefined): string =>
  foldText((name ?? "").trim().replace(/\s+/gu, " "));
