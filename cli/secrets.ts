import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { parseEnv } from "~/lib/env.server";

const hasKeys = (dataDir: string) => {
  const directory = join(dataDir, "ca");
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".key.pem"));
};

/**
 * Makes DATA_DIR and, when SESSION_SECRETS or CA_PASSPHRASE is set neither there nor as variable, generates them into
 * DATA_DIR/secrets.json. Call it before anything asks for the environment. Throws Error when that could lock existing keys out.
 */
export async function ensureSecrets(say: (line: string) => void): Promise<void> {
  const { dataDir, sessionSecrets, caPassphrase } = parseEnv(process.env);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (sessionSecrets && caPassphrase) return;
  const file = join(dataDir, "secrets.json");
  if (existsSync(file)) {
    throw new Error(
      `${file} cannot be used. Repair it, or set SESSION_SECRETS and CA_PASSPHRASE; it is not overwritten.`,
    );
  }
  if (!caPassphrase && hasKeys(dataDir)) {
    throw new Error(`CA_PASSPHRASE is missing, but ${join(dataDir, "ca")} holds keys that need it. Set it.`);
  }
  const secret = () => randomBytes(32).toString("base64url");
  const secrets = { sessionSecrets: [secret()], caPassphrase: secret() };
  await writeFileAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`, { exclusive: true });
  say(`Warning: SESSION_SECRETS or CA_PASSPHRASE is not set. Generated them into ${file}:`);
  say("Warning: good for a trial. For production set them as variables, from a store that is not on this disk.");
}
