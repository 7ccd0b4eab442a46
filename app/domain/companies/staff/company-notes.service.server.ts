import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { notFound } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { findCompany } from "~db/repositories/companies.server";
import {
  countCompanyNotes,
  hasNoteSince,
  insertCompanyNote,
  listCompanyNotes,
} from "~db/repositories/company-notes.server";
import { lockCompany } from "~db/repositories/members.server";
import { inTransaction } from "~db/transaction.server";
import { companyReference } from "../company-reference";
import { personName } from "../people.server";
import { type CompanyNoteListParams } from "./company-list";

type Window = Parameters<typeof listCompanyNotes>[2];

/** Returns some of the notes about a company, each with the name of who wrote it, and how many there are. */
export async function listNotesAbout(companyId: number, window: Window) {
  const rows = await listCompanyNotes(getDb(), companyId, window);
  return {
    rows: rows.map(({ id, text, writtenAt, ...person }) => ({ id, text, writtenAt, by: personName(person) })),
    total: await countCompanyNotes(getDb(), companyId),
  };
}

/**
 * Returns one page of the notes about a company. When the requested page is past the end, this is the last page. Throws a PortalError (404)
 * when there is no such company.
 */
export async function loadCompanyNotes(companyId: number, { size, sort, ...wanted }: CompanyNoteListParams) {
  const company = await findCompany(getDb(), companyId);
  if (!company) throw notFound();
  const pages = pagesOf(await countCompanyNotes(getDb(), companyId), size);
  const page = Math.min(wanted.page, pages);
  const { direction } = sort;
  const notes = await listNotesAbout(companyId, { direction, offset: (page - 1) * size, limit: size });
  return { ...notes, company: { id: companyId, name: company.name }, pages, params: { page, size, sort } };
}

export type CompanyNoteItem = Awaited<ReturnType<typeof listNotesAbout>>["rows"][number];

/**
 * Adds a note about a company. It is never changed or deleted. A form that is sent twice adds it once. Throws a PortalError (403) when the
 * rights do not allow it, and (404) when there is no such company.
 *
 * @param seen The id of the latest note that the page of the form showed, 0 for none. Null for a call, which has no page.
 */
export async function addCompanyNote(
  user: SessionUser,
  companyId: number,
  { text, seen }: { text: string; seen: number | null },
  now = new Date(),
) {
  await inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "write-company-notes");
    const company = await findCompany(trx, companyId);
    if (!company) throw notFound();
    await lockCompany(trx, companyId, now);
    const note = { companyId, writtenBy: user.id, text };
    if (seen !== null && (await hasNoteSince(trx, note, seen))) return;
    await insertCompanyNote(trx, { ...note, writtenAt: now });
    const message = `Added a note about ${company.name}.`;
    const reference = companyReference(companyId);
    await recordAudit(trx, { actor: user.actor, event: "company.note-added", message, reference }, now);
  });
}
