import { verify, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { verifyCrl } from "~/ca/crl/describe.server";
import { parseCrl } from "~/ca/crl/parse.server";
import { fromPem, toPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { caSignatureHash } from "~/ca/x509/algorithms.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { explainFileError } from "~/lib/file-problem.server";
import { type PlannedStep } from "./inputs.server";
import { type Step } from "./plan-schema.server";
import { type StepProgress } from "./progress.server";

/** A step with its result. */
export interface FinishedStep {
  planned: PlannedStep;
  der: Uint8Array;
}

const labelOf = ({ kind }: Step) => (kind === "crl" ? "X509 CRL" : "CERTIFICATE");

/** Returns the name of the file in which a step's result is, in the output folder. */
export const outputName = ({ name, kind }: Step): string => (kind === "crl" ? `${name}.crl.pem` : `${name}.pem`);

/** Returns the PEM of a step's result. */
export const outputPem = (step: Step, der: Uint8Array): string => toPem(labelOf(step), der);

const tbsOf = ({ kind }: Step, der: Uint8Array) => (kind === "crl" ? parseCrl(der).tbs : parseCertificate(der).tbs);

/** Returns whether the key made the signature of the result of a step. */
function isSigned({ kind }: Step, der: Uint8Array, issuer: Uint8Array): boolean {
  if (kind === "crl") return verifyCrl(der, readIssuer(issuer));
  const { signatureAlgorithm, tbs, signature } = parseCertificate(der);
  const key: KeyObject = readIssuer(issuer).publicKey;
  return verify(caSignatureHash(signatureAlgorithm), tbs, key, signature);
}

/**
 * Returns why the result of a step is not what it must be, or null when it is.
 *
 * @param der The result.
 * @param shown What was shown before it was signed.
 * @param issuer The certificate of the CA that signed. A root's own certificate for a root.
 */
export function resultProblem(step: Step, der: Uint8Array, shown: Uint8Array, issuer: Uint8Array): string | null {
  if (Buffer.compare(tbsOf(step, der), tbsOf(step, shown)) !== 0) return "says something else than the plan";
  return isSigned(step, der, issuer) ? null : "has a signature that the issuer's key did not make";
}

/** Writes the result of a step. An earlier attempt may have written the same one. Throws an Error when there is another one. */
export async function writeOutput(output: string, step: Step, der: Uint8Array): Promise<void> {
  const file = join(output, outputName(step));
  const pem = outputPem(step, der);
  try {
    await writeFileAtomically(file, pem, { mode: 0o644, exclusive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if ((await readFile(file, "utf8")) !== pem)
      throw new Error(
        `${file} exists already and is not what this step makes. Move it away, then run the command again.`,
        {
          cause: error,
        },
      );
  }
}

/** Returns the result of a finished step from its file. Throws an Error when the file is missing or was changed. */
export async function readOutput(output: string, step: Step, { finished }: StepProgress): Promise<Uint8Array> {
  const file = join(output, outputName(step));
  const pem = await readFile(file, "utf8").catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  const changed = `${file} was changed after the step '${step.name}' had made it. Put the file back that the step made.`;
  let der: Uint8Array;
  try {
    der = fromPem(labelOf(step), pem);
  } catch (error) {
    throw new Error(changed, { cause: error });
  }
  if (sha256Hex(der) !== finished?.sha256 || outputPem(step, der) !== pem) throw new Error(changed);
  return der;
}
