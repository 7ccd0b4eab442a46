import { Marked } from "marked";
import { writtenPdf } from "~/lib/pdf/written-document.server";
import { type CheckedCeremony } from "./check.server";
import { type FinishedStep, outputName, outputPem } from "./outputs.server";
import { type Progress } from "./progress.server";
import { contentsOfCertificate, contentsOfCrl, type Fact, fingerprint, grouped, utc } from "./readable.server";
import { openingFacts, stepHeading } from "./shown.server";

/** Returns text that Markdown shows as it is. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>|&#~]/g, "\\$&");

const list = (facts: readonly Fact[]) =>
  facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(value)}`).join("\n");

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")).replaceAll("\\", ""), ...rows.map(line)].join("\n");
}

/** Returns a block of code whose fence is longer than any in the text. */
function code(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n*$/, "\n")}${fence}`;
}

const time = (iso: string) => utc(new Date(iso));

function stepPart({ planned, der }: FinishedStep, progress: Progress): string[] {
  const { step, issuer, files } = planned;
  const made = progress.steps[step.name];
  return [
    `## ${escaped(stepHeading(planned))}`,
    list([
      ["Begun", made ? time(made.startedAt) : ""],
      ["Signed and verified", made?.finished ? time(made.finished.at) : ""],
      ["Signed by", step.kind === "root" ? "itself" : `'${issuer?.name}'`],
      ["Result", outputName(step)],
      [`SHA-256 of the ${step.kind === "crl" ? "CRL" : "certificate"}`, fingerprint(der)],
      ...files.map(({ file, sha256 }): Fact => [`Made from ${file}, SHA-256`, grouped(sha256)]),
    ]),
    table(["Name", "Value"], step.kind === "crl" ? contentsOfCrl(der) : contentsOfCertificate(der)),
    code(outputPem(step, der)),
  ];
}

const LINE = "\\_".repeat(44);

/** Returns the chapters of the transcript, below the heading. */
function chapters({ plan, text }: CheckedCeremony, progress: Progress, results: readonly FinishedStep[]): string[] {
  const people = [{ name: plan.operator, role: "Operator" }, ...plan.witnesses];
  return [
    "## The command",
    "Each row is a start of the command. A ceremony that was interrupted has several.",
    table(
      ["Started", "Portal", "Node", "OpenSSL"],
      progress.runs.map(({ startedAt, portal, node, openssl }) => [time(startedAt), portal, node, openssl]),
    ),
    "## The plan",
    code(text),
    ...results.flatMap((result) => stepPart(result, progress)),
    "## Signatures",
    "I was present. What is written here is what I saw.",
    ...people.flatMap(({ name, role }) => [`${escaped(name)} (${escaped(role)})`, `Date and signature: ${LINE}`]),
  ];
}

const factsOf = (checked: CheckedCeremony, { finishedAt }: Progress): Fact[] => [
  ...openingFacts(checked),
  ["Ended", finishedAt ? time(finishedAt) : ""],
];

/** Returns the transcript as Markdown. It depends on the plan, the progress and the results only. */
export const transcriptMarkdown = (
  checked: CheckedCeremony,
  progress: Progress,
  results: readonly FinishedStep[],
): string =>
  [
    `# ${escaped(checked.plan.title)}`,
    list(factsOf(checked, progress)),
    ...chapters(checked, progress, results),
    "",
  ].join("\n\n");

const HEADER_LENGTH = 60;

/**
 * Returns the transcript as PDF, for the signatures of the people.
 *
 * @param markdown The transcript.
 * @param markdownSha256 Its SHA-256, which the first page shows.
 */
export function transcriptPdf(
  checked: CheckedCeremony,
  progress: Progress,
  markdown: string,
  markdownSha256: string,
): Promise<Buffer> {
  const { title, operator } = checked.plan;
  const chaptersOnly = markdown.slice(markdown.indexOf("\n## "));
  return writtenPdf({
    title,
    author: operator,
    subject: "Transcript of a ceremony",
    date: new Date(progress.finishedAt ?? 0),
    heading: title,
    facts: [...factsOf(checked, progress), ["SHA-256 of transcript.md", grouped(markdownSha256)]],
    header: ["Transcript of a ceremony", title.length > HEADER_LENGTH ? `${title.slice(0, HEADER_LENGTH)}…` : title],
    tokens: new Marked().lexer(chaptersOnly),
  });
}
