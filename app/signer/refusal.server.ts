import { type ProblemCode } from "./protocol";

/** Why the signer does not do what was asked. The message is a sentence for people. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly code: ProblemCode,
    message: string,
  ) {
    super(message);
  }
}

/** Throws a Refusal `refused` with this sentence unless the rule holds. */
export function requireRule(holds: boolean, sentence: string): void {
  if (!holds) throw new Refusal("refused", sentence);
}
