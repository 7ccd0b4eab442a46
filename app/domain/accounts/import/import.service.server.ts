import { basename } from "node:path";
import { type Actor, recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { type CsvSource, nameOfSource } from "~/lib/csv/csv-encoding.server";
import { readCsvFile } from "~/lib/csv/csv-file.server";
import { batchesOf, type RowProblem, RowReport } from "~/lib/csv/csv-rows.server";
import { PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import { insertAddressPairs } from "~db/repositories/account-import.server";
import { listCountries } from "~db/repositories/countries.server";
import { insertUsers, type NewUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { addressPart } from "../address-form";
import { hashUnknownPassword } from "../passwords.server";
import { IMPORT_COLUMNS } from "./columns";
import { checkAgainstAccounts, FileNames, findAccounts, readRow } from "./import-check.server";
import { type ImportedAccount, importSchema } from "./import.schema";

/** The number of rows that are held in memory and written in one statement. */
const BATCH = 250;

export interface ImportOptions {
  file: CsvSource;
  allowAdmins: boolean;
  dryRun: boolean;
  actor: Actor;
  /** Called for each problem of a row, with the line, the column and the reason. */
  onProblem: (line: number, problem: RowProblem) => void;
  /** Called for each row whose user name exists already. The account is not changed. */
  onExisting: (line: number, username: string, id: number) => void;
  /** Called for each row that is wrong by itself, with what it contains by column, before its problems are reported. */
  onWrong?: (line: number, cells: Readonly<Record<string, string>>) => void;
  /** Called for each row that can be imported. A problem with the same row can follow. */
  onNew?: (line: number, account: ImportedAccount) => void;
  /** Called in the transaction that stores the accounts, before anything is stored. */
  onBegin?: (trx: Trx) => Promise<void>;
  /** Called in this transaction with the accounts that it has stored. */
  onStored?: (trx: Trx, accounts: readonly StoredAccount[]) => Promise<void>;
}

export interface StoredAccount {
  line: number;
  username: string;
  id: number;
}

export interface ImportResult {
  rows: number;
  existing: number;
  /** The number of rows that cannot be imported. If there is any, nothing is imported. */
  bad: number;
  imported: number;
}

type Row = { line: number; account: ImportedAccount };

/**
 * Reads the whole file and changes nothing. Reports problems and existing accounts, and returns the counts and the user names that exist
 * already.
 */
async function check(options: ImportOptions, schema: ReturnType<typeof importSchema>) {
  const existing = new Set<string>();
  const names = new FileNames();
  const report = new RowReport(options.onProblem);
  let rows = 0;
  let existingRows = 0;
  async function* readRows() {
    for await (const row of readCsvFile(options.file, IMPORT_COLUMNS)) yield readRow(row, schema);
  }
  try {
    for await (const batch of batchesOf(readRows(), BATCH)) {
      const accounts = await findAccounts(batch);
      for (const { line, username, cells, account, problems } of batch) {
        rows += 1;
        const known = username === null ? undefined : accounts.byName.get(username);
        if (known) {
          existing.add(known.username);
          existingRows += 1;
          report.add(line, () => options.onExisting(line, known.username, known.id));
          continue;
        }
        for (const problem of problems) report.problem(line, problem);
        if (!account) {
          if (cells) options.onWrong?.(line, cells);
          continue;
        }
        options.onNew?.(line, account);
        names.add(account, line, report.problem);
        checkAgainstAccounts(account, line, accounts, report.problem);
      }
    }
  } finally {
    names.finish(report.problem);
    report.tell();
  }
  return { rows, bad: report.badRows, existing, existingRows };
}

const toAddress = (userId: number, company: string, address: NonNullable<ImportedAccount["companyAddress"]>) => ({
  userId,
  company,
  ...addressPart({ ...address, country: address.country.id }),
});

/**
 * Returns both addresses of an account. The company address is used when the file has no invoicing address, as with the checkbox of the
 * form.
 */
const toAddresses = (userId: number, { company, companyAddress, invoicingAddress }: ImportedAccount) =>
  companyAddress && {
    userId,
    company: toAddress(userId, company, companyAddress),
    invoicing: toAddress(userId, invoicingAddress?.company || company, invoicingAddress ?? companyAddress),
  };

const toUser = (account: ImportedAccount, unusableHash: string, now: Date): NewUser => ({
  username: account.username,
  email: account.email,
  passwordHash: account.passwordHash || unusableHash,
  passwordChangedAt: now,
  mustChangePassword: account.passwordHash === "",
  firstName: account.firstName,
  lastName: account.lastName,
  company: account.company,
  position: account.position,
  telephoneNumber: account.telephoneNumber,
  vatNumber: account.vatNumber || null,
  taxNumber: account.taxNumber || null,
  companyRegistrationNumber: account.companyRegistrationNumber || null,
  securityQuestion: account.securityQuestion || null,
  securityAnswerHash: account.securityAnswerHash || null,
  ...account.rights,
  isDisabled: account.disabled,
  createdAt: now,
  updatedAt: now,
});

interface Writing {
  unusableHash: string;
  reference: string;
  actor: Actor;
  now: Date;
}

async function storeBatch(
  trx: Trx,
  batch: readonly Row[],
  { unusableHash, reference, actor, now }: Writing,
): Promise<StoredAccount[]> {
  const ids = await insertUsers(
    trx,
    batch.map(({ account }) => toUser(account, unusableHash, now)),
  );
  const stored = batch.map(({ line, account }) => {
    const id = ids.get(account.username);
    if (id === undefined)
      throw new PortalError(`'${account.username}' was registered meanwhile. Nothing was imported: try again.`, {
        code: "accounts.import",
      });
    return { line, account, id };
  });
  await insertAddressPairs(
    trx,
    stored.flatMap(({ id, account }) => toAddresses(id, account) ?? []),
  );
  const event = "account.imported";
  const entries = stored.map(({ id, line }) => ({
    actor,
    event,
    message: `Imported from line ${line} of a file.`,
    userId: id,
    reference,
  }));
  await recordAudits(trx, entries, now);
  return stored.map(({ id, line, account: { username } }) => ({ id, line, username }));
}

/**
 * Stores all new accounts in one transaction. The file is read a second time, so that only one batch at a time is in memory. Returns the
 * number of accounts.
 */
async function store(
  options: ImportOptions,
  schema: ReturnType<typeof importSchema>,
  existing: ReadonlySet<string>,
  now: Date,
): Promise<number> {
  const unusableHash = await hashUnknownPassword();
  const reference = basename(nameOfSource(options.file)).slice(0, 200);
  async function* newRows(): AsyncGenerator<Row> {
    for await (const row of readCsvFile(options.file, IMPORT_COLUMNS)) {
      const { line, username, account } = readRow(row, schema);
      if (username !== null && existing.has(username)) continue;
      if (!account) throw new Error(`The file was changed while it was read (line ${line}). Nothing was imported.`);
      yield { line, account };
    }
  }
  return inTransaction(async (trx) => {
    await options.onBegin?.(trx);
    const accounts: StoredAccount[] = [];
    for await (const batch of batchesOf(newRows(), BATCH)) {
      accounts.push(...(await storeBatch(trx, batch, { unusableHash, reference, actor: options.actor, now })));
    }
    await options.onStored?.(trx, accounts);
    const count = accounts.length;
    if (count === 0) return 0;
    const message = `Accounts imported from a file: ${count}.`;
    await recordAudit(trx, { actor: options.actor, event: "accounts.imported", message, reference }, now);
    return count;
  });
}

/**
 * Imports accounts from a CSV file; docs/operations.md describes it. A single bad row stops the whole import, and all accounts are stored
 * in one transaction with their audit entries. Existing user names are reported and not changed, so a second run changes nothing. A dry run
 * stops after the check. Throws a FileProblem when the file cannot be read to its end.
 */
export async function importAccounts(options: ImportOptions, now = new Date()): Promise<ImportResult> {
  const countries = new Map((await listCountries(getDb())).map((country) => [country.iso, country]));
  const schema = importSchema({ countries, allowAdmins: options.allowAdmins });
  const { rows, bad, existing, existingRows } = await check(options, schema);
  const imported = options.dryRun || bad > 0 ? 0 : await store(options, schema, existing, now);
  return { rows, bad, existing: existingRows, imported };
}
