import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Font, openSync } from "fontkit";
import { type FontName, fontFile, type Pdf } from "./document.server";

const packages = createRequire(import.meta.url);

/** Files of a package that exports none of them by name. */
const besides = (name: string, ...path: string[]) => join(dirname(packages.resolve(name)), ...path);
const embedpdf = (script: string, file: string) => besides(`@embedpdf/fonts-${script}`, "..", "fonts", file);
const google = (script: string, file: string) => packages.resolve(`@expo-google-fonts/noto-sans-${script}/${file}`);

/** For what the site's typeface does not have, in this order: regular and bold files. */
const FALLBACKS: Readonly<Record<string, () => readonly [regular: string, bold: string]>> = {
  arabic: () => [embedpdf("arabic", "NotoNaskhArabic-Regular.ttf"), embedpdf("arabic", "NotoNaskhArabic-Bold.ttf")],
  hebrew: () => [embedpdf("hebrew", "NotoSansHebrew-Regular.ttf"), embedpdf("hebrew", "NotoSansHebrew-Bold.ttf")],
  thai: () => [
    google("thai", "400Regular/NotoSansThai_400Regular.ttf"),
    google("thai", "700Bold/NotoSansThai_700Bold.ttf"),
  ],
  devanagari: () => [
    google("devanagari", "400Regular/NotoSansDevanagari_400Regular.ttf"),
    google("devanagari", "700Bold/NotoSansDevanagari_700Bold.ttf"),
  ],
  chinese: () => [embedpdf("sc", "NotoSansHans-Regular.otf"), embedpdf("sc", "NotoSansHans-Bold.otf")],
  korean: () => [embedpdf("kr", "NotoSansKR-Regular.otf"), embedpdf("kr", "NotoSansKR-Bold.otf")],
};

const isHeavy = (name: FontName) => name === "semibold" || name === "bold";

const fonts = new Map<string, Font>();

function openFont(file: string): Font {
  const known = fonts.get(file);
  if (known) return known;
  const font = openSync(file);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file} holds several fonts.`);
  fonts.set(file, font);
  return font;
}

const hasGlyph = (file: string, character: string) =>
  openFont(file).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Where no font has the character. */
export const UNKNOWN = "?";

/** The file of the first font that has a character, the wanted one before all others; null when none has it. */
export function fontFor(character: string, wanted: FontName): string | null {
  const own = fontFile(wanted);
  if (hasGlyph(own, character)) return own;
  for (const files of Object.values(FALLBACKS)) {
    const file = files()[isHeavy(wanted) ? 1 : 0];
    if (hasGlyph(file, character)) return file;
  }
  return null;
}

/** Whether a font has every one of these characters. */
export const canWrite = (file: string, text: string): boolean =>
  [...text].every((character) => hasGlyph(file, character));

/** Chooses a font by its file; it is read once in a process. */
export function setFont(pdf: Pdf, file: string, size: number): void {
  pdf.registerFont(file, openFont(file) as unknown as string); // pdfkit takes an open font too, its types do not say so
  pdf.font(file).fontSize(size);
}
