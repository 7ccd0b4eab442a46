import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { optional, wholeNumber } from "./env-values";

type AuthorityName = "root" | "root-g3" | `issuing-${string}`;

const isAuthority = (name: string): name is AuthorityName =>
  /^(root|root-g3|issuing-(sha2|g3)(-[a-z0-9]{1,7})?)$/.test(name);

const authorities = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names): names is AuthorityName[] => names.every(isAuthority), {
    message: "must be a comma list of names such as root, issuing-sha2, root-g3, issuing-g3, issuing-sha2-2031",
  });

/** Returns the first line of the file, or null when it is empty or the file cannot be read. */
function pinIn(file: string): string | null {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/)[0] || null;
  } catch {
    return null;
  }
}

/** Variables of a PKCS #11 token that contains CA keys. PKCS11_MODULE enables it. */
export const pkcs11Variables = {
  PKCS11_MODULE: optional(
    z.string().refine(existsSync, "must be the path of the PKCS #11 library of the token's maker"),
  ),
  PKCS11_TOKEN: optional(z.string()),
  PKCS11_PIN: optional(z.string()),
  PKCS11_PIN_FILE: optional(
    z.string().refine((file) => pinIn(file) !== null, "must be the path of a readable file with the PIN"),
  ),
  PKCS11_AUTHORITIES: optional(authorities),
  PKCS11_SESSIONS: optional(wholeNumber(1, 64)),
};

type Variables = { [Name in keyof typeof pkcs11Variables]?: z.infer<(typeof pkcs11Variables)[Name]> };

/** Checks rules that concern several of the variables. */
export function checkPkcs11(env: Variables, context: z.RefinementCtx): void {
  const problem = (name: keyof Variables, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  const { PKCS11_MODULE, PKCS11_TOKEN, PKCS11_PIN, PKCS11_PIN_FILE } = env;
  if (!PKCS11_MODULE) {
    const [others] = Object.keys(pkcs11Variables).filter((name) => env[name as keyof Variables] !== undefined);
    if (others) problem("PKCS11_MODULE", `is missing, but ${others} is set`);
    return;
  }
  if (!PKCS11_TOKEN) problem("PKCS11_TOKEN", "is missing: the label of the token");
  if (!PKCS11_PIN && !PKCS11_PIN_FILE)
    problem("PKCS11_PIN", "is missing: the user PIN, or PKCS11_PIN_FILE with its file");
  if (PKCS11_PIN && PKCS11_PIN_FILE) problem("PKCS11_PIN_FILE", "must be unset when PKCS11_PIN is set");
}

/** Returns the token that the checked variables describe, or undefined when all keys are files. */
export function pkcs11Of(env: Variables) {
  const { PKCS11_MODULE: module, PKCS11_TOKEN: label, PKCS11_PIN, PKCS11_PIN_FILE } = env;
  if (!module || !label) return undefined;
  return Object.freeze({
    module,
    label,
    pin: PKCS11_PIN ?? pinIn(PKCS11_PIN_FILE ?? "") ?? "",
    /** The authorities whose keys are in the token. The keys of the others are files. */
    authorities: env.PKCS11_AUTHORITIES ?? (["issuing-sha2", "issuing-g3"] as AuthorityName[]),
    /** By default one less than the size of Node's thread pool, so that a token that hangs does not block files and passwords. */
    sessions: env.PKCS11_SESSIONS ?? 3,
  });
}
