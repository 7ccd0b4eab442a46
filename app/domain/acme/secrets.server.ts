import { randomBytes } from "node:crypto";
import { open, seal } from "~/domain/accounts/factors/secret-box.server";
import { type AcmeKeyRow } from "~db/repositories/acme-accounts.server";

const contextOf = (id: number) => `acme ${id}`;

/** Returns random bytes as base64url. It never begins with a hyphen: on a command line, clients would take it for an option. */
function randomArgument(bytes: number): string {
  const text = randomBytes(bytes).toString("base64url");
  return text.startsWith("-") ? randomArgument(bytes) : text;
}

/** Returns a new MAC key of 256 random bits as base64url, the form in which clients take it. */
export const newMacKey = (): string => randomArgument(32);

/** Returns a new key identifier. It is no secret. */
export const newKeyId = (): string => randomArgument(15);

/** Returns the MAC key in the form in which it is stored. */
export const sealMacKey = (secret: string, id: number): string => seal(secret, contextOf(id));

/** Returns the bytes of the MAC key of a row. Throws an Error when none of AUDIT_KEYS opens it. */
export function macKeyOf({ id, secret }: Pick<AcmeKeyRow, "id" | "secret">): Buffer {
  const opened = open(secret, contextOf(id));
  if (opened === null) throw new Error("None of AUDIT_KEYS opens the secret of the ACME key. Make a new key.");
  return Buffer.from(opened, "base64url");
}
