import { randomInt } from "node:crypto";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { insertFreeCode } from "~db/repositories/codes.server";
import { type CodeType, type NewRow } from "~db/tables";

/** The letters I and O are missing, because they look like 1 and 0 (COD-02). */
const SYMBOLS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const NOT_OFTP = SYMBOLS.replace("X", "");

type Choose = (choices: string) => string;
const atRandom: Choose = (choices) => choices.charAt(randomInt(choices.length));

/** Draws a code of four characters. Codes for OFTP begin with X, and no others do (COD-02). */
export function drawCode(codeType: CodeType, choose: Choose = atRandom): string {
  const first = codeType === "OFTP" ? "X" : choose(NOT_OFTP);
  return first + choose(SYMBOLS) + choose(SYMBOLS) + choose(SYMBOLS);
}

/** With nine of ten codes in use, one in 10^22 registrations would miss a free code this many times. */
const DRAWS = 500;

/**
 * Stores a code with four characters that no code has ever had. Returns its id and the characters. Throws a PortalError when no free code
 * was found.
 *
 * @param draw Returns a code to try.
 */
export async function insertWithNewCode(
  trx: Trx,
  rowOf: (code: string) => Promise<NewRow<"codes">>,
  draw: () => string,
): Promise<{ id: number; code: string }> {
  for (let tries = 0; tries < DRAWS; tries += 1) {
    const code = draw();
    const id = await insertFreeCode(trx, await rowOf(code));
    if (id !== null) return { id, code };
  }
  throw new PortalError("No code of this type is left.", { code: "codes.exhausted", status: 503 });
}
