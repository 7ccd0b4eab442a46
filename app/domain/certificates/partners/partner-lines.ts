import { isEmail } from "~/lib/fields";
import { PARTNER_NAME_LIMIT } from "./partners-fields";

/** The code of an entity. `subcode` is "" for an entity that is no sub-entity. */
export interface NamedEntity {
  code: string;
  subcode: string;
}

/** A line of a list of partners. It has an address or an entity. */
export interface PartnerLine {
  line: number;
  /** In lower case. */
  email: string | null;
  entity: NamedEntity | null;
  name: string;
}

/** Why a line is no partner. */
export interface LineProblem {
  line: number;
  message: string;
}

/** Returns a cell of a CSV file without its quotation marks. */
function unquoted(cell: string): string {
  const text = cell.trim();
  const quoted = /^"(.*)"$/s.exec(text);
  return (quoted ? (quoted[1] ?? "").replaceAll('""', '"') : text).trim();
}

/**
 * Returns the entity that a text names, as a code with or without a sub-code (`AB12`, `AB1201`) or as an OFTP ID of this register. `00` is no
 * sub-code. Returns null when the text is neither.
 */
export function readEntity(text: string): NamedEntity | null {
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, "");
  const [, code, subcode = ""] =
    /^O0177([A-Z\d]{4})OD$/.exec(typed) ??
    /^O0177([A-Z\d]{4})([A-Z\d]{2})0{6}$/.exec(typed) ??
    /^([A-Z\d]{4})([A-Z\d]{2})?$/.exec(typed) ??
    [];
  return code === undefined ? null : { code, subcode: subcode === "00" ? "" : subcode };
}

const isHeading = (cell: string) => /^(e-?mail|email address|address|partner)$/i.test(cell);

/**
 * Reads a list of partners: one a line, an email address or the code of an entity, then a name after a comma, semicolon or tab. Empty lines and
 * a line of headings at the beginning are left out. What is there twice counts once.
 *
 * @returns The partners, and a sentence for each line that is none.
 */
export function readPartnerLines(text: string): { partners: PartnerLine[]; problems: LineProblem[] } {
  const partners = new Map<string, PartnerLine>();
  const problems: LineProblem[] = [];
  text.split(/\r\n|\r|\n/).forEach((row, index) => {
    if (row.trim() === "") return;
    const line = index + 1;
    const at = row.search(/[,;\t]/);
    const first = unquoted(at < 0 ? row : row.slice(0, at));
    const name = at < 0 ? "" : unquoted(row.slice(at + 1)).replaceAll(/\s+/g, " ");
    if (line === 1 && isHeading(first)) return;
    const email = isEmail(first) && first.length <= 200 ? first.toLowerCase() : null;
    const entity = email === null ? readEntity(first) : null;
    const length = [...name].length;
    if (email === null && entity === null)
      problems.push({
        line,
        message: `'${first.slice(0, 60)}' is neither an email address nor the code of an entity.`,
      });
    else if (length > PARTNER_NAME_LIMIT)
      problems.push({ line, message: `a name has at most ${PARTNER_NAME_LIMIT} characters. This one has ${length}.` });
    else {
      const key = email ?? `${entity?.code} ${entity?.subcode}`;
      if (!partners.has(key)) partners.set(key, { line, email, entity, name });
    }
  });
  return { partners: [...partners.values()], problems };
}
