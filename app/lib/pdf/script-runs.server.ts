import bidiFactory from "bidi-js";
import { type FontName } from "./document.server";
import { canWrite, fontFor, isEmojiFont, UNKNOWN } from "./fallback-fonts.server";

const bidi = bidiFactory();

/** A piece of one line in one font and one direction. The runs of a line are ordered from left to right. */
export interface ScriptRun {
  text: string;
  fontFile: string;
}

interface Glyph {
  character: string;
  fontFile: string;
  isRightToLeft: boolean;
}

const SIGNS = /\p{Script=Common}|\p{Script=Inherited}/u;
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/** Characters that combine several characters into one emoji: joiners, variation selectors, tags, skin tones, and the letters of flags. */
const EMOJI_PARTS = /\p{Script=Inherited}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u{E0020}-\u{E007F}]/u;

/**
 * Chooses a font for each character. Spaces and signs keep the font of the character before them, so that words are shaped as a whole.
 * After an emoji, only parts of that emoji do.
 */
function withFonts(characters: readonly string[], wanted: FontName): Omit<Glyph, "isRightToLeft">[] {
  let before: string | null = null;
  return characters.map((character, index) => {
    const stays = before !== null && isEmojiFont(before) ? EMOJI_PARTS : SIGNS;
    const own =
      stays.test(character) && before !== null && canWrite(before, character)
        ? before
        : fontFor(character, wanted, characters[index + 1] === "\u{FE0F}");
    before = own ?? fontFor(UNKNOWN, wanted) ?? "";
    return { character: own === null ? UNKNOWN : character, fontFile: before };
  });
}

/**
 * Returns the text of a run in the order that the shaping of the font expects. Shaping reverses Arabic and Hebrew script, including numbers
 * in Arabic digits, and nothing else. Where that does not match the direction of the run, the text is reversed here.
 */
const shaped = (glyphs: readonly Glyph[]): string => {
  const characters = glyphs.map(({ character }) => character);
  const isTurned = RIGHT_TO_LEFT.test(characters.join(""));
  return (glyphs[0]?.isRightToLeft === isTurned ? characters : characters.reverse()).join("");
};

/**
 * Returns the runs of a line, from left to right, by the Unicode Bidirectional Algorithm (UAX #9), each in a font that has its characters.
 * `line` must not contain line breaks. `wanted` is the font for the characters that it has.
 */
export function scriptRuns(line: string, wanted: FontName): ScriptRun[] {
  const levels = bidi.getEmbeddingLevels(line, "ltr");
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels);
  const runs: { level: number; start: number; glyphs: Glyph[] }[] = [];
  let index = 0;
  for (const { character, fontFile } of withFonts([...line], wanted)) {
    const level = levels.levels[index] ?? 0;
    const last = runs.at(-1);
    const glyph = { character: mirrored.get(index) ?? character, fontFile, isRightToLeft: level % 2 === 1 };
    if (last?.level === level && last.glyphs[0]?.fontFile === fontFile) last.glyphs.push(glyph);
    else runs.push({ level, start: index, glyphs: [glyph] });
    index += character === UNKNOWN ? String.fromCodePoint(line.codePointAt(index) ?? 0).length : character.length;
  }
  const place = new Map(bidi.getReorderedIndices(line, levels).map((from, to) => [from, to]));
  const leftmost = ({ start, glyphs }: (typeof runs)[number]) =>
    Math.min(...glyphs.map((_, offset) => place.get(start + offset) ?? 0));
  return runs
    .toSorted((a, b) => leftmost(a) - leftmost(b))
    .map(({ glyphs }) => ({ text: shaped(glyphs), fontFile: glyphs[0]?.fontFile ?? "" }));
}
