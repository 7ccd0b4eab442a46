import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { personName } from "~/domain/companies/people.server";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { orderNumber } from "~/domain/orders/order-number";
import { listAllCountries } from "~/domain/reference/countries.server";
import { formatDateTime } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type DataSubject } from "~db/repositories/personal-data.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { FACTOR_KINDS } from "../factors/factors.policy";
import { may, RIGHT_NAMES, type RightsHolder } from "../rights.policy";
import { type SessionUser } from "../session-user";
import { requireTask } from "../staff-rights.server";
import { accountsOf } from "./circumstances.server";
import { UNCONFIRMED_EXPORT } from "./erasure.policy";
import { type DataRow, DATA_SECTIONS } from "./sections.server";

/** The number of rows that are held in memory. */
const ROWS_AT_ONCE = 500;
/** How many rows of each section the page shows. The file has all of them. */
export const MOST_SHOWN = 100;

const FORMS = { page: "Opened the page with", file: "Downloaded a file with" } as const;

function record(actor: Actor, userId: number, form: keyof typeof FORMS, now: Date): Promise<void> {
  const message = `${FORMS[form]} the personal data of account ${userId}.`;
  return inTransaction(async (trx) => {
    if (actor.id !== userId) await requireTask(trx, actor, "change-users");
    await recordAudit(trx, { actor, event: "account.data-exported", message, userId }, now);
  });
}

/**
 * Returns whose data is read. Throws a PortalError (404) when there is no such account, and (403) when it is somebody else's and the viewer
 * is no user administrator, or an administrator acts as the viewer.
 */
async function requireSubject(
  viewer: SessionUser,
  id: number,
): Promise<DataSubject & { name: string; notice: string | null }> {
  if (viewer.impersonator) {
    const message = "An administrator who acts as a user cannot see this. It is on the page of the account.";
    throw new PortalError(message, { code: "account.acting", status: 403 });
  }
  const account = id === viewer.id || may(viewer, "change-users") ? await findUserById(getDb(), id) : null;
  if (!account) throw notFound();
  const { ids, emails, ownEmails } = await accountsOf(getDb(), id);
  const name = personName(account);
  return { ids, emails, ownEmails, name, notice: emails.length < ownEmails.length ? UNCONFIRMED_EXPORT : null };
}

/** Returns the name of a person whose data a user administrator is about to read. Returns null for everybody else, and when there is no such account. */
export async function findSubjectName(viewer: RightsHolder, id: number): Promise<string | null> {
  const account = may(viewer, "change-users") ? await findUserById(getDb(), id) : null;
  return account && personName(account);
}

const lastId = (rows: readonly DataRow[]) => Number(rows.at(-1)?.id ?? 0);

/** Yields the JSON of one section's rows, read in portions. */
async function* rowsOf({ read }: (typeof DATA_SECTIONS)[number], subject: DataSubject): AsyncGenerator<string> {
  let separator = "";
  for (let after = 0; ;) {
    const rows = await read(getDb(), subject, { after, limit: ROWS_AT_ONCE });
    for (const row of rows) {
      yield `${separator}\n    ${JSON.stringify(row)}`;
      separator = ",";
    }
    if (rows.length < ROWS_AT_ONCE) return;
    after = lastId(rows);
    if (after === 0) return;
  }
}

async function* fileOf(subject: DataSubject, now: Date): AsyncGenerator<Uint8Array> {
  const bytes = (text: string) => Buffer.from(text, "utf8");
  yield bytes(`{\n  "madeAt": ${JSON.stringify(now.toISOString())}`);
  for (const section of DATA_SECTIONS) {
    yield bytes(`,\n  ${JSON.stringify(section.key)}: [`);
    for await (const row of rowsOf(section, subject)) yield bytes(row);
    yield bytes("]");
  }
  yield bytes("\n}\n");
}

/**
 * Returns everything that the portal holds about a person as a JSON file, and records that it was made. The file is made while it is sent.
 * Throws what `requireSubject` throws.
 */
export async function exportPersonalData(viewer: SessionUser, id: number, now = new Date()) {
  const subject = await requireSubject(viewer, id);
  await record(viewer.actor, id, "file", now);
  return { content: fileOf(subject, now), mediaType: "application/json", fileName: `personal-data-${id}.json` };
}

/** The columns whose names are no plain words. */
const COLUMN_LABELS: Readonly<Record<string, string>> = {
  id: "Number",
  at: "When",
  lastAt: "Last time",
  kind: "Type",
  emailVerifiedAt: "Email confirmed",
  updatedAt: "Last change",
  isApplicant: "Right Applicant",
  isAdmin: "Administrator",
  isDisabled: "Disabled",
  mergedInto: "Merged into account",
  becamePartOf: "Former company, now part of",
  changedBy: "Changed by account",
  adminLockedAt: "Locked by an administrator",
  userAgent: "Browser or program",
  place: "Browser or network, as a hash",
  organisationUnit: "Organisational unit",
  subjectAlternateName: "Alternative names",
  subcode: "Sub-code",
  totalCents: "Total in cents",
  purchaseOrderNumber: "Your purchase order number",
  orderId: "Sales order",
  countryId: "Country",
  certificateId: "Certificate",
  codeId: "ID code",
};

/** Returns the name of a column in words: `lastLoginAt` becomes `Last login`. */
function columnLabel(name: string): string {
  const known = COLUMN_LABELS[name];
  if (known !== undefined) return known;
  const words = name.replace(/(?<=.)At$/, "").replace(/[A-Z]|\d/g, (letter) => ` ${letter.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bvat\b/i, "VAT");
}

/** The columns whose values are names of the program, such as `account.data-exported`. */
const NAMED = ["event", "kind", "endReason", "outcome"];

/** The columns whose values have names of their own. */
const VALUE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: ROLE_NAMES,
  right: RIGHT_NAMES,
  kind: FACTOR_KINDS,
};

/** The names of the countries by their ids. Parts of some values have the id alone. */
type Countries = ReadonlyMap<number, string>;

/** Returns the value of a column as text for people. */
function cellOf(name: string, value: unknown, countries: Countries): string {
  if (name === "orderId" && typeof value === "number") return orderNumber(value);
  const text = cellText(value, countries);
  const known = VALUE_NAMES[name]?.[text];
  if (known !== undefined) return known;
  return NAMED.includes(name) ? text.replace(".", ": ").replaceAll("-", " ") : text;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Returns a value as text for people. */
function cellText(value: unknown, countries: Countries): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return TIMESTAMP.test(value) ? formatDateTime(value) : value;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((part) => cellText(part, countries)).join(", ");
  return Object.entries(value)
    .filter(([, part]) => part !== "" && part !== null)
    .map(([name, part]) => {
      const country = name === "country" || name === "countryId" ? countries.get(Number(part)) : undefined;
      return `${columnLabel(name)}: ${country ?? cellText(part, countries)}`;
    })
    .join("; ");
}

/**
 * Returns what the portal holds about a person for a page, at most 100 rows of each kind, and records that it was seen. Throws what
 * `requireSubject` throws.
 */
export async function readPersonalData(viewer: SessionUser, id: number, now = new Date()) {
  const subject = await requireSubject(viewer, id);
  await record(viewer.actor, id, "page", now);
  const sections = [];
  const countries: Countries = new Map((await listAllCountries()).map((one) => [one.id, one.name]));
  for (const { key, title, read } of DATA_SECTIONS) {
    const rows = await read(getDb(), subject, { after: 0, limit: MOST_SHOWN + 1 });
    const columns = Object.keys(rows[0] ?? {});
    const cells = rows.slice(0, MOST_SHOWN).map((row) => columns.map((name) => cellOf(name, row[name], countries)));
    sections.push({ key, title, columns: columns.map(columnLabel), rows: cells, hasMore: rows.length > MOST_SHOWN });
  }
  return { name: subject.name, notice: subject.notice, madeAt: now.toISOString(), sections };
}

export type PersonalDataView = Awaited<ReturnType<typeof readPersonalData>>;
