import { type Token } from "marked";
import { COLOURS, type FontName, type Pdf, type PdfElement } from "./document.server";

/** A piece of text in one font. */
export interface Run {
  text: string;
  font: FontName;
  link?: string;
}

/** Returns the runs of inline Markdown, in order. */
export function runsOf(tokens: readonly Token[] = [], style: Omit<Run, "text"> = { font: "regular" }): Run[] {
  return tokens.flatMap((token): Run[] => {
    const inside = (change: Partial<Run> = {}) =>
      runsOf(("tokens" in token && token.tokens) || [], { ...style, ...change });
    switch (token.type) {
      case "strong":
        return inside({ font: "semibold" });
      case "em":
        return inside({ font: "italic" });
      case "link":
        return inside({ link: String((token as { href?: unknown }).href) });
      case "br":
        return [{ ...style, text: "\n" }];
      default: {
        if ("tokens" in token && token.tokens) return inside();
        const text = "text" in token ? String(token.text) : token.raw;
        return [{ ...style, text: text.replace(/\s*\n\s*/g, " ") }];
      }
    }
  });
}

export const plainText = (tokens: readonly Token[] | undefined): string =>
  runsOf(tokens)
    .map(({ text }) => text)
    .join("");

export interface Place {
  /** Points from the left edge. */
  x: number;
  width: number;
}

/** Draws a paragraph of several runs as one element with this tag. It may continue on the next page. Links are elements of their own. */
export function drawRuns(pdf: Pdf, parent: PdfElement, tag: string, runs: readonly Run[], { x, width }: Place): void {
  const element = pdf.struct(tag);
  parent.add(element);
  pdf.x = x;
  runs.forEach(({ text, font, link }, index) => {
    const draw = () => {
      pdf.font(font).fillColor(link ? COLOURS.brand : COLOURS.text);
      pdf.text(text, {
        width,
        lineGap: 2.5,
        continued: index < runs.length - 1,
        underline: Boolean(link),
        link: link ?? null,
      });
    };
    element.add(link ? pdf.struct("Link", {}, draw) : draw);
  });
  element.end();
}
