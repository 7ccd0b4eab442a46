import { type CheerioAPI, load } from "cheerio";

type PageNode = ReturnType<ReturnType<CheerioAPI>["contents"]>[number];

const fold = (text: string) => text.replace(/\s+/g, " ").trim();

/** Returns the elements of a page that match a selector, parsed as a browser parses the page. */
export const select = (html: string, selector: string) => load(html)(selector);

/** Returns the text of each element that matches a selector, with whitespace collapsed. */
export const textsOf = (html: string, selector: string): string[] => {
  const $ = load(html);
  return $(selector)
    .toArray()
    .map((element) => fold($(element).text()));
};

/**
 * Returns the value of a form field: of an input its value, of a textarea its text, of a select the chosen value. Returns undefined when
 * there is no such field.
 */
export function valueOf(html: string, name: string): string | undefined {
  const field = select(html, `[name="${name}"]`).first();
  return [field.val()].flat()[0];
}

const TEXT_NODE = 3;

const textsIn = (node: PageNode): string[] => {
  if ("children" in node) return node.children.flatMap(textsIn);
  return node.nodeType === TEXT_NODE ? [node.data] : [];
};

/** Returns the visible text of a page: the texts of all elements separated by spaces, with whitespace collapsed. */
export function pageText(html: string): string {
  const $ = load(html);
  $("script, style").remove();
  return $.root().toArray().flatMap(textsIn).join(" ").replace(/\s+/g, " ");
}

/** Returns the lines of a page's error summary that link to a field, and the ids of the fields. */
const summary = (html: string): { id: string; text: string }[] => {
  const $ = load(html);
  return $('li > a[href^="#"]')
    .toArray()
    .map((link) => ({ id: link.attribs.href?.slice(1) ?? "", text: fold($(link).text()) }));
};

/** Returns the lines of a page's error summary that link to a field. */
export const summaryOf = (html: string): string[] => summary(html).map(({ text }) => text);

/** Returns, for each line of the error summary that names its field, the label on the page and the name in the summary. */
export function labelsOf(html: string): [label: string, inSummary: string][] {
  const named = summary(html).filter(({ text }) => text.includes(": "));
  return named.map(({ id, text }) => [textsOf(html, `label[for="${id}"]`)[0] ?? "", text.slice(0, text.indexOf(": "))]);
}
