import { dirname, resolve } from "node:path";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { CaError } from "~/ca/errors.server";
import { ConfigError } from "~/lib/config-error";
import {
  buildStep,
  type FixedValues,
  stepHash,
  lifeOf,
  noSigner,
  type StepAuthorities,
  STAND_IN_SERIAL,
  standInKey,
} from "./build.server";
import { type CaSource, type PlannedStep, readInputs } from "./inputs.server";
import { type Findings, lintCertificate } from "./lint-certificate.server";
import { lintCrl } from "./lint-crl.server";
import { readPlan, type ReadPlan } from "./plan.server";
import { readProgress } from "./progress.server";
import { contentsOfCertificate, contentsOfCrl, type Fact, grouped } from "./readable.server";

/** A step as it will be signed. */
export interface StepPreview {
  planned: PlannedStep;
  /** The DER with a signature of zeros. */
  der: Uint8Array;
  facts: Fact[];
  findings: Findings;
}

/** A plan that can be carried out. */
export interface CheckedCeremony extends ReadPlan {
  /** The absolute path of the output folder. */
  output: string;
  steps: PlannedStep[];
  /** Each step with stand-ins for what is not made yet. */
  previews: StepPreview[];
}

/** The certificates of the CAs that are known so far, and the names of those whose key is not made yet. */
export interface KnownCas {
  certificates: Map<string, Uint8Array>;
  unknownKeys: Set<string>;
}

const derOf = (source: CaSource | null, { certificates }: KnownCas): Uint8Array | null =>
  source && (source.der ?? certificates.get(source.name) ?? null);

/** Returns the certificates of the CAs of a step, as far as they are known. */
export const authoritiesOf = ({ issuer, existing }: PlannedStep, known: KnownCas): StepAuthorities => ({
  issuer: derOf(issuer, known),
  existing: derOf(existing, known),
});

const isUnknown = (source: CaSource | null, { unknownKeys }: KnownCas) =>
  source !== null && source.der === null && unknownKeys.has(source.name);

/** Returns the bits of the key that signs a step. */
function keyBits({ step }: PlannedStep, { issuer }: StepAuthorities): number {
  if (step.kind === "root") return step.key.bits;
  return issuer ? (readIssuer(issuer).publicKey.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
}

/** Returns what is known of a step without opening a key: what it is, and which files and CAs it uses. */
function contextFacts({ step, issuer, existing, files }: PlannedStep): Fact[] {
  const place =
    step.kind === "root" &&
    (step.key.store === "file" ? `DATA_DIR/ca/${step.name}.key.pem` : `token, label '${step.name}'`);
  return [
    ...(place ? [["Key", place] as const] : []),
    ["Signed by", step.kind === "root" ? "itself" : `'${issuer?.name}'`],
    ...(existing ? [["Stands beside", `'${existing.name}'`] as const] : []),
    ...files.map(({ file, sha256 }): Fact => [`File ${file}`, `SHA-256 ${grouped(sha256)}`]),
  ];
}

/**
 * Makes a step with a signature of zeros, and checks it.
 *
 * @param fixed What is fixed already. Null when the serial number, and the key of a root, are not made yet.
 */
export async function previewStep(
  { plan }: ReadPlan,
  planned: PlannedStep,
  known: KnownCas,
  fixed: FixedValues | null,
): Promise<StepPreview> {
  const { step } = planned;
  const authorities = authoritiesOf(planned, known);
  const stand = {
    serial: STAND_IN_SERIAL,
    spkiDer: step.kind === "root" ? standInKey(step.name, step.key.bits) : null,
  };
  const signer = noSigner(stepHash(planned), keyBits(planned, authorities));
  const der = await buildStep(plan, planned, authorities, fixed ?? stand, signer);
  const unknown = {
    serial: !fixed,
    subjectKey: step.kind === "root" ? !fixed : isUnknown(planned.existing, known),
    issuerKey: step.kind === "root" ? !fixed : isUnknown(planned.issuer, known),
  };
  const context = contextFacts(planned);
  if (step.kind === "crl") {
    const findings = lintCrl(der, authorities.issuer ?? der, planned.previous);
    return { planned, der, facts: [...context, ...contentsOfCrl(der, unknown)], findings };
  }
  const findings = lintCertificate(der, { kind: step.kind, ...authorities, hasUnknownKey: unknown.subjectKey });
  const { endDate } = describeCertificate(der);
  if (lifeOf(plan, step.certificate).notAfter.toISOString() !== endDate)
    findings.errors.push(`The certificate must not end after its issuer, which ends ${endDate.slice(0, 10)}.`);
  return { planned, der, facts: [...context, ...contentsOfCertificate(der, unknown)], findings };
}

/** Returns whether everything that the step is made from could be read. */
function isComplete({ step, issuer, existing, csr, previous }: PlannedStep, known: KnownCas): boolean {
  if (step.kind === "root") return true;
  if (derOf(issuer, known) === null) return false;
  if (step.kind === "cross-certificate") return derOf(existing, known) !== null;
  if (step.kind === "crl") return step.crl.previous === "none" || previous !== null;
  return csr !== null;
}

/** Returns the previews of all steps, and the errors that the rules found in them. */
async function previewAll(read: ReadPlan, steps: readonly PlannedStep[]) {
  const known: KnownCas = { certificates: new Map(), unknownKeys: new Set() };
  const previews: StepPreview[] = [];
  const problems: string[] = [];
  for (const planned of steps) {
    if (!isComplete(planned, known)) continue;
    const { step, place } = planned;
    try {
      const preview = await previewStep(read, planned, known, null);
      previews.push(preview);
      problems.push(...preview.findings.errors.map((error) => `${place} '${step.name}': ${error}`));
      if (step.kind !== "crl") known.certificates.set(step.name, preview.der);
      if (step.kind === "root" || isUnknown(planned.existing, known)) known.unknownKeys.add(step.name);
    } catch (error) {
      if (!(error instanceof CaError)) throw error;
      problems.push(`${place} '${step.name}': ${error.message}`);
    }
  }
  return { previews, problems };
}

/** Returns a sentence for each CRL whose root has one in an earlier step already. */
function secondCrls(steps: readonly PlannedStep[]): string[] {
  const seen = new Set<string>();
  return steps.flatMap(({ step, place, issuer }) => {
    if (step.kind !== "crl" || !issuer) return [];
    const key = issuer.der ? Buffer.from(issuer.der).toString("base64") : issuer.name;
    const isSecond = seen.has(key);
    seen.add(key);
    return isSecond ? [`${place}.issuer has a CRL in an earlier step already: put all entries into one CRL`] : [];
  });
}

/**
 * Checks a plan with all files that it names. Opens no key and changes nothing.
 *
 * @param file The path of the plan.
 * @throws FileProblem when the plan cannot be read.
 * @throws ConfigError with a line for everything that is wrong.
 * @throws Error when the output folder belongs to another plan.
 */
export async function checkCeremony(file: string): Promise<CheckedCeremony> {
  const read = await readPlan(file);
  const inputs = await readInputs(read);
  const { previews, problems } = await previewAll(read, inputs.steps);
  const all = [...inputs.problems, ...secondCrls(inputs.steps), ...problems];
  if (all.length > 0) throw new ConfigError(all.map((problem) => `${file}: ${problem}`));
  const output = resolve(dirname(file), read.plan.output);
  await readProgress(output, read.sha256);
  return { ...read, output, steps: inputs.steps, previews };
}
