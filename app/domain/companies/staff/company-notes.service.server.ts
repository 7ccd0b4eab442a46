import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findCompany } from "~db/repositories/companies.server";
import { insertCompanyNote, listCompanyNotes } from "~db/repositories/company-notes.server";
import { inTransaction } from "~db/transaction.server";
import { companyReference } from "../company-reference";
import { personName } from "../people.server";

/** Returns the notes about a company, the latest first, each with the name of who wrote it. */
export async function listNotesAbout(companyId: number) {
  const rows = await listCompanyNotes(getDb(), companyId);
  return rows.map(({ id, text, writtenAt, ...person }) => ({ id, text, writtenAt, by: personName(person) }));
}

/**
 * Adds a note about a company. It is never changed or deleted. Throws a PortalError (403) when the rights do not allow it, and (404) when
 * there is no such company.
 */
export async function addCompanyNote(user: SessionUser, companyId: number, text: string, now = new Date()) {
  await inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "write-company-notes");
    const company = await findCompany(trx, companyId);
    if (!company) throw notFound();
    await insertCompanyNote(trx, { companyId, writtenBy: user.id, writtenAt: now, text });
    const message = `Added a note about ${company.name}.`;
    const reference = companyReference(companyId);
    await recordAudit(trx, { actor: user.actor, event: "company.note-added", message, reference }, now);
  });
}
