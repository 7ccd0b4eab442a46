import { expect, test } from "vitest";
import { type TextStyle, widthOf, wrapText } from "~/lib/pdf/any-text.server";
import { newPdf } from "~/lib/pdf/document.server";

const pdf = newPdf({ title: "Lines", author: "Marque", date: new Date("2026-11-23T00:00:00Z") });
pdf.addPage();

const WORDS =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu;

/** Returns the lines of a text. Measures the whole line again after each added word, which is slow and certain. */
function measuredLines(text: string, width: number, style: TextStyle): string[] {
  const fits = (line: string) => widthOf(pdf, line.trimEnd(), style) <= width;
  const lines = [""];
  const add = (piece: string) => {
    const line = lines.at(-1) ?? "";
    if (line === "" || fits(line + piece)) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  };
  for (const word of text.replace(/\s+/g, " ").trim().match(WORDS) ?? [])
    if (fits(word)) add(word);
    else for (const { segment } of new Intl.Segmenter("en").segment(word)) add(segment);
  return lines.map((line) => line.trimEnd());
}

const TEXTS: [what: string, text: string][] = [
  [
    "prose with kerning",
    "To AV Wattenberg, Tor 7: Yvonne P. Taylor ordered two certificates, “Testing Wave” (VAT. no. AT U 12 345 678). ".repeat(
      6,
    ),
  ],
  ["a word that is too long", `Part ${"Donaudampfschifffahrtsgesellschaft".repeat(3)} of ${"AV".repeat(40)} Ltd`],
  ["several scripts", "Łódź Пример Ελλάδα שלום עולם مرحبا بالعالم ABC שלום 12 東京都千代田区 ไทย हिन्दी ".repeat(2)],
  ["Arabic in one piece", "مرحبابالعالم".repeat(8)],
  ["nothing", ""],
];

test.each(TEXTS)("[SAL-05] %s breaks into the lines that measuring whole lines gives", (_, text) => {
  for (const style of [{ size: 9 }, { size: 10.5, font: "semibold" }] satisfies TextStyle[])
    for (const width of [60, 151.3, 451])
      expect(wrapText(pdf, text, width, style)).toEqual(measuredLines(text, width, style));
});

test("[SAL-05] the time to shape a long text grows linearly with its words", () => {
  const text = Array.from({ length: 1000 }, (_, index) => `word${index % 700}`).join(" ");
  const shape = pdf.widthOfString.bind(pdf);
  let shaped = 0;
  pdf.widthOfString = (...args) => {
    shaped += args[0].length;
    return shape(...args);
  };
  const lines = wrapText(pdf, text, 450, { size: 9 });
  expect(lines.length).toBeGreaterThan(50);
  expect(shaped).toBeLessThan(6 * text.length);
});
