import { sha256Hex } from "~/ca/thumbprint.server";

/** What a person confirms to the signer with a factor. */
export interface Statement {
  purpose: "grant" | "offer";
  /** The user name of the person. */
  person: string;
  /** When the person was asked, as an ISO timestamp. */
  askedAt: string;
  /** The SHA-256 of each TBS certificate that is granted, or the id of the passkey that is offered. */
  about: readonly string[];
}

/** Returns the SHA-256 of a statement in lower-case hex. A passkey signs it as its challenge. */
export const hashOfStatement = ({ purpose, person, askedAt, about }: Statement): string =>
  sha256Hex(Buffer.from(["marque", purpose, person, askedAt, ...about].join("\n")));

/** Returns the challenge for a passkey in base64url (WebAuthn Level 3 §13.4.3). */
export const challengeOf = (statement: Statement): string =>
  Buffer.from(hashOfStatement(statement), "hex").toString("base64url");

const GROUPS = /.{4}/g;
const GROUPS_OF_ID = 5;

/**
 * Returns the id of a passkey at the signer: 80 bits of the SHA-256 of whose it is and of its public key, such as
 * `3f9c-2a1b-77aa-0192-ab34`. Whoever accepts the passkey compares the id with the one that its person reads out.
 */
export function passkeyId(person: string, credential: string, publicKey: string): string {
  const hash = sha256Hex(Buffer.from(["marque passkey", person, credential, publicKey].join("\n")));
  return (hash.match(GROUPS) ?? []).slice(0, GROUPS_OF_ID).join("-");
}
