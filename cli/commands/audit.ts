import { Command } from "commander";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { say } from "../output";
import { withDatabase } from "../with-database";

interface VerifyFlags {
  checkpoints: string[];
}

async function verify({ checkpoints: files }: VerifyFlags): Promise<void> {
  const { problemText } = await import("~/domain/audit/problems");
  const { verifyTrail } = await import("~/domain/audit/verify.service.server");
  const { compareJournal } = await import("~/domain/authorities/signer-journal.service.server");
  const { CaError } = await import("~/ca/errors.server");
  const { getEnv } = await import("~/lib/env.server");
  const { existsSync } = await import("node:fs");
  for (const file of files) if (!existsSync(file)) throw new Error(`There is no file '${file}'.`);
  let problems = 0;
  const { entries, checkpoints } = await verifyTrail({
    files,
    onProblem: (problem) => {
      problems += 1;
      say(problemText(problem));
    },
  });
  const seen = `Entries: ${entries}, checkpoints: ${checkpoints}`;
  let notCompared: string | null = null;
  if (getEnv().signerWay) {
    const report = (problem: string) => {
      problems += 1;
      say(problem);
    };
    try {
      const head = await compareJournal(report);
      say(`The signer's journal was compared with the database. Lines: ${head.number}, hash ${head.hash}`);
    } catch (error) {
      if (!(error instanceof CaError)) throw error;
      notCompared = `The signer's journal was not compared with the database. ${error.message}`;
    }
  }
  if (problems > 0) throw new Error(`The audit trail is not sound. ${seen}, problems: ${problems}.`);
  say(`The audit trail is sound. ${seen}.`);
  if (notCompared) throw new Error(notCompared);
}

async function checkpoint(): Promise<void> {
  const { verifyAndSign } = await import("~/domain/audit/checkpoint.service.server");
  const { checkpointFile } = await import("~/domain/audit/checkpoint-file.server");
  say(`Audit trail: ${await verifyAndSign()} (${checkpointFile()})`);
}

async function certificates({ operator }: { operator?: string }): Promise<void> {
  const { listOpen } = await import("~/domain/certificate-audit/list.service.server");
  const { runJobByHand } = await import("~/domain/jobs/by-hand.service.server");
  const outcome = await runJobByHand("certificates-audit", await operatorActor(operator));
  const open = await listOpen();
  for (const { subject, title, cause, todo } of open) say(`${subject}: ${title}. ${cause} ${todo}`);
  if (open.length > 0) throw new Error(`${outcome} Something that was issued is not sound.`);
  say(outcome);
}

async function publicKeys(): Promise<void> {
  const { chainKeys, checkpointKeyFingerprint } = await import("~/domain/audit/chain-keys.server");
  for (const key of chainKeys()) {
    const pem = key.checkpoints.publicKey.export({ type: "spki", format: "pem" }).toString().trim();
    say(`${key.id}\nSHA-256 ${checkpointKeyFingerprint(key)}\n${pem}`);
  }
}

const collect = (file: string, files: string[]) => [...files, file];

export function auditCommand(): Command {
  const audit = new Command("audit").description("the audit trail, and the audit of certificates").usage("COMMAND");
  audit
    .command("verify")
    .option("--checkpoints <file>", "also compare it with this copy of the checkpoints; can be repeated", collect, [])
    .description(
      "verify every entry and checkpoint, and compare the signer's journal; report each fault and where it is, and exit with 1 when there is one",
    )
    .action((flags: VerifyFlags) => withDatabase(() => verify(flags)));
  audit
    .command("certificates")
    .description(
      "audit every certificate in force, every CRL, OCSP responder and CA, as the job 'certificates-audit' does; report what is wrong, and exit with 1 when something is",
    )
    .option(...OPERATOR_OR_LOGIN)
    .action((flags: { operator?: string }) => withDatabase(() => certificates(flags)));
  audit
    .command("checkpoint")
    .description("verify what is new and sign a checkpoint now; the service does so by itself")
    .action(() => withDatabase(checkpoint));
  audit
    .command("public-keys")
    .description(
      "show the public keys that checkpoints and evidence packs can be checked with elsewhere, and their fingerprints",
    )
    .action(publicKeys);
  return audit;
}
