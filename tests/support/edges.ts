import { messages } from "~/lib/messages";

const invisible = "\u00a0\u200b\u3000\u2060";
const script = "<script>alert(1)</script>";

/** What a text field of at most `max` characters takes, and what it keeps of it. */
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

/** What a text field refuses for its length: emoji count as browsers count them, two each. */
export const tooLongTexts = (max: number): [typed: string, message: string][] => [
  ["x".repeat(max + 1), messages.outOfRange],
  ["🚗".repeat(Math.floor(max / 2) + 1), messages.outOfRange],
];

/** What is empty to the eye: refused where something is required, nothing where it may be left out. */
export const blankTexts: [typed: string, message: string][] = [
  ["", messages.required],
  ["   \t ", messages.required],
  [invisible, messages.required],
];

/** Refused everywhere: something was typed, and nothing of it can be kept. */
export const onlyMarkup = `<b></b>${script}`;

/** What a required text field refuses because nothing would be left of it. */
export const emptyTexts: [typed: string, message: string][] = [...blankTexts, [onlyMarkup, messages.markup]];
