import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { serialHex } from "~/ca/certificate/encode.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { type RevokedEntry } from "~/ca/crl/entry.server";
import { foreignCrlProblem } from "~/ca/crl/origin.server";
import { parseCrl } from "~/ca/crl/parse.server";
import { checkCsr } from "~/ca/csr/check.server";
import { type Csr, readCsr } from "~/ca/csr/read.server";
import { fromPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { distinguishedName, encodeName, formatName, readName, type SubjectFields } from "~/ca/x509/name.server";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";
import { type CertificateOfCa, type InputFile, REASONS, type Step, type StepOf } from "./plan-schema.server";
import { planPlace, type ReadPlan } from "./plan.server";

/** The certificate of a CA that a step uses: one that exists, or the result of an earlier step. */
export interface CaSource {
  /** What the plan calls this CA. */
  name: string;
  /** Null for the result of the step with this name. */
  der: Uint8Array | null;
}

/** A file that a plan names, as it was read. */
export interface GivenFile {
  file: string;
  sha256: string;
}

/** A step with the contents of its files. */
export interface PlannedStep {
  step: Step;
  /** The place of the step in the plan, such as `steps[1]`. */
  place: string;
  /** Null for a root, which signs its own certificate. */
  issuer: CaSource | null;
  /** The CA that a cross-certificate is for. */
  existing: CaSource | null;
  csr: Csr | null;
  /** The DER of the previous CRL, or null when there is none. */
  previous: Uint8Array | null;
  /** The entries that a CRL adds. */
  revoked: RevokedEntry[];
  files: GivenFile[];
}

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/** Reads the files of one step and collects what is wrong with them. */
class StepReader {
  readonly problems: string[] = [];
  readonly files: GivenFile[] = [];

  constructor(private readonly folder: string) {}

  /** Notes a problem with a value of the plan. */
  problem(path: readonly (string | number)[], sentence: string): null {
    this.problems.push(`${planPlace(path)} ${sentence}`);
    return null;
  }

  /** Returns the bytes of a file, or null when they are not those that the plan names. */
  private async bytes({ file, sha256 = "" }: InputFile, path: readonly (string | number)[]): Promise<Buffer | null> {
    const where = resolve(this.folder, file);
    const read = await readFile(where).catch((error: unknown) => explainFileError(error, where));
    if (read instanceof FileProblem)
      return this.problem([...path, "file"], `names a file that does not help: ${read.message}`);
    if (!(read instanceof Buffer)) throw read;
    const found = sha256Hex(read);
    const expected = sha256.replace(/[\s:]/g, "").toLowerCase();
    this.files.push({ file, sha256: found });
    if (expected === found) return read;
    const what =
      sha256 === ""
        ? "is missing"
        : HEX_SHA256.test(expected)
          ? "is that of another file"
          : "must be 64 hexadecimal digits";
    const sentence = `${what}: ${file} has ${found}. Compare this with what its owner tells you by another way`;
    return this.problem([...path, "sha256"], sentence);
  }

  /** Returns what `read` makes of a file, which is DER or one PEM block with this label. */
  async read<T>(
    input: InputFile,
    path: readonly (string | number)[],
    [label, what]: readonly [string, string],
    read: (der: Uint8Array) => T,
  ): Promise<T | null> {
    const bytes = await this.bytes(input, path);
    if (!bytes) return null;
    try {
      return read(bytes.includes("-----BEGIN") ? fromPem(label, bytes.toString("latin1")) : Uint8Array.from(bytes));
    } catch {
      return this.problem([...path, "file"], `must be ${what}, as DER or PEM: ${input.file} is not`);
    }
  }

  /** Returns a CA of the plan. Its bytes are null when it is an earlier step, or when its file is wrong. */
  async authority(source: CertificateOfCa, path: readonly (string | number)[]): Promise<CaSource> {
    if (typeof source === "string") return { name: source, der: null };
    const readCa = (der: Uint8Array) => readIssuer(der).certificateDer;
    return {
      name: source.name,
      der: await this.read(source, path, ["CERTIFICATE", "the certificate of a CA"], readCa),
    };
  }
}

/** Returns the attributes of a name as sorted text, to compare two names whose strings may have other types. */
const comparable = (attributes: Csr["subjectAttributes"]): string =>
  attributes
    .map(({ oid, value }) => `${oid}=${value}`)
    .toSorted()
    .join("\n");

const attributesOf = (subject: SubjectFields) => readName(distinguishedName(encodeName(subject)));

async function readRequest(
  reader: StepReader,
  step: StepOf<"issuing"> | StepOf<"ocsp-responder">,
  at: readonly (string | number)[],
): Promise<Csr | null> {
  const path = [...at, "request"];
  const result = await reader.read(step.request, path, ["CERTIFICATE REQUEST", "a CSR"], (der) => readCsr(der));
  if (!result) return null;
  if (!result.ok) return reader.problem([...path, "file"], `is not a CSR that can be used: ${result.message}`);
  const { csr } = result;
  const { subject } = step.certificate;
  const policy = { keyAlgorithms: ["RSA" as const], countryCodes: new Set([subject.country]), allowedNames: [] };
  for (const { message } of checkCsr(csr, policy)) reader.problem([...path, "file"], `is refused. ${message}`);
  const planned = attributesOf(subject);
  if (comparable(csr.subjectAttributes) !== comparable(planned))
    reader.problem(
      [...at, "certificate", "subject"],
      `must be that of the CSR, ${formatName(csr.subjectAttributes)}: the plan has ${formatName(planned)}`,
    );
  return csr;
}

/** Returns the entries that a CRL adds. */
async function readRevoked(
  reader: StepReader,
  { crl }: StepOf<"crl">,
  issuer: CaSource,
  at: readonly (string | number)[],
): Promise<RevokedEntry[]> {
  const entries: RevokedEntry[] = [];
  for (const [index, { certificate, serial, date, reason }] of crl.revoked.entries()) {
    const path = [...at, "crl", "revoked", index];
    const entry = { revocationDate: date, reason: REASONS[reason] };
    if (serial !== undefined) entries.push({ ...entry, serial: serialHex(BigInt(`0x${serial}`)) });
    if (!certificate) continue;
    const place = [...path, "certificate"];
    const read = await reader.read(certificate, place, ["CERTIFICATE", "a certificate"], parseCertificate);
    if (!read) continue;
    const subject = issuer.der && readIssuer(issuer.der).subjectDer;
    if (!subject || Buffer.compare(read.issuer.der, subject) !== 0)
      reader.problem(place, `is a certificate that '${issuer.name}' did not issue`);
    entries.push({ ...entry, serial: serialHex(read.serialNumber) });
  }
  return entries;
}

/** Returns the previous CRL of the issuer, or null for the first one. */
async function readPrevious(
  reader: StepReader,
  { crl: { previous } }: StepOf<"crl">,
  issuer: CaSource,
  at: readonly (string | number)[],
): Promise<Uint8Array | null> {
  if (previous === "none") return null;
  const path = [...at, "crl", "previous"];
  const der = await reader.read(previous, path, ["X509 CRL", "a CRL"], (bytes) => {
    parseCrl(bytes);
    return bytes;
  });
  if (!der) return null;
  if (!issuer.der) return reader.problem(path, "must be none, because the root is made by an earlier step");
  const foreign = foreignCrlProblem(der, readIssuer(issuer.der));
  return foreign ? reader.problem(path, `must be the latest CRL of '${issuer.name}', but this one ${foreign}`) : der;
}

async function readStep(reader: StepReader, step: Step, index: number): Promise<PlannedStep> {
  const at = ["steps", index];
  const planned: PlannedStep = {
    step,
    place: planPlace(at),
    issuer: step.kind === "root" ? null : await reader.authority(step.issuer, [...at, "issuer"]),
    existing: step.kind === "cross-certificate" ? await reader.authority(step.existing, [...at, "existing"]) : null,
    csr: step.kind === "issuing" || step.kind === "ocsp-responder" ? await readRequest(reader, step, at) : null,
    previous: null,
    revoked: [],
    files: reader.files,
  };
  const isBroken = typeof (step as { issuer?: unknown }).issuer === "object" && !planned.issuer?.der;
  if (step.kind !== "crl" || !planned.issuer || isBroken) return planned;
  planned.previous = await readPrevious(reader, step, planned.issuer, at);
  planned.revoked = await readRevoked(reader, step, planned.issuer, at);
  return planned;
}

/**
 * Reads the files that a plan names.
 *
 * @returns The steps with the contents of their files, and a sentence for each file that is missing, is not the one that the plan means, or
 *   does not fit the step.
 */
export async function readInputs({ file, plan }: ReadPlan): Promise<{ steps: PlannedStep[]; problems: string[] }> {
  const steps: PlannedStep[] = [];
  const problems: string[] = [];
  for (const [index, step] of plan.steps.entries()) {
    const reader = new StepReader(dirname(file));
    steps.push(await readStep(reader, step, index));
    problems.push(...reader.problems);
  }
  return { steps, problems };
}
