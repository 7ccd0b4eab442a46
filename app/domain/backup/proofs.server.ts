import { readIssuer } from "~/ca/certificate/issuer.server";
import { CaError } from "~/ca/errors.server";
import { problemText } from "~/domain/audit/problems";
import { verifyTrail } from "~/domain/audit/verify.service.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { openKeyText, readKeyFile, requireOwnKey } from "~/domain/authorities/key-files.server";
import { findPassphrase, keyKindOf, PASSPHRASE_VARIABLES } from "~/domain/authorities/passphrases.server";
import { readIfThere } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { signerFolderIn, signerKeyFile } from "~/lib/signer-files.server";
import { type Trx } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";

/** How to give the secrets that a backup does not contain. */
export const GIVE_SECRETS =
  "A backup does not contain secrets. Set the variables that the portal had, or name a copy of its secrets.json with --secrets FILE.";

/** Throws an Error when a secret is missing without which nothing of a restored copy could be trusted. */
export function requireSecrets(): void {
  if (!getEnv().auditKeys) throw new Error(`AUDIT_KEYS is missing, which seals the audit trail. ${GIVE_SECRETS}`);
}

/** Returns the text of the key file of an authority, which the portal had or its signer in DATA_DIR. Returns null when there is none. */
async function readCopiedKey(name: AuthorityName): Promise<string | null> {
  const atSigner = signerKeyFile(signerFolderIn(getEnv().dataDir), name);
  return (await readKeyFile(name)) ?? (await readIfThere(atSigner))?.toString() ?? null;
}

/**
 * Opens each CA key that was restored as a file and compares it with its CA's certificate. Returns a sentence for each CA. Throws an Error
 * when the passphrase is missing or does not open a key, or when a key belongs to another CA.
 */
export async function proveKeys(trx: Trx): Promise<string[]> {
  const proved: string[] = [];
  for (const { name, certificate } of await listAuthorities(trx)) {
    const text = getEnv().pkcs11?.authorities.includes(name) ? null : await readCopiedKey(name);
    if (text === null) {
      proved.push(`The key of '${name}' is not in the backup: it is on a token or kept elsewhere.`);
      continue;
    }
    const variable = PASSPHRASE_VARIABLES[keyKindOf(name)];
    if (findPassphrase(keyKindOf(name)) === undefined)
      throw new Error(`${variable} is missing, which opens the key of '${name}'. ${GIVE_SECRETS}`);
    try {
      requireOwnKey(name, openKeyText(name, text), readIssuer(certificate).publicKey);
    } catch (error) {
      if (!(error instanceof CaError && error.code === "wrong-passphrase")) throw error;
      throw new Error(`${variable} does not open the key of '${name}': it is not the one that the portal had.`);
    }
    proved.push(`${variable} opens the key of '${name}', and it belongs to its certificate.`);
  }
  return proved;
}

/** Verifies the audit trail of the current database. Returns its state in a sentence and each problem. */
export async function proveTrail(): Promise<{ state: string; problems: string[] }> {
  const problems: string[] = [];
  const { entries, checkpoints } = await verifyTrail({ onProblem: (problem) => problems.push(problemText(problem)) });
  const seen = `Entries: ${entries}, checkpoints: ${checkpoints}`;
  const state =
    problems.length === 0
      ? `The audit trail is sound. ${seen}.`
      : `The audit trail is not sound. ${seen}, problems: ${problems.length}.`;
  return { state, problems };
}
