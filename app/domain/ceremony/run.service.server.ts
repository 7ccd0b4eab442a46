import { createPublicKey, randomBytes } from "node:crypto";
import { newSerial } from "~/ca/certificate/encode.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { spkiDerOf } from "~/ca/keys.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { withLockFile } from "~/lib/lock-file.server";
import { buildStep, type FixedValues, stepHash } from "./build.server";
import { authoritiesOf, type CheckedCeremony, type KnownCas, previewStep, type StepPreview } from "./check.server";
import { type PlannedStep } from "./inputs.server";
import { type AskPassphrase, makeRootKey, openKey, settleRootKey, type SigningKind } from "./keys.server";
import { type FinishedStep, readOutput, resultProblem, writeOutput } from "./outputs.server";
import { type Progress, readProgress, type StepProgress, writeProgress } from "./progress.server";
import { fingerprint, utc } from "./readable.server";
import { type Records, writeRecords } from "./records.server";
import { openingLines, previewLines, stepHeading } from "./shown.server";

/** How the ceremony talks with the people in the room. */
export interface CeremonyTalk {
  /** Shows a line. */
  say: (line: string) => void;
  /** Returns what was typed, or null when nothing more can be typed. */
  ask: (question: string) => Promise<string | null>;
  passphrase: AskPassphrase;
  /** Returns the time of this machine's clock. */
  now: () => Date;
}

/** The versions of the programs, for the transcript. */
export interface Versions {
  portal: string;
  node: string;
  openssl: string;
}

const AGAIN = "Run the same command to go on from here.";
/** How many characters of the plan's SHA-256 must be typed at least. */
const TYPED_LENGTH = 8;

class Ceremony {
  private readonly known: KnownCas = { certificates: new Map(), unknownKeys: new Set() };
  private readonly results: FinishedStep[] = [];

  constructor(
    private readonly checked: CheckedCeremony,
    private readonly progress: Progress,
    private readonly talk: CeremonyTalk,
  ) {}

  private save(): Promise<void> {
    return writeProgress(this.checked.output, this.progress);
  }

  /** Asks for yes. Throws an Error for any other answer. */
  private async confirm(question: string, stopped: string): Promise<void> {
    const answer = await this.talk.ask(`${question} Type yes, or anything else to stop`);
    if (answer?.trim().toLowerCase() !== "yes") throw new Error(`Stopped. ${stopped} ${AGAIN}`);
  }

  private show(title: string, lines: readonly string[]): void {
    this.talk.say("");
    this.talk.say(title);
    for (const line of lines) this.talk.say(line);
    this.talk.say("");
  }

  /** Makes sure that what a step needs before it signs is made and stored. */
  private async fix(planned: PlannedStep): Promise<StepProgress> {
    const { step } = planned;
    const found = this.progress.steps[step.name];
    if (found) return found;
    const started: StepProgress = {
      ...(step.kind !== "crl" && { serial: newSerial(randomBytes) }),
      startedAt: this.talk.now().toISOString(),
    };
    if (step.kind === "root") {
      const preview = await previewStep(this.checked, planned, this.known, null);
      this.show(`${stepHeading(planned)} The key is made first.`, previewLines(preview));
      await this.confirm(`Make the key of '${step.name}'?`, `The key of '${step.name}' was not made.`);
      const publicKey = await makeRootKey(step, this.checked.sha256, this.talk.passphrase);
      started.publicKey = Buffer.from(spkiDerOf(publicKey)).toString("base64");
    }
    this.progress.steps[step.name] = started;
    await this.save();
    return started;
  }

  private fixedOf({ serial = "", publicKey }: StepProgress): FixedValues {
    return { serial, spkiDer: publicKey === undefined ? null : Buffer.from(publicKey, "base64") };
  }

  /** Passes over a finished step, after its result was verified again. */
  private async verifyFinished(planned: PlannedStep, made: StepProgress): Promise<Uint8Array> {
    const { step } = planned;
    const der = await readOutput(this.checked.output, step, made);
    const { der: shown } = await previewStep(this.checked, planned, this.known, this.fixedOf(made));
    const problem = resultProblem(step, der, shown, authoritiesOf(planned, this.known).issuer ?? der);
    if (problem)
      throw new Error(
        `The result of the finished step '${step.name}' ${problem}. Begin again with another output folder.`,
      );
    this.talk.say(`'${step.name}' is finished and was verified again. SHA-256 ${fingerprint(der)}`);
    return der;
  }

  /** Signs a step with the key of its issuer, which is open only for this. */
  private async sign(planned: PlannedStep, fixed: FixedValues, { der: shown }: StepPreview): Promise<Uint8Array> {
    const { step, issuer } = planned;
    const authorities = authoritiesOf(planned, this.known);
    const above = authorities.issuer ?? shown;
    const { subject, issuer: issuerOfAbove } = parseCertificate(above);
    const kind: SigningKind = Buffer.compare(subject.der, issuerOfAbove.der) === 0 ? "root" : "issuing";
    const which = { hash: stepHash(planned), kind };
    const signer = await openKey(issuer?.name ?? step.name, readIssuer(above).publicKey, which, this.talk.passphrase);
    const der = await buildStep(this.checked.plan, planned, authorities, fixed, signer);
    const problem = resultProblem(step, der, shown, authorities.issuer ?? der);
    if (problem) throw new Error(`What was signed for '${step.name}' ${problem}. It was not written.`);
    return der;
  }

  private async carryOut(planned: PlannedStep): Promise<Uint8Array> {
    const { step } = planned;
    const made = await this.fix(planned);
    const fixed = this.fixedOf(made);
    const preview = await previewStep(this.checked, planned, this.known, fixed);
    if (preview.findings.errors.length > 0) throw new Error(`'${step.name}': ${preview.findings.errors.join(" ")}`);
    this.show(stepHeading(planned), previewLines(preview));
    await this.confirm(`Sign '${step.name}'?`, `'${step.name}' was not signed.`);
    const der = await this.sign(planned, fixed, preview);
    await writeOutput(this.checked.output, step, der);
    if (step.kind === "root" && fixed.spkiDer) {
      const publicKey = createPublicKey({ key: Buffer.from(fixed.spkiDer), format: "der", type: "spki" });
      await settleRootKey(step, this.checked.sha256, publicKey);
    }
    made.finished = { at: this.talk.now().toISOString(), sha256: sha256Hex(der) };
    await this.save();
    this.talk.say(`Signed '${step.name}'. SHA-256 ${fingerprint(der)}`);
    return der;
  }

  /** Carries out every step that is not finished, and writes the transcript and the transfer file. */
  async run(): Promise<Records> {
    for (const planned of this.checked.steps) {
      const { step } = planned;
      const made = this.progress.steps[step.name];
      const der = made?.finished ? await this.verifyFinished(planned, made) : await this.carryOut(planned);
      if (step.kind !== "crl") this.known.certificates.set(step.name, der);
      this.results.push({ planned, der });
    }
    this.progress.finishedAt ??= this.talk.now().toISOString();
    await this.save();
    return writeRecords(this.checked, this.progress, this.results);
  }
}

/** Asks whether the right plan is carried out. Throws an Error for another answer. */
async function confirmPlan({ sha256 }: CheckedCeremony, talk: CeremonyTalk): Promise<void> {
  const answer = await talk.ask(
    `Compare the plan's SHA-256 with the one that was reviewed. Type its first ${TYPED_LENGTH} characters to begin`,
  );
  const typed = (answer ?? "").replace(/\s/g, "").toLowerCase();
  if (!(typed.length >= TYPED_LENGTH && sha256.startsWith(typed)))
    throw new Error("Stopped before the ceremony began. Nothing was changed.");
}

/**
 * Carries out a ceremony, or goes on with one that was interrupted. A key is opened for one step only. Everything that a step needs to be
 * repeated is stored before it signs, so a repetition gives the same bytes. Only one ceremony at a time can write into an output folder; its
 * lock is a file beside it.
 *
 * @param checked The plan, after `checkCeremony`.
 * @param versions The versions of the programs.
 * @param talk How to show and to ask.
 * @returns Where the records are, and their SHA-256.
 * @throws Error when somebody stops the ceremony, another one runs with the output folder, or a key, a finished result or the folder is not
 *   what it must be.
 */
export const runCeremony = (checked: CheckedCeremony, versions: Versions, talk: CeremonyTalk): Promise<Records> =>
  withLockFile(`${checked.output}.lock`, `Another ceremony with the output folder ${checked.output}`, () =>
    runAlone(checked, versions, talk),
  );

async function runAlone(checked: CheckedCeremony, versions: Versions, talk: CeremonyTalk): Promise<Records> {
  const { output, sha256, steps } = checked;
  const found = await readProgress(output, sha256);
  for (const line of openingLines(checked)) talk.say(line);
  if (found?.finishedAt) {
    talk.say(`This ceremony ended at ${utc(new Date(found.finishedAt))}.`);
    return new Ceremony(checked, found, talk).run();
  }
  const done = steps.filter(({ step }) => found?.steps[step.name]?.finished).length;
  if (found) talk.say(`This ceremony was interrupted. Finished steps: ${done} of ${steps.length}.`);
  talk.say(`The clock of this machine says ${utc(talk.now())}.`);
  await confirmPlan(checked, talk);
  const progress: Progress = found ?? { format: "marque-ceremony-1", planSha256: sha256, runs: [], steps: {} };
  progress.runs.push({ startedAt: talk.now().toISOString(), ...versions });
  await writeProgress(output, progress);
  return new Ceremony(checked, progress, talk).run();
}
