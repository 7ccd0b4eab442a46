import { randomInt } from "node:crypto";
import { type DbOrTrx } from "~db/connection.server";
import { listAllRecoveryCodes } from "~db/repositories/second-factors.server";
import { hashPassword, verifyPassword } from "../passwords.server";

const COUNT = 10;
const LENGTH = 10;

/** Crockford's base32: no letters that are read as digits. Ten of them have 50 bits. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const newCode = () => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

const shown = (code: string) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Returns the code in a text as it is hashed, whichever way it was typed, or null when the text is none. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return code.length === LENGTH && [...code].every((sign) => ALPHABET.includes(sign)) ? code : null;
}

/** Returns ten new recovery codes with their hashes. Slow: must not be called inside a transaction. */
export async function makeRecoveryCodes(): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: COUNT }, newCode);
  return { codes: codes.map(shown), hashes: await Promise.all(codes.map(hashPassword)) };
}

/** Returns the recovery code of an account that was typed, used or not, or null. Slow: must not be called inside a transaction. */
export async function findRecoveryCode(db: DbOrTrx, userId: number, code: string): Promise<{ id: number } | null> {
  for (const row of await listAllRecoveryCodes(db, userId)) if (await verifyPassword(row.codeHash, code)) return row;
  return null;
}
