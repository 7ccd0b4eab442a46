import { Command } from "commander";
import { type AskPassphrase } from "~/domain/ceremony/keys.server";
import { type CeremonyTalk } from "~/domain/ceremony/run.service.server";
import { version } from "../../package.json";
import { askLine, endAsking } from "../ask";
import { say } from "../output";
import { givePassphrase, newPassphrase, PASSPHRASE_FILE } from "../passphrases";

interface CeremonyFlags {
  plan: string;
  check?: boolean;
  passphraseFile?: string;
}

/** Returns how a passphrase is asked for. That of a new key is typed twice. */
const passphraseFrom =
  (file: string | undefined): AskPassphrase =>
  async (kind, isNew) => {
    const { findPassphrase, takePassphrase } = await import("~/domain/authorities/passphrases.server");
    if (kind === "root" && file !== undefined) return givePassphrase(kind, file); // also when there is a variable
    if (findPassphrase(kind) !== undefined) return;
    const isTyped = file === undefined && process.stdin.isTTY;
    if (isNew && isTyped) takePassphrase(kind, await newPassphrase(kind, undefined));
    else await givePassphrase(kind, undefined);
  };

async function ceremony({ plan, check = false, passphraseFile }: CeremonyFlags): Promise<void> {
  const { checkCeremony } = await import("~/domain/ceremony/check.server");
  const { ceremonyLines } = await import("~/domain/ceremony/shown.server");
  const { grouped } = await import("~/domain/ceremony/readable.server");
  const { runCeremony } = await import("~/domain/ceremony/run.service.server");
  const checked = await checkCeremony(plan);
  if (check) {
    for (const line of ceremonyLines(checked)) say(line);
    say("");
    say("The plan can be carried out. Nothing was changed, and no key was opened.");
    return;
  }
  const talk: CeremonyTalk = { say, ask: askLine, passphrase: passphraseFrom(passphraseFile), now: () => new Date() };
  const { node, openssl } = process.versions;
  const records = await runCeremony(checked, { portal: version, node, openssl }, talk).finally(endAsking);
  say("");
  say(`Transcript: ${records.transcript}, and as transcript.pdf for the signatures`);
  say(`  SHA-256 ${grouped(records.transcriptSha256)}`);
  say(`Transfer file: ${records.transfer}`);
  say(`  SHA-256 ${grouped(records.transferSha256)}`);
  say("Write the SHA-256 of the transfer file on paper: 'ca install' on the portal asks for it.");
}

/** Returns the command that carries out a ceremony. It needs no database and no network. */
export function ceremonyCommand(): Command {
  return new Command("ceremony")
    .description("sign roots, issuing CAs, cross-certificates, OCSP responders and CRLs of roots by a reviewed plan")
    .requiredOption("--plan <file>", "the plan, a YAML file; see docs/ceremony.md")
    .option("--check", "check the plan and show what would be signed; opens no key")
    .option(...PASSPHRASE_FILE)
    .action(ceremony);
}
