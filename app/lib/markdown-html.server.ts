import { Marked, type Token, type Tokens } from "marked";

export interface HtmlHeading {
  id: string;
  title: string;
  /** 2 for a chapter, 3 for a section. */
  depth: number;
}

/** Returns `section-3.1.4` for a heading with a number, so that links stay right when its words change. */
function idOf(title: string): string {
  const number = /^(\d+(?:\.\d+)*)\.? /.exec(title)?.[1];
  if (number !== undefined) return `section-${number}`;
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Returns the HTML of block tokens, and its headings with the ids for links. Texts in the HTML are escaped. */
export function markdownHtml(tokens: Token[]): { html: string; headings: HtmlHeading[] } {
  const headings: HtmlHeading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens: inline, depth, text }: Tokens.Heading) {
        const id = idOf(text);
        headings.push({ id, title: text, depth });
        return `<h${depth} id="${id}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const inside = ({ tokens: inline }: Tokens.TableCell) => this.parser.parseInline(inline);
        const labels = header.map(inside);
        const head = labels.map((label) => `<th scope="col">${label}</th>`).join("");
        const body = rows.map((row) => {
          const cells = row.map((cell, index) => `<td data-l="${labels[index] ?? ""}">${inside(cell)}</td>`);
          return `<tr>${cells.join("")}</tr>\n`;
        });
        return `<div class="tbl"><table><thead><tr>${head}</tr></thead>\n<tbody>${body.join("")}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parser(tokens), headings };
}
