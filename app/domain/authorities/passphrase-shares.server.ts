import { createHash, randomBytes } from "node:crypto";
import { combine, split } from "shamir-secret-sharing";

/** The most shares of a passphrase. */
export const MOST_SHARES = 16;

/** The letters of Crockford's base 32, which has none that look alike. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BEGINNING = "SHARE";
const SET_BYTES = 4;
const CHECK_BYTES = 4;

/** A share of a passphrase: one of a set, of which a number of shares together give the passphrase. */
interface Share {
  /** How many shares of the set are needed. */
  needed: number;
  /** The random number of the set, as hex. */
  set: string;
  content: Uint8Array;
}

function toLetters(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS.charAt(parseInt(five.padEnd(5, "0"), 2))).join("");
}

/** Returns the bytes of letters, or null for another letter. People may write the letter O for 0, and I or L for 1. */
function fromLetters(text: string): Uint8Array | null {
  let bits = "";
  for (const letter of text.toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1")) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) return null;
    bits += value.toString(2).padStart(5, "0");
  }
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}

const checkOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest().subarray(0, CHECK_BYTES);

function toText({ needed, set, content }: Share): string {
  const body = Buffer.concat([Uint8Array.of(needed), Buffer.from(set, "hex"), content]);
  const letters = toLetters(Buffer.concat([body, checkOf(body)]));
  return [BEGINNING, ...(letters.match(/.{1,5}/g) ?? [])].join("-");
}

/** Returns whether a line is meant to be a share. */
export const isShare = (line: string): boolean => line.trim().toUpperCase().startsWith(`${BEGINNING}-`);

/** Reads a share. Throws an Error when a letter of it is wrong. */
function readShare(line: string): Share {
  const bytes = fromLetters(line.trim().slice(BEGINNING.length).replace(/[-\s]/g, ""));
  const body = bytes?.subarray(0, -CHECK_BYTES);
  if (!bytes || !body || body.length < 2 + SET_BYTES || !checkOf(body).equals(bytes.subarray(-CHECK_BYTES)))
    throw new Error("This share has a wrong or missing letter. Compare it with the one that was written down.");
  const set = Buffer.from(body.subarray(1, 1 + SET_BYTES)).toString("hex");
  return { needed: body[0] ?? 0, set, content: body.subarray(1 + SET_BYTES) };
}

/**
 * Splits a passphrase into shares, by Shamir's scheme. Fewer shares than needed say nothing about it.
 *
 * @param shares How many shares to make, from 2 to 16.
 * @param needed How many of them give the passphrase, from 2 to `shares`.
 * @returns A line for each share, of letters and digits that can be written on paper.
 * @throws RangeError for other numbers.
 */
export async function splitPassphrase(passphrase: string, shares: number, needed: number): Promise<string[]> {
  const isPossible = Number.isInteger(shares) && Number.isInteger(needed) && needed >= 2 && needed <= shares;
  if (!isPossible || shares > MOST_SHARES)
    throw new RangeError(`--shares must be a number from 2 to ${MOST_SHARES}, and --needed one from 2 to --shares.`);
  const set = randomBytes(SET_BYTES).toString("hex");
  const parts = await split(new TextEncoder().encode(passphrase), shares, needed); // it refuses a Buffer
  return parts.map((content) => toText({ needed, set, content }));
}

/** What is known while shares are given one after the other. */
export interface GatheredShares {
  /** How many more are needed. 0 when the passphrase is complete. */
  missing: number;
  passphrase: string | null;
}

/**
 * Puts shares together. Throws an Error when one is damaged, given twice, or of another set.
 *
 * @param lines The shares that were given so far.
 */
export async function gatherShares(lines: readonly string[]): Promise<GatheredShares> {
  const shares = lines.map(readShare);
  const [first] = shares;
  if (!first) return { missing: 2, passphrase: null };
  if (shares.some(({ set }) => set !== first.set)) throw new Error("This share belongs to another passphrase.");
  const contents = new Map(shares.map(({ content }) => [Buffer.from(content).toString("hex"), content]));
  if (contents.size < shares.length) throw new Error("This share was given already.");
  const missing = Math.max(first.needed - shares.length, 0);
  if (missing > 0) return { missing, passphrase: null };
  const given = [...contents.values()].slice(0, first.needed);
  return { missing: 0, passphrase: Buffer.from(await combine(given)).toString("utf8") };
}
