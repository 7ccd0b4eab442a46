import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { inWorker, workerVersion } from "~/domain/workers/pool.server";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { log, logError } from "~/lib/log.server";
import { type HtmlHeading, markdownHtml } from "~/lib/markdown-html.server";
import { memoize } from "~/lib/memoize.server";
import { type WrittenDocument } from "~/lib/pdf/written-document.server";
import { POLICIES, type PolicyEntry, type PolicyName } from "./catalogue";
import { checkPolicies } from "./check.server";
import { policyFingerprint, policyTokens } from "./source.server";
import { longDate } from "./values.server";
import { changedPoliciesNotice, recordPolicies } from "./versions.service.server";

export interface PolicyPage {
  title: string;
  version: string;
  /** An ISO date. */
  date: string;
  /** See `policyFingerprint`. */
  fingerprint: string;
  html: string;
  headings: HtmlHeading[];
}

/** Returns midnight (UTC) of the day on which the documents come into force. */
export const policyDate = (): Date => new Date(`${getConfig().policies.date}T00:00:00Z`);

/** Returns the content of a policy's page. */
export function readPolicyPage({ name, title }: PolicyEntry): PolicyPage {
  const { version, date } = getConfig().policies;
  return { title, version, date, fingerprint: policyFingerprint(name), ...markdownHtml(policyTokens(name)) };
}

function written({ name, title }: PolicyEntry): WrittenDocument {
  const { legal, policies, certificates } = getConfig();
  const date = longDate(policies.date);
  return {
    title: `${title}, version ${policies.version}`,
    heading: title,
    author: legal.company,
    subject: `Object identifier ${certificates.policyOid}`,
    date: policyDate(),
    facts: [
      ["Certification authority", legal.company],
      ["Version", policies.version],
      ["In force from", date],
      ["Policy identifier", certificates.policyOid],
      ["Fingerprint of the text", policyFingerprint(name)],
    ],
    header: [legal.company, `${title} · version ${policies.version} · ${date}`],
    tokens: policyTokens(name),
  };
}

const folder = () => join(getEnv().dataDir, "cache", "policies");

/** Reads the PDF that an earlier process stored for this content. Returns null when there is none. */
const readStored = (file: string): Promise<Buffer | null> =>
  readFile(join(folder(), file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });

/** Stores a PDF for the next start and removes the former ones of the same policy. A failure is logged: the PDF can be made again. */
async function store(file: string, name: PolicyName, bytes: Buffer): Promise<void> {
  try {
    await writeFileAtomically(join(folder(), file), bytes);
    const former = (await readdir(folder())).filter((other) => other.startsWith(`${name}.`) && other !== file);
    for (const other of former) await rm(join(folder(), other), { force: true });
  } catch (error) {
    logError(error, { code: "repository" });
  }
}

/** Returns the PDF that an earlier process made from the same content, or makes it in a worker thread. */
async function readOrMake(name: PolicyName, document: WrittenDocument, hash: string): Promise<Buffer> {
  const file = `${name}.${hash}.pdf`;
  const stored = await readStored(file);
  if (stored) return stored;
  const bytes = await inWorker("writtenPdf", document);
  await store(file, name, bytes);
  return bytes;
}

interface Made {
  /** The hash of the content from which the PDF was made, and of the program that made it. */
  hash: string;
  bytes: Promise<Buffer>;
}

/** The PDF files that have been made, by policy. */
export const policyPdfs = memoize(() => new Map<PolicyName, Made>());

/**
 * Returns the PDF of a policy. It is made on the first call and kept, also in DATA_DIR for the next start, while its text stays the same.
 * Every process makes the same bytes from the same Markdown and configuration.
 */
export function policyPdf(entry: PolicyEntry): Promise<Buffer> {
  const made = policyPdfs();
  const document = written(entry);
  const hash = createHash("sha256").update(JSON.stringify(document)).update(workerVersion()).digest("hex");
  const known = made.get(entry.name);
  if (known?.hash === hash) return known.bytes;
  const bytes = readOrMake(entry.name, document, hash);
  made.set(entry.name, { hash, bytes });
  bytes.catch(() => made.delete(entry.name));
  return bytes;
}

/** Logs what the operator has to put right: sentences that are not true in this portal, and a text that has changed without a new version. */
async function warnOfPolicies(): Promise<void> {
  const notice = await changedPoliciesNotice();
  for (const problem of [...checkPolicies(), ...(notice === null ? [] : [notice])]) log().warn(problem);
}

async function prepare(): Promise<void> {
  for (const entry of POLICIES) await policyPdf(entry);
  await recordPolicies();
  await warnOfPolicies();
}

/**
 * Makes the PDFs of all policies before anybody requests one, records their texts in the audit trail and checks them. The first PDF of a
 * process takes seconds, because its worker has to read the fonts. All this is done only once. A failure is logged, and the PDF is tried
 * again when somebody requests it.
 */
export const preparePolicies = memoize(() =>
  prepare().catch((error: unknown) => logError(error, { code: "repository" })),
);

/** How many milliseconds after the start the policies are prepared. Until then, only work for requests is done. */
const QUIET_START_MS = 60_000;

/** Prepares the policies some time after the start. The timer does not keep the process alive. */
export function preparePoliciesAfterStart(): void {
  setTimeout(() => void preparePolicies(), QUIET_START_MS).unref();
}
