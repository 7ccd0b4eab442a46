import { recordAudit } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { companyReference } from "~/domain/companies/company-reference";
import { requireRole } from "~/domain/companies/roles.policy";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { isUnnamed } from "~db/repositories/members.server";
import { findUserById, lockUser, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { companyPartOf } from "./account-details.server";
import { hasDetailsMissing } from "./accounts.policy";
import { checkDetails, isVatUnchecked, storeDetails } from "./company-details.server";
import { lockedFields } from "./details.policy";
import { type CompletedDetails, type CompletionRules } from "./details.schema";
import { type SessionUser } from "./session-user";

/** Returns the rules of the form with which this user completes the registration. */
export async function completionRules(user: SessionUser): Promise<CompletionRules> {
  const [stored, namesCompany] = await Promise.all([findUserById(getDb(), user.id), isUnnamed(getDb(), user.id)]);
  if (!stored) throw notFound();
  return { locked: lockedFields(user, stored, namesCompany), isRequired: true, namesCompany };
}

/**
 * Completes a registration: stores company numbers, addresses and VAT number in one transaction with the audit entry, and the name of a
 * company that has none yet. The VAT number is checked for the invoiced country. What was saved before stays as it is (see `lockedFields`).
 * Returns whether the VAT service could not be asked. Throws a PortalError (403) for a member who is no owner, and for the field that is not valid.
 */
export async function completeRegistration(
  user: SessionUser,
  form: CompletedDetails,
  now = new Date(),
): Promise<{ isVatUnchecked: boolean }> {
  requireRole(user, "manage-company");
  const owner = await findUserById(getDb(), user.id);
  if (!owner) throw notFound();
  const part = { ...companyPartOf(form, form.company ?? owner.company), ...lockedFields(user, owner) };
  const checked = await checkDetails(user.id, part, form.useCompanyAddress);

  await inTransaction(async (trx) => {
    const stored = await lockUser(trx, user.id, now);
    if (!stored) throw notFound();
    if (!hasDetailsMissing(stored)) return; // The same form was sent twice.
    const details = { ...checked, ...lockedFields(user, stored) };
    const name = (await isUnnamed(trx, user.id)) ? form.company : undefined;
    const columns = await storeDetails(trx, stored, details, name ?? stored.company);
    await updateUser(trx, user.id, { ...columns, ...(name !== undefined && { company: name }) }, now);
    await refreshOwnersCodes(trx, user.id);
    const message = `Completed the registration${name === undefined ? "" : `, and named the company ${name}`}.`;
    const entry = { event: "account.details-completed", message };
    const about = { userId: user.id, reference: companyReference(stored.companyId) };
    await recordAudit(trx, { actor: user.actor, ...entry, ...about }, now);
  });
  return { isVatUnchecked: isVatUnchecked(checked) };
}
