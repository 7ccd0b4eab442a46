import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { personName, withClients } from "~/domain/companies/people.server";
import { idsInBatches } from "~/lib/batches.server";
import { csvInPortions } from "~/lib/csv.server";
import { getDb } from "~db/connection.server";
import { type CodeFilter, type CodeListRow, listCodeIdsAfter, listCodesShown } from "~db/repositories/code-list.server";
import { inTransaction } from "~db/transaction.server";
import { CODE_TYPE_LABELS } from "../code-types";
import { codeList, type CodeListParams } from "./code-list";
import { codeFilterFor } from "./service.server";

type ExportedCode = CodeListRow & { clientName: string | null };

/** The columns of the file: those of the list, then who registered the code. */
const COLUMNS: Record<string, (row: ExportedCode) => string | null> = {
  Code: (row) => row.code,
  Type: (row) => CODE_TYPE_LABELS[row.codeType],
  "Sub-code": (row) => row.subcode,
  Company: (row) => row.company,
  Email: (row) => row.email,
  "Entity name": (row) => row.entityName,
  Status: (row) => row.status,
  "Registered by": personName,
};

async function* rowsOf(filter: CodeFilter) {
  for await (const ids of idsInBatches((window) => listCodeIdsAfter(getDb(), filter, window))) {
    const rows = ids.length === 0 ? [] : await listCodesShown(getDb(), ids);
    const withNames = await withClients(rows, "codeId", ({ id }) => id);
    yield withNames.map((row) => Object.values(COLUMNS).map((cell) => cell(row) ?? ""));
  }
}

/**
 * Exports the codes that the list shows this user, on all its pages, as CSV for spreadsheets (RFC 4180, UTF-8 with a byte order mark), in
 * the order of their registration, and records it in the audit trail. The file is read while it is sent.
 *
 * @param params The search of the list. Without a match the file has only the headings.
 */
export async function exportCodes(
  user: SessionUser,
  params: CodeListParams,
  now = new Date(),
): Promise<AsyncIterable<Uint8Array>> {
  const filter = await codeFilterFor(user, params);
  const search = codeList.query(params, { page: 1, size: 10, show: null, selected: null }).toString();
  const message = `List of codes exported${search && ` for ${search}`}.`;
  await inTransaction((trx) => recordAudit(trx, { actor: user.actor, event: "code.list-exported", message }, now));
  return csvInPortions(Object.keys(COLUMNS), rowsOf(filter));
}
