import { messages } from "~/lib/messages";

const invisible = "\u00a0\u200b\u3000\u2060";
const script = "<script>alert(1)</script>";

/** Returns texts that a text field of at most `max` characters accepts, each with the text that is stored. */
export const takenTexts = (max: number): [typed: string, kept: string][] => [
  ["x".repeat(max - 1), "x".repeat(max - 1)],
  ["x".repeat(max), "x".repeat(max)],
  [`  ${"x".repeat(max)} `, "x".repeat(max)],
  ["5 < 6 & 7", "5 < 6 & 7"],
  [`<b>B</b>${script}`, "B"],
  ["🚗 ü", "🚗 ü"],
  ["שלום", "שלום"],
  ["شركة", "شركة"],
];

/** Returns texts that a text field refuses because of their length. An emoji counts as two characters, as in browsers. */
export const tooLongTexts = (max: number): [typed: string, message: string][] => [
  ["x".repeat(max + 1), messages.outOfRange],
  ["🚗".repeat(Math.floor(max / 2) + 1), messages.outOfRange],
];

/** Texts that look empty. They are refused in required fields and count as empty in optional ones. */
export const blankTexts: [typed: string, message: string][] = [
  ["", messages.required],
  ["   \t ", messages.required],
  [invisible, messages.required],
];

/** Refused everywhere: a text was typed, but nothing of it can be stored. */
export const onlyMarkup = `<b></b>${script}`;

/** Texts that a required text field refuses because nothing of them would be left. */
export const emptyTexts: [typed: string, message: string][] = [...blankTexts, [onlyMarkup, messages.markup]];
