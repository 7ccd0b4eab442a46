import { type KeyObject } from "node:crypto";
import { Command } from "commander";
import { askToType, YES } from "../ask";
import { operatorActor, OPERATOR, OPERATOR_OR_LOGIN } from "../operator";
import { timestamp, say, table } from "../output";
import { givePassphrase, newPassphrase, newShares, PASSPHRASE_FILE } from "../passphrases";
import { replaceStored } from "../secrets";
import { withDatabase } from "../with-database";
import { ceremonyCommand } from "./ca-ceremony";
import { addLifeCommands } from "./ca-life";

interface OperatorFlags {
  operator?: string;
  yes?: true;
}

interface RootFlags extends OperatorFlags {
  passphraseFile?: string;
}

async function create({ passphraseFile, operator }: RootFlags): Promise<void> {
  const { createAuthorities } = await import("~/domain/authorities/create.service.server");
  const { keyKindOf, passphraseOf } = await import("~/domain/authorities/passphrases.server");
  const { FIRST_AUTHORITIES } = await import("~/domain/authorities/catalogue");
  const { getEnv } = await import("~/lib/env.server");
  const actor = await operatorActor(operator);
  const inFiles = FIRST_AUTHORITIES.filter(({ name }) => !getEnv().pkcs11?.authorities.includes(name));
  if (inFiles.some(({ isRoot }) => isRoot)) await givePassphrase("root", passphraseFile);
  for (const { name } of inFiles) passphraseOf(keyKindOf(name)); // a missing one fails here, before key generation takes minutes
  const created = await createAuthorities({ actor, progress: say });
  say(created.length > 0 ? `Created ${created.join(", ")}` : "All CAs exist already.");
}

async function status(): Promise<void> {
  const { listRepository } = await import("~/domain/repository/repository.service.server");
  const { certificates, crossCertificates, lists } = await listRepository();
  if (certificates.length === 0)
    say("There is no CA yet: run 'npm run portal -- setup' or 'npm run portal -- ca create'.");
  for (const { name, subject, issuer, state, limits, validFrom, validUntil, sha256 } of [
    ...certificates,
    ...crossCertificates,
  ]) {
    say(`${name}: ${subject}`);
    if (issuer !== null) say(`  cross-certificate by ${issuer}`);
    say(`  ${state}`);
    for (const limit of limits) say(`  ${limit}`);
    say(`  valid ${timestamp(validFrom)} to ${timestamp(validUntil)}`);
    say(`  SHA-256 ${sha256}`);
  }
  const { listResponderEnds } = await import("~/domain/ocsp/responders.service.server");
  for (const { name, notAfter } of await listResponderEnds())
    say(`OCSP responder of ${name}: ${notAfter ? `until ${timestamp(notAfter)}` : "missing"}`);
  if (lists.length === 0) return;
  const rows = lists.map(({ file, current }) => [
    file,
    current ? String(current.number) : "missing",
    timestamp(current?.thisUpdate ?? null),
    timestamp(current?.nextUpdate ?? null),
    String(current?.entryCount ?? 0),
  ]);
  say("");
  say(table(["CRL", "NUMBER", "THIS UPDATE", "NEXT UPDATE", "ENTRIES"], rows));
}

async function publish({ roots = false, passphraseFile, operator }: RootFlags & { roots?: boolean }): Promise<void> {
  const { listAuthorities } = await import("~/domain/authorities/authorities.service.server");
  const { publishCrls } = await import("~/domain/authorities/publishing.service.server");
  const { getDb } = await import("~db/connection.server");
  const actor = await operatorActor(operator);
  const authorities = (await listAuthorities(getDb())).filter(({ isRoot }) => isRoot === roots);
  if (authorities.length === 0) throw new Error("There is no CA yet: run 'npm run portal -- setup'.");
  if (roots) await givePassphrase("root", passphraseFile);
  for (const { name } of authorities) {
    await publishCrls(name, new Date(), { allowRoot: roots, actor });
    say(`Published the CRLs of '${name}'`);
  }
}

async function exportRootCrl(name: string, file: string): Promise<void> {
  const { exportCrl } = await import("~/domain/authorities/crl-transfer.service.server");
  say(`Wrote CRL ${await exportCrl(name, file)} of '${name}' to ${file}`);
}

async function importRootCrl(name: string, file: string, { operator, yes }: OperatorFlags): Promise<void> {
  const { importCrl, listCasToBeRevoked } = await import("~/domain/authorities/crl-transfer.service.server");
  const actor = await operatorActor(operator);
  const revoked = (await listCasToBeRevoked(name, file)).map((one) => `'${one}'`).join(", ");
  if (revoked !== "" && !yes)
    await askToType("revoke", `The CRL revokes ${revoked}: nothing more is ever issued with it.`);
  const { number, entryCount, nextUpdate } = await importCrl(name, file, actor);
  say(`Published CRL ${number} of '${name}': entries: ${entryCount}, valid until ${timestamp(nextUpdate)}`);
}

async function passOverNumbers({ operator, yes }: OperatorFlags): Promise<void> {
  const { settleRestored } = await import("~/domain/backup/restored.service.server");
  const { inTransaction } = await import("~db/transaction.server");
  const actor = await operatorActor(operator);
  if (!yes)
    await askToType("end", "All sessions, links and tokens of this database end, and CRL numbers are passed over.");
  say(await inTransaction((trx) => settleRestored(trx, actor, "Restored the database from a copy.")));
  say("The issuing CAs' CRLs continue with numbers that no CRL after the copy can have.");
}

interface ChangeFlags extends RootFlags {
  operator: string;
  newPassphraseFile?: string;
  shares?: number;
  needed?: number;
  certificate: string[];
}

const WITHOUT_DATABASE =
  "On a machine of ceremonies, which needs no database, name the certificate of each root: --certificate FILE.";

/** Returns the public key of the certificate in a file. */
async function publicKeyIn(file: string): Promise<KeyObject> {
  const { readIssuer } = await import("~/ca/certificate/issuer.server");
  const { readDerFile } = await import("~/domain/authorities/der-file.server");
  return readIssuer(await readDerFile(file, "CERTIFICATE")).publicKey;
}

/** Changes the passphrase of roots where there is no database, and so no audit trail. */
async function changeWithoutDatabase(publicKeys: KeyObject[], next: string, operator: string): Promise<void> {
  const { changeRootPassphrase } = await import("~/domain/ceremony/keys.server");
  for (const file of await changeRootPassphrase(publicKeys, next)) say(`Changed the passphrase of ${file}`);
  say(
    `There is no audit trail here. Note with the records of the root: ${operator}, ${timestamp(new Date().toISOString())}.`,
  );
  say("Copies of these keys from before, such as in backups, still have the old passphrase.");
}

async function changePassphrase(kind: string, flags: ChangeFlags): Promise<void> {
  const change = await import("~/domain/authorities/change-passphrase.service.server");
  const { PASSPHRASE_VARIABLES } = await import("~/domain/authorities/passphrases.server");
  const { passphraseFile, newPassphraseFile, shares, needed } = flags;
  const chosen = change.CHANGEABLE_KINDS.find((one) => one === kind);
  if (!chosen) throw new Error(`The keys must be one of: ${change.CHANGEABLE_KINDS.join(", ")}.`);
  if ((shares === undefined) !== (needed === undefined)) throw new Error("--shares and --needed belong together.");
  if (shares !== undefined && newPassphraseFile !== undefined)
    throw new Error("A passphrase that is shared is made by this command: leave --new-passphrase-file out.");
  const actor = await operatorActor(flags.operator);
  if (flags.certificate.length > 0 && chosen !== "root") throw new Error("--certificate is for the keys of the roots.");
  const publicKeys = await Promise.all(flags.certificate.map(publicKeyIn));
  await givePassphrase(chosen, passphraseFile);
  const isShared = shares !== undefined && needed !== undefined;
  const next = isShared ? await newShares(shares, needed) : await newPassphrase(chosen, newPassphraseFile);
  if (publicKeys.length > 0) return changeWithoutDatabase(publicKeys, next, flags.operator);
  const names = await change.changePassphrase(chosen, next, actor);
  for (const name of names) say(`Changed the passphrase of the key of '${name}'`);
  const variable = PASSPHRASE_VARIABLES[chosen];
  if (await replaceStored(chosen, isShared ? null : next))
    say(isShared ? `Removed ${variable} from secrets.json.` : `Changed ${variable} in secrets.json, too.`);
  else if (!isShared)
    say(`Set ${variable} to the new passphrase before the next start, on every machine with these keys.`);
  say("Copies of these keys from before, such as in backups, still have the old passphrase.");
}

async function renewOcsp({ operator }: OperatorFlags): Promise<void> {
  const { listResponderEnds, renewResponders } = await import("~/domain/ocsp/responders.service.server");
  if ((await listResponderEnds()).length === 0) throw new Error("There is no CA yet: run 'npm run portal -- setup'.");
  const renewed = await renewResponders(new Date(), { force: true, actor: await operatorActor(operator) });
  if (renewed.length === 0) say("Another process has just made the keys and certificates of the OCSP responders.");
  for (const name of renewed) say(`Made a key and certificate for the OCSP responder of '${name}'`);
}

export function caCommand(): Command {
  const ca = new Command("ca").description("certificate authorities and CRLs").usage("COMMAND");
  ca.command("create")
    .description("create the two hierarchies; existing CAs are kept")
    .option(...PASSPHRASE_FILE)
    .option(...OPERATOR_OR_LOGIN)
    .action((flags: RootFlags) => withDatabase(() => create(flags)));
  ca.command("status")
    .description("show CAs, fingerprints, validity and latest CRLs")
    .action(() => withDatabase(status));
  ca.command("publish")
    .description("publish base and delta CRLs of the issuing CAs now")
    .option("--roots", "the CRLs of the roots instead; opens only the root keys")
    .option(...PASSPHRASE_FILE)
    .option(...OPERATOR_OR_LOGIN)
    .action((flags: RootFlags & { roots?: boolean }) => withDatabase(() => publish(flags)));
  ca.command("export-list")
    .argument("<name>", "root or root-g3")
    .argument("<file>", "where to write it, as DER")
    .description("write a root's latest CRL to a file, to be taken to the portal")
    .action((name: string, file: string) => withDatabase(() => exportRootCrl(name, file)));
  ca.command("import-list")
    .argument("<name>", "root or root-g3")
    .argument("<file>", "the CRL, DER or PEM")
    .description("check a root's CRL that was made elsewhere, and publish it")
    .option(...OPERATOR_OR_LOGIN)
    .option(...YES)
    .action((name: string, file: string, flags: OperatorFlags) => withDatabase(() => importRootCrl(name, file, flags)));
  ca.command("pass-over-numbers")
    .requiredOption(...OPERATOR)
    .description(
      "after a database was restored by its own tools: end its sessions, links and tokens, and give CRLs numbers above all that came after the copy",
    )
    .option(...YES)
    .action((flags: OperatorFlags) => withDatabase(() => passOverNumbers(flags)));
  ca.command("change-passphrase")
    .argument("<keys>", "root, or issuing for those of the issuing CAs")
    .description("encrypt the key files of the roots or of the issuing CAs with another passphrase")
    .requiredOption(...OPERATOR)
    .option(...PASSPHRASE_FILE)
    .option("--new-passphrase-file <file>", "the new one, in the same way; otherwise it is asked for on the terminal")
    .option("--shares <number>", "make a random passphrase and show it only as this many shares", Number)
    .option("--needed <number>", "how many of the shares open the keys", Number)
    .option(
      "--certificate <file>",
      "the certificate of a root whose key file is here, on a machine without a database; can be repeated",
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .action((keys: string, flags: ChangeFlags) =>
      flags.certificate.length > 0
        ? changePassphrase(keys, flags)
        : withDatabase(() => changePassphrase(keys, flags), keys === "root" ? WITHOUT_DATABASE : undefined),
    );
  ca.command("renew-ocsp")
    .description("give the OCSP responders new keys and certificates now; the service renews them by itself")
    .option(...OPERATOR_OR_LOGIN)
    .action((flags: OperatorFlags) => withDatabase(() => renewOcsp(flags)));
  addLifeCommands(ca);
  ca.addCommand(ceremonyCommand());
  return ca;
}
