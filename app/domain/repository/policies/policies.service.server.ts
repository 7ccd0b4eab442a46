import { createHash } from "node:crypto";
import { getConfig } from "~/lib/config.server";
import { logError } from "~/lib/log.server";
import { type HtmlHeading, markdownHtml } from "~/lib/markdown-html.server";
import { memoize } from "~/lib/memoize.server";
import { type WrittenDocument, writtenPdf } from "~/lib/pdf/written-document.server";
import { POLICIES, type PolicyEntry, type PolicyName } from "./catalogue";
import { policyTokens } from "./source.server";
import { longDate, policyValues } from "./values.server";

export interface PolicyPage {
  title: string;
  version: string;
  /** ISO date. */
  date: string;
  html: string;
  headings: HtmlHeading[];
}

/** Midnight (UTC) of the day from which the documents are in force. */
export const policyDate = (): Date => new Date(`${getConfig().policies.date}T00:00:00Z`);

/** A policy as a page to read. */
export function readPolicyPage({ name, title }: PolicyEntry): PolicyPage {
  const { version, date } = getConfig().policies;
  return { title, version, date, ...markdownHtml(policyTokens(name, policyValues())) };
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
    ],
    header: [legal.company, `${title} · version ${policies.version} · ${date}`],
    tokens: policyTokens(name, policyValues()),
  };
}

interface Made {
  /** Of what the PDF was made from. */
  hash: string;
  bytes: Promise<Buffer>;
}

/** The PDF files that have been made. */
export const policyPdfs = memoize(() => new Map<PolicyName, Made>());

/**
 * The PDF of a policy. It is made when it is first asked for and kept while its text stays the same; every process makes the same
 * bytes of the same Markdown and configuration.
 */
export function policyPdf(entry: PolicyEntry): Promise<Buffer> {
  const made = policyPdfs();
  const document = written(entry);
  const hash = createHash("sha256").update(JSON.stringify(document)).digest("hex");
  const known = made.get(entry.name);
  if (known?.hash === hash) return known.bytes;
  const bytes = writtenPdf(document);
  made.set(entry.name, { hash, bytes });
  bytes.catch(() => made.delete(entry.name));
  return bytes;
}

async function makePolicyPdfs(): Promise<void> {
  for (const entry of POLICIES) await policyPdf(entry);
}

/**
 * Makes the PDFs of all policies before anybody asks for one: the first of a process takes seconds, because the fonts are read for it. They
 * are made once, one after the other, with pauses for requests. What fails is logged, and tried again when somebody asks for it.
 */
export const preparePolicyPdfs = memoize(() =>
  makePolicyPdfs().catch((error: unknown) => logError(error, { code: "repository" })),
);

/** Milliseconds after a start in which nothing is made that nobody may be about to open. */
const QUIET_START_MS = 60_000;

/** Makes the PDFs of the policies a while after the start. The timer does not keep the process. */
export function policyPdfsAfterStart(): void {
  setTimeout(() => void preparePolicyPdfs(), QUIET_START_MS).unref();
}
