import { recordAudits } from "~/domain/audit/audit.service.server";
import { type ChangedMeanwhile } from "~/domain/changed-meanwhile";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { companyReference } from "~/domain/companies/company-reference";
import { requireMember } from "~/domain/companies/membership.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { withOpened } from "~/domain/merge-form.server";
import { getConfig } from "~/lib/config.server";
import { notFound, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb, type Trx } from "~db/connection.server";
import { isUnnamed } from "~db/repositories/members.server";
import { findUserById, lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import {
  type AccountDetails,
  companyPartOf,
  detailsOf,
  accountChanges,
  differingDetails,
  versionOf,
} from "./account-details.server";
import { requireNoImpersonation } from "./administration/impersonation.policy";
import {
  type CheckedDetails,
  checkDetails,
  isVatUnchecked,
  newVatOutcome,
  storeDetails,
} from "./company-details.server";
import { formValuesOf } from "./details-form.server";
import { lockedFields } from "./details.policy";
import { changeEmail, findPendingEmail } from "./email-change.service.server";
import { needsProofForSecurity, requireFreshProof } from "./factors/step-up.server";
import { getProfile } from "./profile.service.server";
import { prepareSecurity, storeSecurity } from "./security-change.server";
import { type SessionUser } from "./session-user";
import { type UserDetails, type UserDetailsRules } from "./user-details.schema";
import { consumeEmailLinkTry } from "./verification.service.server";

async function getOwner({ id }: SessionUser): Promise<UserRow> {
  const owner = await findUserById(getDb(), id);
  if (!owner) throw notFound();
  return owner;
}

/**
 * Returns whether the user changes the company, too. Whoever still has to enter its details does that on the page of that duty, and changes
 * only the person here. Administrators have the whole form, because they can change the name of the company.
 */
const changesCompany = (user: SessionUser): boolean =>
  mayAsMember(user, "manage-company") && (!user.hasDetailsMissing || user.isAdmin || user.impersonator !== null);

/** Returns the rules of the form for the account as it is stored now. */
export async function userDetailsRules(user: SessionUser): Promise<UserDetailsRules> {
  const stored = await getOwner(user);
  const { firstName, lastName, email } = stored;
  const ownsCompany = changesCompany(user);
  return {
    locked: lockedFields(user, stored),
    isRequired: stored.isApplicant && ownsCompany,
    ownsCompany,
    kept: { firstName, lastName, email },
    securityQuestion: stored.securityQuestion ?? "",
    passwordMinLength: getConfig().accounts.passwordMinLength,
    isActing: user.impersonator !== null,
  };
}

/**
 * Returns the data of the user details page: the initial values of the form with their version, which the form sends back, the rules, and
 * the email address that waits to be confirmed, and whether the company still has no name of its own.
 */
export async function loadUserDetails(user: SessionUser) {
  const [profile, rules, pendingEmail, isCompanyUnnamed] = await Promise.all([
    getProfile(user.id),
    userDetailsRules(user),
    findPendingEmail(user.id),
    user.hasDetailsMissing && isUnnamed(getDb(), user.id),
  ]);
  const { securityQuestion } = rules;
  const values = withOpened({ ...formValuesOf(profile), securityQuestion, version: versionOf(detailsOf(profile)) });
  return { values, rules, pendingEmail, isCompanyUnnamed };
}

/**
 * Returns the details that the form sends. Those that this person may not change have their stored values: only owners change the company.
 *
 * @param current The stored details.
 */
function detailsIn(form: UserDetails, user: SessionUser, stored: UserRow, current: AccountDetails): AccountDetails {
  const { firstName, lastName, position, telephoneNumber } = form;
  const email = form.email === stored.email ? stored.email : form.email.toLowerCase();
  const person = { firstName, lastName, company: form.company, position, email, telephoneNumber };
  if (!changesCompany(user)) return { ...current, ...person, company: current.company };
  const locked = lockedFields(user, stored);
  const company = locked.company ?? form.company;
  return { ...person, ...companyPartOf(form, company), ...locked };
}

/**
 * Returns the differences when the stored details have changed since the page showed them. Returns null when they have not, or when there
 * is nothing left to change.
 */
async function changedMeanwhile(
  trx: Trx,
  form: UserDetails,
  current: AccountDetails,
  typed: AccountDetails,
): Promise<ChangedMeanwhile | null> {
  const version = versionOf(current);
  if (form.version === version) return null;
  const differing = await differingDetails(trx, current, typed);
  // The same form sent twice finds nothing left to change.
  return differing.length === 0 ? null : { differing, version };
}

/** The form requires the password itself. This error is for an address that changed while the form was on its way. */
const passwordMissing = () =>
  new PortalError(messages.required, { code: "account.password-missing", field: "currentPassword" });

/**
 * Ignores a new email address that waits for its link already, for example because the same form is sent twice. It is requested only once.
 */
async function withoutPending(trx: Trx, typed: AccountDetails, stored: UserRow, now: Date): Promise<AccountDetails> {
  const pending = await findPendingEmail(stored.id, trx, now);
  return pending?.email === typed.email ? { ...typed, email: stored.email } : typed;
}

interface Save {
  user: SessionUser;
  typed: AccountDetails;
  /** The checked details of the company. Null for a member who does not change them. */
  checked: CheckedDetails | null;
  /** The changes in words. A new email address has audit entries of its own. */
  changed: readonly string[];
  now: Date;
}

async function store(trx: Trx, stored: UserRow, { user, typed, checked, changed, now }: Save): Promise<void> {
  const { firstName, lastName, company, position, telephoneNumber, email } = typed;
  const columns = checked && { company, ...(await storeDetails(trx, stored, checked, company)) };
  await updateUser(trx, user.id, { firstName, lastName, position, telephoneNumber, ...columns }, now);
  const newEmail = { email, actor: user.actor, sessionId: user.sessionId };
  if (email !== stored.email) await changeEmail(trx, { ...stored, firstName }, newEmail, now);
  await refreshOwnersCodes(trx, user.id);
  const outcome = checked && newVatOutcome(stored, checked);
  const about = {
    actor: user.actor,
    userId: user.id,
    ...(checked && { reference: companyReference(stored.companyId) }),
  };
  const entries = [
    ...(changed.length === 0
      ? []
      : [{ ...about, event: "account.details-updated", message: `Changed the user details: ${changed.join(", ")}.` }]),
    ...(outcome === null ? [] : [{ ...about, event: "account.vat-checked", message: outcome }]),
  ];
  await recordAudits(trx, entries, now);
}

export interface SavedDetails {
  /** The new session epoch when the password changed, which ends every session; else null. */
  sessionEpoch: number | null;
  /** The new email address when it waits for its link, else null. */
  pendingEmail: string | null;
  /** Whether the VAT service could not be asked. */
  isVatUnchecked: boolean;
  /** Whether the form changed anything, or the VAT service was asked. */
  hasChanged: boolean;
}

/**
 * Saves the details of a user and the company, the email address, and the password and security question, in one transaction with their
 * audit entries. Returns the result, or the differences when nothing was saved because the stored details changed since the page was
 * opened. Throws a PortalError for the field that is not valid, and one (403, `account.step-up`) for a change of email address, password or
 * security question by a user with a second factor who has not used it within ten minutes.
 */
export async function saveUserDetails(
  user: SessionUser,
  form: UserDetails,
  now = new Date(),
): Promise<SavedDetails | ChangedMeanwhile> {
  const owner = await getOwner(user);
  const sent = detailsIn(form, user, owner, detailsOf(await getProfile(user.id)));
  const ownsCompany = changesCompany(user);
  const checked = ownsCompany ? await checkDetails(user.id, sent, form.useCompanyAddress) : null;
  if (form.security && (await needsProofForSecurity(user))) await requireFreshProof(user, now);
  const security = form.security && (await prepareSecurity(user, owner, form.security, now));
  if (security && sent.email !== owner.email) await consumeEmailLinkTry(user.id);

  return inTransaction(async (trx) => {
    const stored = await lockUser(trx, user.id, now);
    if (!stored) throw notFound();
    if (ownsCompany) await requireMember(trx, user, stored, "manage-company");
    const current = detailsOf(await getProfile(user.id, trx));
    const typed = await withoutPending(trx, detailsIn(form, user, stored, current), stored, now);
    const changed = await accountChanges(trx, current, typed);
    const isNewEmail = typed.email !== stored.email;
    if (isNewEmail) requireNoImpersonation(user, "the email address", "email");
    const conflict = await changedMeanwhile(trx, form, current, typed);
    if (conflict) return conflict;
    if (isNewEmail && !security) throw passwordMissing();
    // The password is stored first: a new one withdraws earlier requests to change the address, but must not withdraw the one in this form.
    const sessionEpoch = security && (await storeSecurity(trx, stored, { ...security, actor: user.actor, now }));
    const details = checked && { ...checked, ...lockedFields(user, stored) };
    await store(trx, stored, { user, typed, checked: details, changed, now });
    const pendingEmail = isNewEmail && stored.emailVerifiedAt !== null ? typed.email : null;
    const hasVatOutcome = details !== null && newVatOutcome(stored, details) !== null;
    const hasChanged = changed.length > 0 || isNewEmail || security !== null || hasVatOutcome;
    return { sessionEpoch, pendingEmail, isVatUnchecked: checked !== null && isVatUnchecked(checked), hasChanged };
  });
}
