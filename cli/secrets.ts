import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { keyFolderIn } from "~/lib/data-files.server";
import { parseEnv, readStoredSecrets, requireRealUse } from "~/lib/env.server";
import { signerKeyFolder } from "~/lib/signer-files.server";

/** Returns whether a folder holds keys of CAs whose files begin with this. */
const hasKeys = (directory: string, beginning: "root" | "issuing") => {
  const isKey = (file: string) => file.startsWith(beginning) && file.endsWith(".key.pem");
  return existsSync(directory) && readdirSync(directory).some(isKey);
};

const hasTrail = (dataDir: string) => existsSync(join(dataDir, "audit"));

const STORED = { root: "rootPassphrase", issuing: "caPassphrase" } as const;

/**
 * Replaces a passphrase that a trial keeps in secrets.json, or removes it. Returns false when the passphrase is set as a variable, or
 * nothing is stored.
 */
export async function replaceStored(kind: keyof typeof STORED, passphrase: string | null): Promise<boolean> {
  const { dataDir } = parseEnv(process.env);
  const { PASSPHRASE_VARIABLES } = await import("~/domain/authorities/passphrases.server");
  const stored = readStoredSecrets(dataDir);
  if (!stored || process.env[PASSPHRASE_VARIABLES[kind]]) return false;
  const { [STORED[kind]]: _, ...others } = stored;
  const secrets = { ...others, ...(passphrase !== null && { [STORED[kind]]: passphrase }) };
  await writeFileAtomically(join(dataDir, "secrets.json"), `${JSON.stringify(secrets, null, 2)}\n`);
  return true;
}

/**
 * Creates DATA_DIR. Generates the secrets that are set neither as variables nor in DATA_DIR/secrets.json into this file. Must be called
 * before anything reads the environment. Throws an Error when new secrets could make existing keys unusable or begin a second audit chain,
 * and a ConfigError when the portal is for real use and needs variables that are not set, or has what opens the keys of the roots.
 */
export async function ensureSecrets(say: (line: string) => void): Promise<void> {
  const env = parseEnv(process.env);
  const { keysForElsewhere } = await import("~/domain/authorities/key-files.server");
  requireRealUse(env, await keysForElsewhere(env));
  const { dataDir, isForRealUse, sessionSecrets, rootPassphrase, caPassphrase, responderPassphrase, auditKeys } = env;
  const keyFolder = keyFolderIn(dataDir);
  const needsIssuing = !caPassphrase && env.needsCaPassphrase;
  // Root keys that are there already have a passphrase that only their operator knows.
  const needsRoot = !rootPassphrase && !isForRealUse && !hasKeys(keyFolder, "root");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (sessionSecrets && !needsRoot && !needsIssuing && responderPassphrase && auditKeys) return;
  const file = join(dataDir, "secrets.json");
  const stored = readStoredSecrets(dataDir);
  if (existsSync(file) && !stored) {
    throw new Error(
      `${file} cannot be used. Repair it, or set SESSION_SECRETS, ROOT_PASSPHRASE, CA_PASSPHRASE, RESPONDER_PASSPHRASE and AUDIT_KEYS; it is not overwritten.`,
    );
  }
  const locked = [keyFolder, signerKeyFolder(env.signer.directory)].find((folder) => hasKeys(folder, "issuing"));
  if (needsIssuing && locked !== undefined)
    throw new Error(`CA_PASSPHRASE is missing, but ${locked} holds keys that need it. Set it.`);
  if (!auditKeys && hasTrail(dataDir)) {
    throw new Error(`AUDIT_KEYS is missing, but ${join(dataDir, "audit")} belongs to a sealed audit trail. Set it.`);
  }
  const secret = () => randomBytes(32).toString("base64url");
  const made = {
    ...(!sessionSecrets && { SESSION_SECRETS: { sessionSecrets: [secret()] } }),
    ...(needsRoot && { ROOT_PASSPHRASE: { rootPassphrase: secret() } }),
    ...(needsIssuing && { CA_PASSPHRASE: { caPassphrase: secret() } }),
    ...(!responderPassphrase && { RESPONDER_PASSPHRASE: { responderPassphrase: secret() } }),
    ...(!auditKeys && { AUDIT_KEYS: { auditKeys: [secret()] } }),
  };
  const secrets = Object.assign({}, stored, ...Object.values(made)) as object;
  await writeFileAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`, { exclusive: !stored });
  say(`Warning: These secrets were not set and have been generated into ${file}: ${Object.keys(made).join(", ")}`);
  say(
    "Warning: This is fine for a trial. For production, set them as variables, from a store that is not on this disk.",
  );
}
