import { type CheerioAPI, load } from "cheerio";

type PageNode = ReturnType<ReturnType<CheerioAPI>["contents"]>[number];

const fold = (text: string) => text.replace(/\s+/g, " ").trim();

/** The elements of a page that a selector finds, as a browser's parser reads the page. */
export const select = (html: string, selector: string) => load(html)(selector);

/** The text of each element that a selector finds, blanks folded. */
export const textsOf = (html: string, selector: string): string[] => {
  const $ = load(html);
  return $(selector)
    .toArray()
    .map((element) => fold($(element).text()));
};

/** What stands in a field of a form: of an input its value, of a textarea its text, of a select the chosen value; undefined where there is none. */
export function valueOf(html: string, name: string): string | undefined {
  const field = select(html, `[name="${name}"]`).first();
  return [field.val()].flat()[0];
}

const TEXT_NODE = 3;

const textsIn = (node: PageNode): string[] => {
  if ("children" in node) return node.children.flatMap(textsIn);
  return node.nodeType === TEXT_NODE ? [node.data] : [];
};

/** What a person reads in a page: the texts of all elements with a blank between them, blanks folded. */
export function pageText(html: string): string {
  const $ = load(html);
  $("script, style").remove();
  return $.root().toArray().flatMap(textsIn).join(" ").replace(/\s+/g, " ");
}

/** The lines of a page's error summary that lead to a field, and the fields' ids. */
const summary = (html: string): { id: string; text: string }[] => {
  const $ = load(html);
  return $('li > a[href^="#"]')
    .toArray()
    .map((link) => ({ id: link.attribs.href?.slice(1) ?? "", text: fold($(link).text()) }));
};

/** The lines of a page's error summary that lead to a field. */
export const summaryOf = (html: string): string[] => summary(html).map(({ text }) => text);

/** For each line of the error summary that names its field: the label on the page, and the name in the summary. */
export function labelsOf(html: string): [label: string, inSummary: string][] {
  const named = summary(html).filter(({ text }) => text.includes(": "));
  return named.map(({ id, text }) => [textsOf(html, `label[for="${id}"]`)[0] ?? "", text.slice(0, text.indexOf(": "))]);
}
