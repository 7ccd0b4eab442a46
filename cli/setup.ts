import { mkdir } from "node:fs/promises";
import { type NewAdministrator } from "~/domain/accounts/administration/administrators.service.server";
import { type AuthorityName } from "~db/tables";
import { ensureSecrets } from "./secrets";

const NO_CA =
  "No CA issues certificates. A portal for real use does not make one, because it must not have the keys of the roots: make a " +
  "request with 'npm run portal -- ca request', sign it with 'ca ceremony' elsewhere, and bring it in with 'ca install' (docs/ceremony.md).";

/**
 * Makes the folder of the keys of the signer that the portal starts itself. Later starts and commands know by this folder that the signer has
 * the keys, so it is made before the database.
 */
async function prepareOwnSigner(): Promise<void> {
  const { getEnv } = await import("~/lib/env.server");
  const { signerKeyFolder } = await import("~/lib/signer-files.server");
  const { startsSigner, signer } = getEnv();
  if (startsSigner) await mkdir(signerKeyFolder(signer.directory), { recursive: true, mode: 0o700 });
}

/** Moves the keys that a portal had before SIGNER_CHILD=yes to the signer that it starts itself. */
async function giveKeysToOwnSigner(say: (line: string) => void): Promise<void> {
  const { systemActor } = await import("~/domain/audit/audit.service.server");
  const { moveKeysToSigner } = await import("~/domain/authorities/adopt-keys.service.server");
  for (const name of await moveKeysToSigner(systemActor("set-up")))
    say(`Moved the key of '${name}' to the signer that the portal starts itself`);
}

async function createHierarchies(say: (line: string) => void): Promise<void> {
  const { createAuthorities, settleAuthorities } = await import("~/domain/authorities/create.service.server");
  const { findIssuer } = await import("~/domain/authorities/authorities.service.server");
  const { getConfig } = await import("~/lib/config.server");
  const { getEnv } = await import("~/lib/env.server");
  const { getDb } = await import("~db/connection.server");
  if (getEnv().startsSigner) await giveKeysToOwnSigner(say);
  if (getEnv().isForRealUse) {
    if (!(await findIssuer(getDb(), getConfig().certificates.hierarchy))) throw new Error(NO_CA);
    return settleAuthorities();
  }
  const created = await createAuthorities({ progress: say });
  await settleAuthorities();
  const isInFile = (name: AuthorityName) => !getEnv().pkcs11?.authorities.includes(name);
  if (created.some((name) => (name === "root" || name === "root-g3") && isInFile(name))) {
    say(
      "Warning: these CAs are for a trial. Their root keys lie in DATA_DIR/ca on this machine; nobody has to trust them.",
    );
  }
}

/** Creates the OCSP responders of the issuing CAs. The running service renews them. */
async function createResponders(say: (line: string) => void): Promise<void> {
  const { renewResponders } = await import("~/domain/ocsp/responders.service.server");
  for (const name of await renewResponders(new Date(), { opensKeys: true }))
    say(`Made a certificate for the OCSP responder of '${name}'`);
}

/** Signs the first checkpoint of the audit trail. */
async function beginTrail(): Promise<void> {
  const { verifyAndSign } = await import("~/domain/audit/checkpoint.service.server");
  const { findLastCheckpoint } = await import("~db/repositories/audit-chain.server");
  const { getDb } = await import("~db/connection.server");
  if (!(await findLastCheckpoint(getDb()))) await verifyAndSign();
}

/**
 * Publishes every CRL that does not exist yet, also those of the roots in a trial. The running service keeps the CRLs of the issuing CAs
 * current.
 */
async function publishMissingCrls(say: (line: string) => void): Promise<void> {
  const { listAuthorities } = await import("~/domain/authorities/authorities.service.server");
  const { publishCrls } = await import("~/domain/authorities/publishing.service.server");
  const { findLatestCrlSummary } = await import("~db/repositories/crls.server");
  const { getEnv } = await import("~/lib/env.server");
  const { getDb } = await import("~db/connection.server");
  const { isForRealUse } = getEnv();
  for (const { id, name, isRoot } of await listAuthorities(getDb())) {
    const base = await findLatestCrlSummary(getDb(), id, false);
    const delta = isRoot ? base : await findLatestCrlSummary(getDb(), id, true);
    if (base && delta) continue;
    if (isRoot && isForRealUse) {
      say(`Warning: There is no CRL of '${name}' yet. Make it where the key of the root is, then 'ca import-list'.`);
      continue;
    }
    await publishCrls(name, new Date(), { allowRoot: true });
    say(`Published the first CRLs of '${name}'`);
  }
}

/**
 * Adds the test keys that are part of the product to the known bad keys. Prints a warning when a list is missing that only an operator can
 * import.
 */
async function listBadKeys(say: (line: string) => void): Promise<void> {
  const { listPublishedKeys, missingListNotice } = await import("~/domain/keys/published-keys.service.server");
  const added = await listPublishedKeys();
  if (added > 0) say(`Listed ${added} published test keys, which are refused in requests`);
  const notice = await missingListNotice();
  if (notice !== null) say(`Warning: ${notice}`);
}

/**
 * Creates what a first start needs: data folder, secrets, database, CA hierarchies, CRLs, OCSP responders and an administrator. Keeps what
 * exists. Reports its steps to `say`. Returns the administrator it created, or null. Closes the database.
 */
export async function setupPortal(say: (line: string) => void): Promise<NewAdministrator | null> {
  await ensureSecrets(say);
  await prepareOwnSigner();
  const { getConfig } = await import("~/lib/config.server");
  getConfig(); // a wrong configuration stops the set-up here, before anything is made from it
  const { checkBreachedPasswords } = await import("~/domain/accounts/breached-passwords.server");
  await checkBreachedPasswords();
  const { endOwnSigner } = await import("~/domain/authorities/own-signer.server");
  const { closeDb, getConnection } = await import("~db/connection.server");
  const { migrateToLatest } = await import("~db/migrate.server");
  const { checkFirstPassword, createFirstAdministrator } =
    await import("~/domain/accounts/administration/administrators.service.server");
  try {
    for (const name of await migrateToLatest(getConnection())) say(`Ran database migration ${name}`);
    await checkFirstPassword();
    await createHierarchies(say);
    await publishMissingCrls(say);
    await createResponders(say);
    const administrator = await createFirstAdministrator(process.stdout.isTTY);
    await beginTrail();
    await listBadKeys(say);
    return administrator;
  } finally {
    await endOwnSigner();
    await closeDb();
  }
}
