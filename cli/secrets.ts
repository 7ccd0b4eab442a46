import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { parseEnv, readStoredSecrets, requireRealUse } from "~/lib/env.server";

const hasKeys = (dataDir: string) => {
  const directory = join(dataDir, "ca");
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".key.pem"));
};

const hasTrail = (dataDir: string) => existsSync(join(dataDir, "audit"));

/**
 * Creates DATA_DIR. Generates SESSION_SECRETS, CA_PASSPHRASE and AUDIT_KEYS into DATA_DIR/secrets.json, if they are set neither there nor
 * as variables. Must be called before anything reads the environment. Throws an Error when new secrets could make existing keys unusable or
 * begin a second audit chain, and a ConfigError when the portal is for real use and needs variables that are not set.
 */
export async function ensureSecrets(say: (line: string) => void): Promise<void> {
  const env = parseEnv(process.env);
  requireRealUse(env);
  const { dataDir, sessionSecrets, caPassphrase, auditKeys } = env;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (sessionSecrets && caPassphrase && auditKeys) return;
  const file = join(dataDir, "secrets.json");
  const stored = readStoredSecrets(dataDir);
  if (existsSync(file) && !stored) {
    throw new Error(
      `${file} cannot be used. Repair it, or set SESSION_SECRETS, CA_PASSPHRASE and AUDIT_KEYS; it is not overwritten.`,
    );
  }
  if (!caPassphrase && hasKeys(dataDir)) {
    throw new Error(`CA_PASSPHRASE is missing, but ${join(dataDir, "ca")} holds keys that need it. Set it.`);
  }
  if (!auditKeys && hasTrail(dataDir)) {
    throw new Error(`AUDIT_KEYS is missing, but ${join(dataDir, "audit")} belongs to a sealed audit trail. Set it.`);
  }
  const secret = () => randomBytes(32).toString("base64url");
  const made = {
    ...(!sessionSecrets && { SESSION_SECRETS: { sessionSecrets: [secret()] } }),
    ...(!caPassphrase && { CA_PASSPHRASE: { caPassphrase: secret() } }),
    ...(!auditKeys && { AUDIT_KEYS: { auditKeys: [secret()] } }),
  };
  const secrets = Object.assign({}, stored, ...Object.values(made)) as object;
  await writeFileAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`, { exclusive: !stored });
  say(`Warning: These secrets were not set and have been generated into ${file}: ${Object.keys(made).join(", ")}`);
  say(
    "Warning: This is fine for a trial. For production, set them as variables, from a store that is not on this disk.",
  );
}
