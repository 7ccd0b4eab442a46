import { createHash } from "node:crypto";
import { z } from "zod";
import { type SessionUser } from "~/domain/accounts/session-user";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { toCsv } from "~/lib/csv.server";
import { cellBeginning } from "~/lib/csv/csv-rows.server";
import { DAY } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { FileProblem } from "~/lib/file-problem.server";
import { pagesOf } from "~/lib/list-params";
import { type Trx } from "~db/connection.server";
import { lockDraft, updateDraft } from "~db/repositories/drafts.server";
import { lockAdministratorsFor } from "../administration/user-administrators.server";
import { IMPORT_COLUMNS } from "./columns";
import { IMPORT_OUTCOMES, type ImportListParams, type ImportOutcome } from "./import-list";
import { type ImportedAccount } from "./import.schema";
import { importAccounts, type StoredAccount } from "./import.service.server";

/** The largest file that the page takes, in bytes, and its most rows. The command takes larger ones. */
export const IMPORT_BYTES = 512 * 1024;
export const IMPORT_ROWS = 1000;

const reportedLine = z.object({
  line: z.number().int(),
  username: z.string(),
  /** The account with this user name, once there is one. */
  userId: z.number().int().nullable(),
  outcome: z.enum(IMPORT_OUTCOMES),
  /** The person of a new account, or the one that a wrong line names. It is not kept after the import. */
  name: z.string(),
  email: z.string(),
  company: z.string(),
  /** What is wrong, or what is to be known about the account, one sentence each. */
  notes: z.array(z.string()),
});

export type ReportedLine = z.infer<typeof reportedLine>;

/** A file that somebody checks before the import, and after it only the report. Nobody else can open it. */
const preparedImport: Wizard<{ name: string; csv: string; report: ReportedLine[] | null }> = {
  kind: "users-import",
  schema: z.object({ name: z.string(), csv: z.string(), report: z.array(reportedLine).nullable() }),
  lifetime: DAY,
};

interface Checked {
  lines: ReportedLine[];
  /** Identifies the file and what becomes of each of its lines. */
  digest: string;
}

/** Collects what becomes of each line. A line with a problem is wrong, whatever was said about it before. */
class Report {
  private readonly lines = new Map<number, ReportedLine>();

  put(line: number, outcome: ImportOutcome, given: Partial<ReportedLine>): void {
    const empty = { username: "", userId: null, name: "", email: "", company: "", notes: [] };
    const before = this.lines.get(line) ?? empty;
    this.lines.set(line, { ...before, ...given, line, outcome, notes: [...before.notes, ...(given.notes ?? [])] });
  }

  get all(): ReportedLine[] {
    return [...this.lines.values()].sort((one, other) => one.line - other.line);
  }
}

const NO_PASSWORD = "The person needs a link to choose a password.";

/** The options of an import that changes nothing and reports what it would do. */
function checking(name: string, csv: string, report: Report) {
  return {
    file: { name, bytes: Buffer.from(csv) },
    allowAdmins: false,
    onProblem: (line: number, { field, message }: { field?: string; message: string }) =>
      report.put(line, "Wrong", { notes: [field ? `${field}: ${message}` : message] }),
    onExisting: (line: number, username: string, userId: number) => report.put(line, "Existing", { username, userId }),
    onWrong: (line: number, cells: Readonly<Record<string, string>>) => {
      const typed = (column: string) => cellBeginning(cells[column]?.trim() ?? "");
      report.put(line, "Wrong", {
        username: typed("username"),
        name: `${typed("firstName")} ${typed("lastName")}`.trim(),
        email: typed("email"),
        company: typed("company"),
      });
    },
    onNew: (line: number, account: ImportedAccount) =>
      report.put(line, "New", {
        username: account.username,
        name: `${account.firstName} ${account.lastName}`,
        email: account.email,
        company: account.company,
        notes: account.disabled ? ["The account is disabled."] : account.passwordHash === "" ? [NO_PASSWORD] : [],
      }),
  };
}

/** Reads a file and says what becomes of each line. Changes nothing. Throws a FileProblem when it cannot be read to its end. */
async function checkFile({ name, csv }: { name: string; csv: string }, { actor }: SessionUser): Promise<Checked> {
  const report = new Report();
  await importAccounts({ ...checking(name, csv, report), dryRun: true, actor });
  const lines = report.all;
  const outcomes = lines.map(({ line, outcome, username, notes }) => [line, outcome, username, notes]);
  const digest = createHash("sha256").update(csv).update(JSON.stringify(outcomes)).digest("base64url");
  return { lines, digest };
}

const refusal = (message: string, field?: string, status = 422) =>
  new PortalError(message, { code: "accounts.import", status, ...(field && { field }) });

/** What was sent: a file with its name, or a pasted text. */
export interface SentFile {
  name: string;
  bytes: Buffer;
  field: "csv" | "csvFile";
}

/**
 * Checks a file and keeps it for a day, for this user administrator only. Returns the id under which the page shows it. Throws a PortalError
 * for the field that was used when the file is empty, too large, or cannot be read to its end.
 */
export async function prepareImport({ name, bytes, field }: SentFile, admin: SessionUser): Promise<string> {
  if (bytes.length > IMPORT_BYTES)
    throw refusal(
      `The file is larger than ${IMPORT_BYTES / 1024} KB. The command 'users import' takes larger ones.`,
      field,
    );
  // The bytes are read before they become a text, which no longer shows in which encoding they were.
  const rows = await countRows({ name, bytes, field }, admin);
  if (rows === 0) throw refusal("The file has no rows below the header row.", field);
  if (rows > IMPORT_ROWS)
    throw refusal(`The file has ${rows} rows, more than ${IMPORT_ROWS}. The command 'users import' takes it.`, field);
  return startDraft(preparedImport, admin.id, { name, csv: bytes.toString("utf8"), report: null });
}

/** Returns how many rows a file has. Throws a PortalError for the field that was used when it cannot be read to its end. */
async function countRows({ name, bytes, field }: SentFile, { actor }: SessionUser): Promise<number> {
  const nobody = () => undefined;
  const silent = { onProblem: nobody, onExisting: nobody };
  try {
    return (await importAccounts({ file: { name, bytes }, allowAdmins: false, dryRun: true, actor, ...silent })).rows;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
    throw refusal(message.endsWith(".") ? message : `${message}.`, field);
  }
}

async function getPrepared(admin: SessionUser, id: string) {
  const draft = await loadDraft(preparedImport, admin.id, id);
  if (!draft) throw notFound();
  return draft;
}

type Prepared = Awaited<ReturnType<typeof getPrepared>>;

const isNew = ({ outcome }: ReportedLine): boolean => outcome === "New";

const countsOf = (lines: readonly ReportedLine[]) =>
  Object.fromEntries(
    IMPORT_OUTCOMES.map((outcome) => [outcome, lines.filter((line) => line.outcome === outcome).length]),
  ) as Record<ImportOutcome, number>;

/** Returns what becomes of the lines of a file now, or has become of them, with the digest of a file that is not imported yet. */
async function linesOf(
  { data }: Prepared,
  admin: SessionUser,
): Promise<{ lines: ReportedLine[]; digest: string | null }> {
  return data.report ? { lines: data.report, digest: null } : checkFile(data, admin);
}

/**
 * Returns one page of the lines of a file, with how many there are of each outcome. `digest` is what `importPrepared` needs; it is null once
 * the file is imported. Throws a PortalError (404) when this user administrator has prepared no such file within a day.
 */
export async function loadPrepared(admin: SessionUser, id: string, params: ImportListParams) {
  const draft = await getPrepared(admin, id);
  const { lines, digest } = await linesOf(draft, admin);
  const shown = lines.filter(({ outcome }) => params.outcome === null || outcome === params.outcome);
  const ordered = params.sort.direction === "asc" ? shown : shown.toReversed();
  const pages = pagesOf(shown.length, params.size);
  const page = Math.min(params.page, pages);
  const rows = ordered.slice((page - 1) * params.size, page * params.size);
  const { name } = draft.data;
  return { id, name, rows, total: shown.length, counts: countsOf(lines), digest, pages, params: { ...params, page } };
}

/** Returns the lines of a file as a CSV file. Throws what `loadPrepared` throws. */
export async function exportReport(admin: SessionUser, id: string) {
  const { lines } = await linesOf(await getPrepared(admin, id), admin);
  const rows = lines.map((row) => [
    String(row.line),
    row.outcome,
    row.username,
    row.name,
    row.email,
    row.company,
    row.notes.join(" "),
  ]);
  const csv = toCsv([["Line", "Outcome", "User name", "Name", "Email", "Company", "Notes"], ...rows]);
  return { bytes: Buffer.from(csv), mediaType: "text/csv; charset=utf-8", fileName: "users-import-report.csv" };
}

/** Returns a CSV file with the names of the columns, to be filled in. */
export const importTemplate = () => ({
  bytes: Buffer.from(toCsv([[...IMPORT_COLUMNS.required, ...IMPORT_COLUMNS.optional]])),
  mediaType: "text/csv; charset=utf-8",
  fileName: "users-import-template.csv",
});

const CHANGED =
  "Accounts were made or changed since this page was shown, so nothing was imported. Look at the lines again, then import.";
const ALREADY = "This file has been imported already.";

/** Takes the file, so that it is imported once. */
async function takePrepared(trx: Trx, { id }: Prepared, admin: SessionUser, now: Date): Promise<void> {
  await lockAdministratorsFor(trx, admin.actor);
  const row = await lockDraft(trx, { id, userId: admin.id, kind: preparedImport.kind }, now);
  if (!row) throw notFound();
  if (preparedImport.schema.parse(JSON.parse(row.data)).report !== null) throw refusal(ALREADY, undefined, 409);
}

/** Returns the report that is kept. What the file said about the persons is in the accounts now. */
const reportOf = (lines: readonly ReportedLine[], accounts: readonly StoredAccount[]): ReportedLine[] => {
  const stored = new Map(accounts.map(({ line, id }) => [line, id]));
  return lines.map((row) => ({
    ...row,
    ...(isNew(row) && { outcome: "Imported" as const, userId: stored.get(row.line) ?? null }),
    name: "",
    email: "",
    company: "",
  }));
};

/**
 * Imports a file that this user administrator has checked, in one transaction with its report, exactly as the page has shown it. Returns how
 * many accounts there are new, and 0 when the file was imported before. Throws a PortalError (409) when other things would become of its
 * lines than the page showed, (403) when the actor is no longer a user administrator, and one when a line is wrong.
 *
 * @param seen The digest that the page showed.
 */
export async function importPrepared(admin: SessionUser, id: string, seen: string, now = new Date()): Promise<number> {
  const draft = await getPrepared(admin, id);
  const { name, csv, report } = draft.data;
  if (report !== null) return 0;
  const { lines, digest } = await checkFile({ name, csv }, admin);
  if (digest !== seen) throw refusal(CHANGED, undefined, 409);
  if (lines.some(({ outcome }) => outcome === "Wrong"))
    throw refusal("Nothing was imported, because some lines are wrong. Correct the file and check it again.");
  const { imported } = await importAccounts(
    {
      ...checking(name, csv, new Report()),
      dryRun: false,
      actor: admin.actor,
      onBegin: (trx) => takePrepared(trx, draft, admin, now),
      onStored: async (trx, accounts) => {
        const data = { name, csv: "", report: reportOf(lines, accounts) };
        await updateDraft(trx, id, { data: JSON.stringify(data), expiresAt: new Date(now.getTime() + DAY) });
      },
    },
    now,
  );
  return imported;
}
