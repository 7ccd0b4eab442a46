import { type KeyObject } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { CaError } from "~/ca/errors.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { getEnv } from "~/lib/env.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { listAuthorities } from "./authorities.service.server";
import { keyFolder, listWaitingKeys, openKeyText, readKeyFile, requireOwnKey, rewriteKey } from "./key-files.server";
import { keyKindOf, PASSPHRASE_VARIABLES, requireNewPassphrase } from "./passphrases.server";

/** The kinds of keys whose passphrase can be changed. Those of responders are replaced at the next start instead. */
export const CHANGEABLE_KINDS = ["root", "issuing"] as const;
export type ChangeableKind = (typeof CHANGEABLE_KINDS)[number];

const isWrongPassphrase = (error: unknown) => error instanceof CaError && error.code === "wrong-passphrase";

/** Returns the key of an authority, and whether the next passphrase opens its file already, as after an interrupted change. */
function openWithEither(name: AuthorityName, text: string, next: string): { key: KeyObject; isChanged: boolean } {
  try {
    return { key: openKeyText(name, text), isChanged: false };
  } catch (error) {
    if (!isWrongPassphrase(error)) throw error;
    try {
      return { key: openKeyText(name, text, next), isChanged: true };
    } catch {
      throw error;
    }
  }
}

/** Returns the key files of a kind, opened. Throws an Error when one does not belong to its certificate. */
async function openAll(kind: ChangeableKind, next: string) {
  const opened = [];
  for (const { name, certificate } of await listAuthorities(getDb())) {
    if (keyKindOf(name) !== kind) continue;
    const text = await readKeyFile(name);
    if (text === null) continue;
    const { key, isChanged } = openWithEither(name, text, next);
    requireOwnKey(name, key, readIssuer(certificate).publicKey);
    opened.push({ name, key, isChanged });
  }
  return opened;
}

/** Records what happens to the passphrases of these keys. */
const record = (
  names: readonly AuthorityName[],
  { event, what }: { event: string; what: string },
  actor: Actor,
  now: Date,
): Promise<void> =>
  inTransaction(async (trx) => {
    for (const name of names) {
      const message = `The passphrase of the key of '${name}' ${what}.`;
      await recordAudit(trx, { actor, event, message, reference: name }, now);
    }
  });

/**
 * Encrypts the key files of a kind with another passphrase. All files are opened before the first one is written, so a wrong passphrase
 * changes nothing. After an interruption, the same change can be made again: files that it has reached are left as they are. The audit
 * trail says before the first file is written what is being changed, so an interruption loses no entry.
 *
 * @param next The new passphrase.
 * @returns The names of the CAs whose key files were changed by this call.
 * @throws Error when a key of an issuing CA waits for its certificate, there is no such file, a key does not belong to its certificate, or the new passphrase is too short or one of those in
 *   use, and a CaError `wrong-passphrase` when the present passphrase does not open a key.
 */
export async function changePassphrase(
  kind: ChangeableKind,
  next: string,
  actor: Actor,
  now = new Date(),
): Promise<AuthorityName[]> {
  requireNewPassphrase(next);
  const [waiting] = kind === "issuing" ? await listWaitingKeys() : [];
  if (waiting)
    throw new Error(
      `${waiting} waits for its certificate with the present passphrase: run 'ca install', or remove the file, and repeat the command.`,
    );
  const opened = await openAll(kind, next);
  if (opened.length === 0) {
    const hint = kind === "issuing" && getEnv().signerWay ? " Use 'signer change-passphrase'." : "";
    throw new Error(`${keyFolder()} has no key file for which ${PASSPHRASE_VARIABLES[kind]} is.${hint}`);
  }
  const changed = opened.filter(({ isChanged }) => !isChanged);
  const names = changed.map(({ name }) => name);
  await record(names, { event: "authority.passphrase-changing", what: "is being changed" }, actor, now);
  for (const { name, key } of changed) await rewriteKey(name, key, next);
  await record(names, { event: "authority.passphrase-changed", what: "was changed" }, actor, now);
  return names;
}
