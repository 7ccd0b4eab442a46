import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { readIfThere, syncDirectory, writeFileAtomically } from "~/lib/atomic-file.server";
import { getEnv } from "~/lib/env.server";
import { signerCertificateFile, signerKeyFile, signerKeyFolder } from "~/lib/signer-files.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { type Authority, listAuthorities } from "./authorities.service.server";
import {
  isKeyOfRoot,
  keyFile,
  keyFolder,
  listWaitingKeys,
  openKeyText,
  readKeyFile,
  requireOwnKey,
} from "./key-files.server";

/** What the signer gets of an issuing CA: its key file, or only its certificate when its key is on a token or with the signer already. */
export interface KeyToAdopt {
  name: AuthorityName;
  keyIs: "file" | "token" | "adopted";
}

async function listIssuing(): Promise<Authority[]> {
  const issuing = (await listAuthorities(getDb())).filter(({ isRoot }) => !isRoot);
  if (issuing.length === 0) throw new Error("There is no issuing CA yet: run 'npm run portal -- setup' first.");
  return issuing;
}

async function keyToAdopt({ name }: Authority): Promise<KeyToAdopt> {
  const { pkcs11, signer } = getEnv();
  if (pkcs11?.authorities.includes(name)) return { name, keyIs: "token" };
  if ((await readKeyFile(name)) !== null) return { name, keyIs: "file" };
  if (await readIfThere(signerKeyFile(signer.directory, name))) return { name, keyIs: "adopted" };
  throw new Error(`The key of '${name}' is neither in ${keyFolder()} nor in ${signer.directory}. Put it back first.`);
}

/** Returns what `adoptKeys` would do. Throws an Error when a key is missing. */
export const listKeysToAdopt = async (): Promise<KeyToAdopt[]> => Promise.all((await listIssuing()).map(keyToAdopt));

/** Writes a file of the signer. A file that is there must have the same contents, so that nothing is overwritten. */
async function place(file: string, contents: Uint8Array): Promise<void> {
  const found = await readIfThere(file);
  if (found === null) return writeFileAtomically(file, contents, { exclusive: true });
  if (!found.equals(contents)) throw new Error(`${file} exists with other contents. Nothing was overwritten.`);
}

/** Moves the key file of an issuing CA and writes the certificate of the CA. Returns false when the portal has no such file. */
async function moveKey({ name, certificate }: Authority, directory: string, actor: Actor, now: Date): Promise<boolean> {
  const text = await readKeyFile(name);
  if (text === null) return false;
  requireOwnKey(name, openKeyText(name, text), readIssuer(certificate).publicKey);
  await place(signerCertificateFile(directory, name), certificate);
  await place(signerKeyFile(directory, name), Buffer.from(text));
  const message = `The key of '${name}' was moved to the signer.`;
  await inTransaction((trx) =>
    recordAudit(trx, { actor, event: "authority.key-moved", message, reference: name }, now),
  );
  await rm(keyFile(name)); // only now that the copy is on the disk
  await syncDirectory(keyFolder());
  return true;
}

/** Moves the keys of issuing CAs that wait for their certificates. They wait under the same names at the signer. */
async function moveWaitingKeys(directory: string): Promise<void> {
  for (const file of await listWaitingKeys()) {
    const name = basename(file);
    if (isKeyOfRoot(name)) continue;
    await place(join(signerKeyFolder(directory), name), await readFile(file));
    await rm(file);
  }
}

/**
 * Moves the key files of the issuing CAs that the portal still has to the folder of the signer, with the certificates, and the keys that
 * wait for theirs. A file of a CA whose key is on a token stays. Each key is opened and compared with its certificate first, and a file is
 * removed only when its copy is on the disk. Can be repeated after an interruption.
 *
 * @returns The names of the CAs whose keys were moved.
 * @throws Error when a key does not belong to its certificate, or would replace another file, and a CaError `wrong-passphrase`.
 */
export async function moveKeysToSigner(actor: Actor, now = new Date()): Promise<AuthorityName[]> {
  const { pkcs11, signer } = getEnv();
  const { directory } = signer;
  const moved: AuthorityName[] = [];
  await moveWaitingKeys(directory);
  for (const authority of await listAuthorities(getDb())) {
    const isOnToken = pkcs11?.authorities.includes(authority.name) ?? false;
    if (!authority.isRoot && !isOnToken && (await moveKey(authority, directory, actor, now)))
      moved.push(authority.name);
  }
  return moved;
}

/**
 * Gives the signer every issuing CA: moves keys as `moveKeysToSigner` does, and writes the certificates of those whose keys stay where they
 * are. Can be repeated after an interruption.
 *
 * @returns What was done for each CA.
 * @throws Error when a key is missing, and what `moveKeysToSigner` throws.
 */
export async function adoptKeys(actor: Actor, now = new Date()): Promise<KeyToAdopt[]> {
  const { directory } = getEnv().signer;
  const keys = await listKeysToAdopt();
  await moveKeysToSigner(actor, now);
  for (const { name, certificate } of await listIssuing())
    await place(signerCertificateFile(directory, name), certificate);
  return keys;
}
