import { basename } from "node:path";
import { addressPart } from "~/domain/accounts/address-form";
import { type Actor, recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { readCsvFile } from "~/lib/csv/csv-file.server";
import { batchesOf, type RowProblem, RowReport } from "~/lib/csv/csv-rows.server";
import { getDb, type Trx } from "~db/connection.server";
import {
  insertAddressList,
  insertContacts,
  listEntitiesNamed,
  type RegisterOwner,
} from "~db/repositories/code-register.server";
import { insertCodes } from "~db/repositories/codes.server";
import { listCountries } from "~db/repositories/countries.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { SUB_ENTITIES } from "../code-types";
import { codeSearchColumns } from "../search-columns";
import { REGISTER_COLUMNS } from "./columns";
import {
  findExisting,
  findOwners,
  ownerOf,
  readRegisterRow,
  type ReadRegisterRow,
  Register,
} from "./register-check.server";
import { type RegisterRow, registerRowSchema } from "./register-row.schema";
import { UsedOwners } from "./used-owners.server";

/** The number of rows that are held in memory and written in one statement. */
const BATCH = 250;

export interface RegisterImport {
  file: string;
  dryRun: boolean;
  actor: Actor;
  /** Called for each problem of a row, with the line, the column and the reason. */
  onProblem: (line: number, problem: RowProblem) => void;
  /** Called for each row whose code exists already. The code is not changed. */
  onExisting: (line: number, name: string) => void;
}

type Schema = ReturnType<typeof registerRowSchema>;

async function* rowsOf(file: string, schema: Schema): AsyncGenerator<ReadRegisterRow> {
  for await (const row of readCsvFile(file, REGISTER_COLUMNS)) yield readRegisterRow(row, schema);
}

/**
 * Reads the whole file, changes nothing, and reports problems and existing codes in the order of the lines. Returns the number of rows of
 * each kind, and the codes that exist already.
 */
async function check({ file, onProblem, onExisting }: RegisterImport, schema: Schema) {
  const existing = new Set<string>();
  const register = new Register();
  const report = new RowReport(onProblem);
  let [rows, existingRows] = [0, 0];
  try {
    for await (const batch of batchesOf(rowsOf(file, schema), BATCH)) {
      const [owners, known] = [await findOwners(batch), await findExisting(batch)];
      for (const { line, name, facts, problems } of batch) {
        rows += 1;
        if (name !== null && known.has(name)) {
          existing.add(name);
          existingRows += 1;
          report.add(line, () => onExisting(line, name));
          continue;
        }
        for (const problem of problems) report.problem(line, problem);
        if (!facts) continue;
        const owner = ownerOf(facts.owner, owners);
        if (typeof owner === "string") report.problem(line, { field: "owner", message: owner });
        register.add(facts, line, report.problem);
      }
    }
  } finally {
    await register.finish(report.problem);
    report.tell();
  }
  return { rows, bad: report.badRows, existing, existingRows };
}

type Address = NonNullable<RegisterRow["physicalAddress"]>;
type Placed = { row: RegisterRow; line: number; owner: RegisterOwner };

function toCode({ row, owner }: Placed, given: Partial<NewRow<"codes">>, now: Date): NewRow<"codes"> {
  const { canRegister, maxNumber } = SUB_ENTITIES[row.codeType];
  const isEntity = row.subcode === "";
  const place = row.physicalAddress
    ? { city: row.physicalAddress.city, countryId: row.physicalAddress.country.id }
    : { city: owner.city ?? "", countryId: owner.countryId };
  return {
    userId: owner.id,
    companyId: owner.companyId,
    codeType: row.codeType,
    code: row.code,
    subcode: row.subcode,
    status: row.status,
    entityName: row.entityName,
    shortName: row.shortName || null,
    tradeName: row.tradeName || null,
    vatNumber: row.vatNumber || null,
    dunsNumber: row.dunsNumber || null,
    directParent: row.directParent || null,
    domesticUltimateParent: row.domesticUltimateParent || null,
    globalUltimateParent: row.globalUltimateParent || null,
    entityType: row.entityType ?? 0,
    entityTypeOther: row.entityTypeOther || null,
    sbeCanRegister: row.sbeCanRegister ?? (isEntity && canRegister),
    sbeMaxNumber: row.sbeMaxNumber === null ? (isEntity ? maxNumber : null) : row.sbeMaxNumber || null,
    useCompanyAddress: !row.physicalAddress,
    usePhysicalAddress: !row.mailingAddress,
    ...codeSearchColumns(row, { company: owner.company, email: owner.email, ...place }),
    createdAt: row.registeredAt ?? now,
    updatedAt: now,
    ...given,
  };
}

/** Stores the addresses that `of` returns. Returns the id of the address of each row that has one. */
async function storeAddresses(trx: Trx, rows: readonly Placed[], of: (row: RegisterRow) => Address | undefined) {
  const placed = rows.flatMap(({ row, owner }) => {
    const address = of(row);
    if (!address) return [];
    const lines = addressPart({ ...address, country: address.country.id });
    return [{ row, address: { userId: owner.id, company: owner.company, ...lines } }];
  });
  const ids = await insertAddressList(
    trx,
    placed.map(({ address }) => address),
  );
  return new Map(placed.map(({ row }, index) => [row, ids[index] ?? null]));
}

async function storeBatch(trx: Trx, rows: readonly Placed[], { actor, reference, now }: Writing): Promise<void> {
  const physical = await storeAddresses(trx, rows, (row) => row.physicalAddress);
  const mailing = await storeAddresses(trx, rows, (row) => row.mailingAddress);
  const children = rows.filter(({ row }) => row.subcode !== "");
  const parents = await listEntitiesNamed(trx, [...new Set(children.map(({ row }) => row.code))]);
  const parentIds = new Map(parents.map(({ code, id }) => [code, id]));
  const codes = rows.map((placed) => {
    const { row } = placed;
    const parentId = row.subcode === "" ? null : (parentIds.get(row.code) ?? null);
    const addresses = { physicalAddressId: physical.get(row) ?? null, mailingAddressId: mailing.get(row) ?? null };
    return toCode(placed, { parentId, ...addresses }, now);
  });
  const ids = await insertCodes(trx, codes);
  const contacts = rows.flatMap(({ row }, index) => row.contacts.map((person) => toContact(ids[index] ?? 0, person)));
  await insertContacts(trx, contacts);
  const entries = rows.map(({ line }, index) => ({
    actor,
    event: "code.imported",
    message: `Imported from line ${line} of a file.`,
    reference,
    codeId: ids[index] ?? null,
  }));
  await recordAudits(trx, entries, now);
}

const toContact = (codeId: number, person: RegisterRow["contacts"][number]): NewRow<"codeContacts"> => ({
  codeId,
  ...person,
  jobTitle: person.jobTitle || null,
  department: person.department || null,
  phoneNumber: person.phoneNumber || null,
  mobile: person.mobile || null,
  fax: person.fax || null,
});

interface Writing {
  actor: Actor;
  reference: string;
  now: Date;
}

/**
 * Stores all new codes in one transaction. The file is read two more times, first for the codes and then for the sub-codes, so that every
 * code is stored before its sub-codes. Returns the number of codes.
 */
async function store({ file, actor }: RegisterImport, schema: Schema, existing: ReadonlySet<string>, now: Date) {
  const writing = { actor, reference: basename(file).slice(0, 200), now };
  return inTransaction(async (trx) => {
    const used = new UsedOwners();
    let count = 0;
    for (const isOfEntities of [true, false])
      for await (const batch of batchesOf(rowsOf(file, schema), BATCH)) {
        const owners = await findOwners(batch, trx);
        const placed = batch.flatMap(({ line, name, row }): Placed[] => {
          if (name !== null && existing.has(name)) return [];
          const owner = row && ownerOf(row.owner, owners);
          if (!owner || typeof owner === "string")
            throw new Error(`The file or an account was changed meanwhile (line ${line}). Nothing was imported.`);
          if ((row.subcode === "") !== isOfEntities) return [];
          used.add(owner);
          return [{ row, line, owner }];
        });
        if (placed.length > 0) await storeBatch(trx, placed, writing);
        count += placed.length;
      }
    if (count === 0) return 0;
    await used.settle(trx);
    const entry = { event: "codes.imported", message: `Codes imported from a file: ${count}.` };
    await recordAudit(trx, { actor, reference: writing.reference, ...entry }, now);
    return count;
  });
}

/**
 * Imports a register of codes from a CSV file; docs/operations.md describes it. A single bad row stops the whole import, and all codes are
 * stored in one transaction with their audit entries. Existing codes are reported and not changed, so a second run changes nothing. A dry
 * run stops after the check. Throws a FileProblem when the file cannot be read to its end.
 */
export async function importRegister(options: RegisterImport, now = new Date()) {
  const countries = new Map((await listCountries(getDb())).map((country) => [country.iso, country]));
  const schema = registerRowSchema(countries);
  const { rows, bad, existing, existingRows } = await check(options, schema);
  const isNothingNew = rows === existingRows;
  const imported = options.dryRun || bad > 0 || isNothingNew ? 0 : await store(options, schema, existing, now);
  return { rows, bad, existing: existingRows, imported };
}
