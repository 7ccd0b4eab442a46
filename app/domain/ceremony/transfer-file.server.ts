import { readFile } from "node:fs/promises";
import { z } from "zod";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { fromPem, pemBlocks } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { problemsOf } from "~/lib/config-error";
import { explainFileError } from "~/lib/file-problem.server";

/** The kinds of certificates that a ceremony signs. */
export const CERTIFICATE_KINDS = ["root", "issuing", "cross-certificate", "ocsp-responder"] as const;
export type CeremonyCertificateKind = (typeof CERTIFICATE_KINDS)[number];

const FORMAT = "marque-transfer-1";
const CERTIFICATE = "CERTIFICATE";
const CRL = "X509 CRL";

/** Returns a rule for text that is exactly one PEM block, whose bytes `read` can read. */
const pemOf = (label: string, what: string, read: (der: Uint8Array) => unknown) =>
  z.string().refine((pem) => {
    const [block, ...others] = pemBlocks(pem);
    if (block?.label !== label || others.length > 0) return false;
    try {
      read(fromPem(label, pem));
      return true;
    } catch {
      return false;
    }
  }, `must be one PEM block '${label}' with ${what}`);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 as 64 hexadecimal digits in lower case");
const text = z.string().min(1, "must not be empty");

const transferFile = z
  .object({
    format: z.literal(FORMAT),
    ceremony: z.object({ title: text, date: text, planSha256: sha256, transcriptSha256: sha256 }).strict(),
    certificates: z.array(
      z
        .object({
          kind: z.enum(CERTIFICATE_KINDS),
          /** The name of the ceremony's step. */
          name: text,
          pem: pemOf(CERTIFICATE, "an X.509 certificate", parseCertificate),
          /** The certificate of the CA that signed a cross-certificate, when it is not of the same ceremony. */
          issuerPem: pemOf(CERTIFICATE, "an X.509 certificate", parseCertificate).optional(),
        })
        .strict(),
    ),
    /** `issuer` is the name of the root. */
    crls: z.array(z.object({ issuer: text, pem: pemOf(CRL, "a CRL that has a number", describeCrl) }).strict()),
  })
  .strict();

/** What a ceremony signed, as it is taken to the portal. */
export type TransferFile = z.infer<typeof transferFile>;

/**
 * Writes a transfer file. It has no secrets.
 *
 * @param file The path of the file.
 * @param content What the ceremony signed. `format` is added.
 * @returns The SHA-256 of the file in lower-case hex, which people write on paper.
 */
export async function writeTransferFile(file: string, content: Omit<TransferFile, "format">): Promise<string> {
  const bytes = Buffer.from(`${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`);
  await writeFileAtomically(file, bytes, { mode: 0o644 });
  return sha256Hex(bytes);
}

/**
 * Returns a SHA-256 that people have written down as lower-case hex.
 *
 * @param typed Hex in any case, with or without spaces and colons.
 * @param what What has this SHA-256, for the message.
 * @throws Error when it is not a SHA-256.
 */
export function readSha256(typed: string, what: string): string {
  const expected = typed.replace(/[\s:]/g, "").toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(expected))
    throw new Error(`--sha256 must be the SHA-256 of ${what}: 64 hexadecimal digits.`);
  return expected;
}

function parseJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new Error(`${file} is not JSON. Take the file transfer.json of the ceremony.`);
  }
}

/**
 * Reads a transfer file.
 *
 * @param file The path of the file.
 * @param expectedSha256 The SHA-256 of the file as people wrote it down at the end of the ceremony: hex in any case, with or without spaces
 *   and colons.
 * @throws FileProblem when the file cannot be read.
 * @throws Error when the file has another SHA-256, is not JSON, or is not a transfer file. The message names each wrong value.
 */
export async function readTransferFile(file: string, expectedSha256: string): Promise<TransferFile> {
  const expected = readSha256(expectedSha256, "the transfer file");
  const bytes = await readFile(file).catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  const found = sha256Hex(bytes);
  if (found !== expected)
    throw new Error(
      `${file} has the SHA-256 ${found}, not ${expected}. The file was changed, or belongs to another ceremony. Nothing was installed.`,
    );
  const parsed = transferFile.safeParse(parseJson(file, bytes));
  if (!parsed.success) throw new Error(problemsOf(parsed.error, `${file}: `).join("\n"));
  return parsed.data;
}
