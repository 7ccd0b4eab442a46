import { malformed } from "../der.server";
import { CaError } from "../errors.server";
import { type CsrReadFailure } from "./input.server";

/** Thrown while a CSR is read. `readCsr` catches it, so it never reaches other code. */
export class UnreadableCsr extends Error {
  override readonly name = "UnreadableCsr";

  constructor(readonly failure: CsrReadFailure) {
    super(failure.message);
  }
}

const ADVICE = "Create the CSR again with up-to-date software, for example openssl or keytool.";

/** Returns the error for a part of the CSR that breaks a rule. The message names both without repeating the contents. */
export const unreadable = (
  code: "malformed" | "repeated" | "too-many",
  part: string,
  rule: string,
  advice = ADVICE,
): UnreadableCsr => new UnreadableCsr({ ok: false, code, message: `CSR, ${part}: ${rule}. ${advice}` });

/** Returns the result of reading this part. Turns errors about DER encoding or structure into an UnreadableCsr that names the part. */
export function readingPart<T>(part: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableCsr) throw error;
    const { message } = error instanceof CaError ? error : malformed("not of the expected structure");
    throw unreadable("malformed", part, message.replace(/^M/, "m").replace(/\.$/, ""));
  }
}
