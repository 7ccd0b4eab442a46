const words = (html: string) => html.replace(/<[^>]+>/g, "").replaceAll("&#x27;", "'");

const links = (html: string) =>
  [...html.matchAll(/<li><a href="#([^"]+)">(.*?)<\/a><\/li>/g)].map(([, id = "", text = ""]) => ({
    id,
    text: words(text),
  }));

/** The lines of a page's error summary that lead to a field. */
export const summaryOf = (html: string): string[] => links(html).map(({ text }) => text);

/** For each line that names its field: the label on the page, and the name in the summary. */
export function labelsOf(html: string): [label: string, inSummary: string][] {
  const named = links(html).filter(({ text }) => text.includes(": "));
  return named.map(({ id, text }) => {
    const label = html.match(new RegExp(`<label for="${id.replaceAll(".", "\\.")}">(.*?)</label>`))?.[1] ?? "";
    return [words(label), text.slice(0, text.indexOf(": "))];
  });
}
