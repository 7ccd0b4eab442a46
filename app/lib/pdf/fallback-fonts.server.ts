import { dirname, join } from "node:path";
import { type FontName, fontFile, openFont, packageFile, type Pdf, registerFont } from "./document.server";

/** Returns the path of a file in a package that does not export its files by name. */
const besides = (name: string, ...path: string[]) => join(dirname(packageFile(name)), ...path);
const embedpdf = (script: string, file: string) => besides(`@embedpdf/fonts-${script}`, "..", "fonts", file);
const google = (name: string, file: string) => packageFile(`@expo-google-fonts/noto-${name}/${file}`);
/** Returns the regular and bold files of a script whose package uses the usual names. */
const sans = (script: string, file: string) => (): readonly [string, string] => [
  google(`sans-${script}`, `400Regular/NotoSans${file}_400Regular.ttf`),
  google(`sans-${script}`, `700Bold/NotoSans${file}_700Bold.ttf`),
];
const emoji = () =>
  [google("emoji", "400Regular/NotoEmoji_400Regular.ttf"), google("emoji", "700Bold/NotoEmoji_700Bold.ttf")] as const;
const symbols = google("sans-symbols-2", "400Regular/NotoSansSymbols2_400Regular.ttf");

/** The regular and bold files for characters that the site's typeface does not have, in this order. */
const FALLBACKS: Readonly<Record<string, () => readonly [regular: string, bold: string]>> = {
  arabic: () => [embedpdf("arabic", "NotoNaskhArabic-Regular.ttf"), embedpdf("arabic", "NotoNaskhArabic-Bold.ttf")],
  hebrew: () => [embedpdf("hebrew", "NotoSansHebrew-Regular.ttf"), embedpdf("hebrew", "NotoSansHebrew-Bold.ttf")],
  thai: sans("thai", "Thai"),
  devanagari: sans("devanagari", "Devanagari"),
  georgian: sans("georgian", "Georgian"),
  armenian: sans("armenian", "Armenian"),
  chinese: () => [embedpdf("sc", "NotoSansHans-Regular.otf"), embedpdf("sc", "NotoSansHans-Bold.otf")],
  korean: () => [embedpdf("kr", "NotoSansKR-Regular.otf"), embedpdf("kr", "NotoSansKR-Bold.otf")],
  emoji,
  symbols: () => [symbols, symbols],
};

/** Returns whether a file is the emoji font. That font also has digits and signs, for key caps. */
export const isEmojiFont = (file: string): boolean => emoji().includes(file);

const isHeavy = (name: FontName) => name === "semibold" || name === "bold";

const hasGlyph = (file: string, character: string) =>
  openFont(file).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** Replaces a character that no font has. */
export const UNKNOWN = "?";

/**
 * Returns the file of the first font that has a character, or null when none has it. The wanted font comes before all others. With
 * `asEmoji` the emoji font comes first, as U+FE0F after the character requests.
 */
export function fontFor(character: string, wanted: FontName, asEmoji = false): string | null {
  const weight = isHeavy(wanted) ? 1 : 0;
  const fallbacks = Object.values(FALLBACKS).map((files) => () => files()[weight]);
  const files = [...(asEmoji ? [() => emoji()[weight]] : []), () => fontFile(wanted), ...fallbacks];
  return files.find((file) => hasGlyph(file(), character))?.() ?? null;
}

/** Returns whether a font has every one of these characters. */
export const canWrite = (file: string, text: string): boolean =>
  [...text].every((character) => hasGlyph(file, character));

/** Selects a font by its file. */
export function setFont(pdf: Pdf, file: string, size: number): void {
  registerFont(pdf, file, file);
  pdf.font(file).fontSize(size);
}
