import { malformed } from "../der.server";
import { CaError } from "../errors.server";
import { type CsrReadFailure } from "./input.server";

/** Thrown while a CSR is read, and caught by `readCsr`: never leaves it. */
export class UnreadableCsr extends Error {
  override readonly name = "UnreadableCsr";

  constructor(readonly failure: CsrReadFailure) {
    super(failure.message);
  }
}

const ADVICE = "Create the CSR again with up-to-date software, for example openssl or keytool.";

/** A part of the CSR breaks a rule; both are named without repeating what is in it. */
export const unreadable = (
  code: "malformed" | "repeated" | "too-many",
  part: string,
  rule: string,
  advice = ADVICE,
): UnreadableCsr => new UnreadableCsr({ ok: false, code, message: `CSR, ${part}: ${rule}. ${advice}` });

/** The result of reading this part; what breaks an encoding rule of DER or a structure on the way is said of the part. */
export function readingPart<T>(part: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableCsr) throw error;
    const { message } = error instanceof CaError ? error : malformed("not of the expected structure");
    throw unreadable("malformed", part, message.replace(/^M/, "m").replace(/\.$/, ""));
  }
}
