/** Text as searches and orders compare it. Folded here and not by the databases, which differ: SQLite's lower() knows only ASCII. */
export const foldText = (text: string): string => text.normalize("NFC").toLowerCase();
