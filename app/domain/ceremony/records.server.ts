import { join } from "node:path";
import { toPem } from "~/ca/pem.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { type CheckedCeremony } from "./check.server";
import { type FinishedStep, outputPem } from "./outputs.server";
import { type Progress } from "./progress.server";
import { transcriptMarkdown, transcriptPdf } from "./transcript.server";
import { writeTransferFile } from "./transfer-file.server";

/** Where the records of a ceremony are, and their SHA-256 in lower-case hex. */
export interface Records {
  transcript: string;
  transcriptSha256: string;
  transfer: string;
  transferSha256: string;
}

/**
 * Writes the transcript and the transfer file into the output folder. The same ceremony always gives the same bytes.
 *
 * @param results The steps with their results, in the order of the plan.
 */
export async function writeRecords(
  checked: CheckedCeremony,
  progress: Progress,
  results: readonly FinishedStep[],
): Promise<Records> {
  const { output, plan, sha256 } = checked;
  const [transcript, transfer] = [join(output, "transcript.md"), join(output, "transfer.json")];
  const markdown = transcriptMarkdown(checked, progress, results);
  const transcriptSha256 = sha256Hex(Buffer.from(markdown));
  const pdf = await transcriptPdf(checked, progress, markdown, transcriptSha256);
  await writeFileAtomically(transcript, markdown, { mode: 0o644 });
  await writeFileAtomically(join(output, "transcript.pdf"), pdf, { mode: 0o644 });
  const transferSha256 = await writeTransferFile(transfer, {
    ceremony: { title: plan.title, date: plan.date, planSha256: sha256, transcriptSha256 },
    certificates: results.flatMap(({ planned: { step, issuer }, der }) =>
      step.kind === "crl"
        ? []
        : [
            {
              kind: step.kind,
              name: step.name,
              pem: outputPem(step, der),
              ...(step.kind === "cross-certificate" && issuer?.der && { issuerPem: toPem("CERTIFICATE", issuer.der) }),
            },
          ],
    ),
    crls: results.flatMap(({ planned: { step, issuer }, der }) =>
      step.kind === "crl" && issuer ? [{ issuer: issuer.name, pem: outputPem(step, der) }] : [],
    ),
  });
  return { transcript, transcriptSha256, transfer, transferSha256 };
}
