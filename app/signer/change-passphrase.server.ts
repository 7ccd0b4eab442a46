import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { CaError } from "~/ca/errors.server";
import { decryptPrivateKey, encryptPrivateKey } from "~/ca/keys.server";
import { readIfThere, writeFileAtomically } from "~/lib/atomic-file.server";
import { signerCertificateFile, signerKeyFile, signerOperatorSocket } from "~/lib/signer-files.server";
import { AppSecrets } from "./app-secrets.server";
import { Books } from "./books.server";
import { listIssuerNames } from "./issuers.server";
import { listenOnSocket } from "./listen.server";

const isWrong = (error: unknown): boolean => error instanceof CaError && error.code === "wrong-passphrase";

/** Opens a key with the present passphrase, or with the next one when an interrupted change has reached its file. */
function openKey(file: string, text: string, present: string, next: string): { key: KeyObject; isChanged: boolean } {
  try {
    return { key: decryptPrivateKey(text, present), isChanged: false };
  } catch (error) {
    if (!isWrong(error)) throw error;
  }
  try {
    return { key: decryptPrivateKey(text, next), isChanged: true };
  } catch (error) {
    throw isWrong(error) ? new CaError("wrong-passphrase", `The present passphrase does not open ${file}.`) : error;
  }
}

const PEM = "-----BEGIN";

async function openKeys(directory: string, present: string, next: string) {
  const opened = [];
  for (const name of await listIssuerNames(directory)) {
    const file = signerKeyFile(directory, name);
    const text = (await readIfThere(file))?.toString();
    if (text === undefined) continue; // its key is on a token
    const { key, isChanged } = openKey(file, text, present, next);
    const { publicKey } = readIssuer(await readFile(signerCertificateFile(directory, name)));
    if (!createPublicKey(key).equals(publicKey))
      throw new Error(`The key ${file} does not belong to the certificate of its CA.`);
    const head = text.slice(0, text.indexOf(PEM)); // says whose key it is
    opened.push({ name, file, head, key, isChanged });
  }
  return opened;
}

/**
 * Encrypts the keys in the folder of the signer and the secrets of its authenticator apps with another passphrase, while no signer runs. All
 * files are opened before the first one is written, so a wrong passphrase changes nothing. After an interruption the same change can be made
 * again. A line of the journal says who did it.
 *
 * @returns The names of the CAs whose keys were changed by this call.
 * @throws Error when a signer runs, a key does not belong to its certificate, or there is no key file, and a CaError `wrong-passphrase` that
 *   names the file.
 */
export async function changeSignerPassphrase(
  directory: string,
  { present, next, operator }: { present: string; next: string; operator: string },
  now = new Date(),
): Promise<string[]> {
  const lock = createServer();
  await listenOnSocket(lock, signerOperatorSocket(directory), 0o600).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Stop the signer first: ${directory} is in use. (${why})`);
  });
  try {
    const keys = await openKeys(directory, present, next);
    if (keys.length === 0) throw new Error(`${directory} has no key file.`);
    const secrets = await AppSecrets.open(directory, present, next);
    const changed = keys.filter(({ isChanged }) => !isChanged);
    const names = changed.map(({ name }) => name);
    const books = new Books(directory);
    await books.add({ kind: "passphrase-changed", by: `operator ${operator}`, names }, await books.open(), now);
    await secrets.encryptAgain(next);
    for (const { file, head, key } of changed)
      await writeFileAtomically(file, head + (await encryptPrivateKey(key, next, randomBytes)));
    await (await books.open()).journal.close();
    return names;
  } finally {
    lock.close();
  }
}
