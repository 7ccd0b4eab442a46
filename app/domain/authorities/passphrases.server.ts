import { ConfigError } from "~/lib/config-error";
import { getEnv, requireSecret } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type AuthorityName } from "~db/tables";
import { isRootName } from "./catalogue";

/** The kinds of keys, each with a passphrase of its own. */
export const KEY_KINDS = ["root", "issuing", "responder"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The variable with the passphrase of each kind of keys. */
export const PASSPHRASE_VARIABLES = {
  root: "ROOT_PASSPHRASE",
  issuing: "CA_PASSPHRASE",
  responder: "RESPONDER_PASSPHRASE",
} as const satisfies Record<KeyKind, string>;

/** Returns the kind of an authority's key. */
export const keyKindOf = (name: AuthorityName): "root" | "issuing" => (isRootName(name) ? "root" : "issuing");

/** The shortest passphrase of keys, in characters. */
export const SHORTEST_PASSPHRASE = 12;

/** The passphrases that somebody has typed for this process. */
const typed = memoize(() => new Map<KeyKind, string>());

/** Uses a passphrase that was typed, instead of the variable, until the process ends. */
export const takePassphrase = (kind: KeyKind, passphrase: string): void => void typed().set(kind, passphrase);

/** Returns the passphrase of a kind of keys, or undefined when nobody has given it. */
export function findPassphrase(kind: KeyKind): string | undefined {
  const { rootPassphrase, caPassphrase, responderPassphrase } = getEnv();
  return typed().get(kind) ?? { root: rootPassphrase, issuing: caPassphrase, responder: responderPassphrase }[kind];
}

const ROOT_MISSING =
  "ROOT_PASSPHRASE is missing, which opens the keys of the roots: set it, or name a file with --passphrase-file. " +
  "Roots of an earlier version have CA_PASSPHRASE until 'ca change-passphrase root' gives them their own";

/** Returns the passphrase of a kind of keys. Throws a ConfigError that names the variable when nobody has given it. */
export function passphraseOf(kind: KeyKind): string {
  const found = findPassphrase(kind);
  if (found === undefined && kind === "root") throw new ConfigError([ROOT_MISSING]);
  return requireSecret(found, PASSPHRASE_VARIABLES[kind]);
}

/** Throws an Error when a new passphrase is too short, or is one of those in use. */
export function requireNewPassphrase(next: string): void {
  if (next.length < SHORTEST_PASSPHRASE)
    throw new Error(`The new passphrase must have ${SHORTEST_PASSPHRASE} characters or more.`);
  for (const kind of KEY_KINDS)
    if (next === findPassphrase(kind))
      throw new Error(`The new passphrase must differ from ${PASSPHRASE_VARIABLES[kind]}.`);
}
