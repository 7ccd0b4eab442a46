import { once } from "node:events";
import { type Writable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { addressPart } from "~/domain/accounts/address-form";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { shielded } from "~/lib/csv/csv-formulas";
import { getDb } from "~db/connection.server";
import { type Address, listAddresses } from "~db/repositories/addresses.server";
import { listContactsOf, listRegister } from "~db/repositories/code-register.server";
import { listCountries } from "~db/repositories/countries.server";
import { type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { REGISTER_COLUMNS } from "./columns";

/** The number of codes that are held in memory. */
const BATCH = 500;

const COLUMNS = [...REGISTER_COLUMNS.required, ...REGISTER_COLUMNS.optional];

const addressCells = (prefix: string, address: Address | undefined, isoOf: ReadonlyMap<number, string>) =>
  address &&
  Object.fromEntries(
    Object.entries({ ...addressPart(address), country: isoOf.get(address.country) ?? "" }).map(
      ([name, value]) => [`${prefix}.${name}`, value] as const,
    ),
  );

function contactsCell(contacts: readonly Row<"codeContacts">[]): string {
  const people = contacts.map(({ id: _, codeId: __, ...person }) =>
    Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null)),
  );
  return people.length === 0 ? "" : JSON.stringify(people);
}

type Exported = Awaited<ReturnType<typeof listRegister>>[number];

async function cellsOf(codes: readonly Exported[], isoOf: ReadonlyMap<number, string>) {
  const ids = codes.flatMap((code) => [code.physicalAddressId, code.mailingAddressId]).filter((id) => id !== null);
  const addresses = new Map((await listAddresses(getDb(), ids)).map((address) => [address.id, address]));
  const contacts = await listContactsOf(
    getDb(),
    codes.map(({ id }) => id),
  );
  return codes.map((code): Record<string, string | number | boolean | null | undefined> => ({
    ...code,
    owner: code.username,
    sbeCanRegister: code.sbeCanRegister ? "yes" : "no",
    sbeMaxNumber: code.sbeMaxNumber ?? 0,
    ...addressCells("physicalAddress", addresses.get(code.physicalAddressId ?? 0), isoOf),
    ...addressCells("mailingAddress", addresses.get(code.mailingAddressId ?? 0), isoOf),
    contacts: contactsCell(contacts.filter(({ codeId }) => codeId === code.id)),
    registeredAt: code.createdAt,
  }));
}

/**
 * Writes the whole register as CSV (RFC 4180, UTF-8 with a byte order mark), batch by batch, and records it in the audit trail. The import
 * can read the file. Cells that a spreadsheet would take for a formula get an apostrophe, which the import removes. Returns the number of
 * codes.
 */
export async function exportRegister(to: Writable, actor: Actor, now = new Date()): Promise<number> {
  const isoOf = new Map((await listCountries(getDb())).map(({ id, iso }) => [id, iso]));
  const write = async (rows: readonly (readonly string[])[], bom = false) => {
    const text = stringify(
      rows.map((row) => [...row]),
      { record_delimiter: "windows", bom },
    );
    if (!to.write(text)) await once(to, "drain");
  };
  await write([COLUMNS], true);
  let count = 0;
  for (let after = { code: "", subcode: "" }, isLast = false; !isLast;) {
    const codes = await listRegister(getDb(), after, BATCH);
    const rows = await cellsOf(codes, isoOf);
    if (rows.length > 0) await write(rows.map((row) => COLUMNS.map((name) => shielded(String(row[name] ?? "")))));
    count += codes.length;
    isLast = codes.length < BATCH;
    after = codes.at(-1) ?? after;
  }
  const entry = { event: "codes.exported", message: `Codes exported to a file: ${count}.` };
  await inTransaction((trx) => recordAudit(trx, { actor, ...entry }, now));
  return count;
}
