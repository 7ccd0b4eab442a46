import { Command } from "commander";
import { type ChildReport } from "~/signer/protocol";
import { askToType, YES } from "../ask";
import { operatorActor, OPERATOR } from "../operator";
import { say, table, timestamp } from "../output";
import { givePassphrase, newPassphrase, PASSPHRASE_FILE } from "../passphrases";
import { replaceStored } from "../secrets";
import { withDatabase } from "../with-database";
import { addPeopleCommands, SIGNER_OPERATOR } from "./signer-people";

/** Reports to the portal that has started this signer. Returns false when nobody has, because an operator did. */
function report(state: ChildReport): boolean {
  if (!process.send) return false;
  if (process.connected) process.send(state);
  return true;
}

async function serve(): Promise<void> {
  const { getEnv } = await import("~/lib/env.server");
  const { FolderInUse, serveSigner } = await import("~/signer/serve.server");
  try {
    const places = await serveSigner(getEnv());
    if (report({ state: "listening" })) return;
    for (const place of places) say(`The signer listens on ${place}`);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!report(error instanceof FolderInUse ? { state: "in-use" } : { state: "failed", problem })) throw error;
    if (process.connected) process.disconnect(); // so that this process can end
    process.exitCode = 1;
  }
}

interface AdoptFlags {
  operator: string;
  yes?: boolean;
}

const PLANS = {
  file: "its key file is moved, its certificate is written",
  token: "its key stays on the token, its certificate is written",
  adopted: "its key is with the signer already, its certificate is written",
};

async function adopt({ operator, yes = false }: AdoptFlags): Promise<void> {
  const { adoptKeys, listKeysToAdopt } = await import("~/domain/authorities/adopt-keys.service.server");
  const { getEnv } = await import("~/lib/env.server");
  const actor = await operatorActor(operator);
  const { directory } = getEnv().signer;
  for (const { name, keyIs } of await listKeysToAdopt()) say(`${name}: ${PLANS[keyIs]}`);
  say(`The portal cannot sign with keys that are moved to ${directory} unless it reaches the signer. Stop it first.`);
  if (!yes) await askToType("yes", "The keys will be moved.");
  for (const { name, keyIs } of await adoptKeys(actor)) {
    if (keyIs === "file") say(`Moved the key of '${name}' to the signer`);
  }
  say(
    "Give the folder to the user of the signer, then start 'signer serve' with CA_PASSPHRASE and the portal without it.",
  );
}

async function status(): Promise<void> {
  const { askForState, signerPlace } = await import("~/domain/authorities/signer-client.server");
  const { authority, ceiling, issuers, journal, pinned } = await askForState();
  say(`The signer on ${signerPlace()} signs by this authority: ${authority}.`);
  say(`Certificates lead to ${pinned.repositoryUrl ?? "the addresses that the portal says: pin them with PUBLIC_URL"}`);
  say(`Certificates name ${pinned.policyOid ?? "the policy that the portal says: pin it with SIGNER_POLICY_OID"}`);
  say(`Certificates today: ${ceiling.used} of ${ceiling.perDay}, until ${timestamp(ceiling.until)}`);
  say(`Journal: line ${journal.number} of ${timestamp(journal.time)}, hash ${journal.hash}`);
  const rows = issuers.map(({ name, signed, lastCrlNumber, problem }) => [
    name,
    ...[signed.certificates, signed.responders, signed.crls].map(String),
    lastCrlNumber ?? "-",
    problem ?? "usable",
  ]);
  say(table(["CA", "CERTIFICATES", "RESPONDERS", "CRLS", "LAST CRL", "KEY"], rows));
}

async function verify(): Promise<void> {
  const { getEnv } = await import("~/lib/env.server");
  const { signerJournalFile } = await import("~/lib/signer-files.server");
  const { verifyJournal } = await import("~/signer/journal.server");
  const file = signerJournalFile(getEnv().signer.directory);
  const { head, torn } = await verifyJournal(file);
  if (head.number === 0) throw new Error(`${file} has no line.`);
  say(`The journal is sound. Lines: ${head.number}, hash ${head.hash}`);
  if (torn > 0) say(`Its last line is being written or was torn by a crash: ${torn} bytes.`);
}

interface PassphraseFlags {
  operator: string;
  passphraseFile?: string;
  newPassphraseFile?: string;
}

async function changePassphrase({ operator, passphraseFile, newPassphraseFile }: PassphraseFlags): Promise<void> {
  if (operator.trim() === "") throw new Error("--operator must not be empty.");
  const { findPassphrase, SHORTEST_PASSPHRASE } = await import("~/domain/authorities/passphrases.server");
  const { getEnv, requireSecret } = await import("~/lib/env.server");
  const { changeSignerPassphrase } = await import("~/signer/change-passphrase.server");
  await givePassphrase("issuing", passphraseFile);
  const present = requireSecret(findPassphrase("issuing"), "CA_PASSPHRASE");
  const next = await newPassphrase("issuing", newPassphraseFile);
  if (next.length < SHORTEST_PASSPHRASE)
    throw new Error(`The new passphrase must have ${SHORTEST_PASSPHRASE} characters or more.`);
  const names = await changeSignerPassphrase(getEnv().signer.directory, { present, next, operator: operator.trim() });
  for (const name of names) say(`Changed the passphrase of the key of '${name}'`);
  if (await replaceStored("issuing", next)) return say("Changed CA_PASSPHRASE in secrets.json, too.");
  say(
    "Set CA_PASSPHRASE of the signer to the new passphrase, then start it. Copies of the folder still have the old one.",
  );
}

export function signerCommand(): Command {
  const signer = new Command("signer")
    .description("the process that alone holds the keys of the issuing CAs")
    .usage("COMMAND");
  signer
    .command("serve")
    .description("run the signer on SIGNER_SOCKET or SIGNER_LISTEN until it is stopped; opens no database")
    .action(serve);
  signer
    .command("adopt")
    .description("move the keys of this portal's issuing CAs to SIGNER_DIR, with their certificates")
    .requiredOption(...OPERATOR)
    .option(...YES)
    .action((flags: AdoptFlags) => withDatabase(() => adopt(flags)));
  signer
    .command("change-passphrase")
    .description("encrypt the keys in SIGNER_DIR and the secrets of apps with another passphrase, while no signer runs")
    .requiredOption(...SIGNER_OPERATOR)
    .option(...PASSPHRASE_FILE)
    .option("--new-passphrase-file <file>", "the new one, in the same way; otherwise it is asked for on the terminal")
    .action(changePassphrase);
  signer
    .command("status")
    .description("ask the running signer for its CAs, ceiling, counters and the last line of its journal")
    .action(status);
  signer
    .command("verify")
    .description("verify every line of the journal in SIGNER_DIR; 'audit verify' compares it with the database")
    .action(verify);
  addPeopleCommands(signer);
  return signer;
}
