import { z } from "zod";
import { requireNoCustomerTaken } from "~/domain/companies/no-staff.server";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import { countOwned, listOpenAccounts, lockOpenAccounts } from "~db/repositories/account-merge.server";
import { updateDraft } from "~db/repositories/drafts.server";
import { listWithFactor } from "~db/repositories/second-factors.server";
import { lockAdministrators } from "~db/repositories/user-administration.server";
import { listRightsOfMany } from "~db/repositories/user-rights.server";
import { type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { preparePassword, setPassword } from "../password-change.service.server";
import { namesOfRights, rightsOf } from "../rights.policy";
import { type SessionUser } from "../session-user";
import { choicesOf, type ComparedDetail, type DetailName, losesLastAdministrator } from "./consolidation.policy";
import { type ConsolidationForm, type ConsolidationRules } from "./consolidation.schema";
import { compareAccounts, type Comparison } from "./consolidation.server";
import { mergeAccounts, type MergedDetails } from "./merge.server";

const refusal = (code: string, message: string) => new PortalError(message, { code: `consolidation.${code}` });

export const CONSOLIDATION_MESSAGES = {
  unverified: "Please confirm your email address first: request a link and follow it.",
  changed: "The accounts were changed meanwhile. Please check your choices and try again.",
  gone: "This account was closed meanwhile. Please log in again.",
  password: "The time to confirm has run out. Please enter the new password again.",
  lastAdministrator:
    "One of the other accounts is the portal's only administrator, and a merge does not hand on the right Admin. Please log in with that account.",
} as const;

/** Why accounts with a second factor are not closed, and how the user can go on. */
const closesFactor = (names: string, hasOwnFactor: boolean): string =>
  hasOwnFactor
    ? `This account and others that it would be merged with have a second factor (${names}). Please contact us: the second factors of all but one must be reset first.`
    : `An account with a second factor is not closed (${names}). Please log out and log in with that account: the others are merged into it.`;

/** The hash of a new password that waits until the merge is confirmed. */
const heldPassword: Wizard<{ passwordHash: string }> = {
  kind: "account-merge",
  schema: z.object({ passwordHash: z.string() }),
  lifetime: 30 * 60_000,
};

const passwordRule = (user: SessionUser) =>
  user.passwordAge === "expired" ? getConfig().accounts.passwordMinLength : null;

export const rulesOf = (user: SessionUser, details: readonly ComparedDetail[]): ConsolidationRules => ({
  choices: choicesOf(details),
  passwordMinLength: passwordRule(user),
});

/**
 * Returns the data of the page: the accounts with the user's email, the user's own first, the comparison of their details, and what the
 * merge does to their companies.
 */
export async function loadConsolidation(user: SessionUser) {
  const rows = await listOpenAccounts(getDb(), user.email);
  const { details, version, companies } = await compareAccounts(getDb(), rows, user.id);
  const { certificates, codes, orders } = await countOwned(
    getDb(),
    rows.map(({ id }) => id),
  );
  const granted = await listRightsOfMany(
    getDb(),
    rows.map(({ id }) => id),
  );
  const toAccount = (row: UserRow) => ({
    id: row.id,
    isOwn: row.id === user.id,
    username: row.username,
    rights: namesOfRights(rightsOf(row, granted.get(row.id) ?? [])),
    lastLoginAt: row.lastLoginAt,
    certificates: certificates.get(row.id) ?? 0,
    codes: codes.get(row.id) ?? 0,
    orders: orders.get(row.id) ?? 0,
  });
  const accounts = rows.map(toAccount).sort((one, other) => Number(other.isOwn) - Number(one.isOwn));
  const shown = user.emailVerified ? { details, companies } : { details: [], companies: [] }; // the address may be somebody else's
  return { accounts, ...shown, version, rules: rulesOf(user, shown.details) };
}

/** Returns the rules of the form for the current state of the accounts. */
export async function findConsolidationRules(user: SessionUser): Promise<ConsolidationRules> {
  const rows = await listOpenAccounts(getDb(), user.email);
  return rulesOf(user, (await compareAccounts(getDb(), rows, user.id)).details);
}

/**
 * Returns the id of the account whose detail is kept: the only option or the chosen one. Returns undefined when no account has the detail.
 * Throws a PortalError when there are several options and none of them was chosen.
 */
function keptAccount({ details }: Comparison, form: ConsolidationForm, name: DetailName): number | undefined {
  const options = details.find((detail) => detail.name === name)?.options ?? [];
  const chosen = options.find(({ accountId }) => String(accountId) === form[name]);
  if (options.length > 1 && !chosen) throw refusal("changed", CONSOLIDATION_MESSAGES.changed);
  return (chosen ?? options[0])?.accountId;
}

/**
 * Returns the details of the surviving account, each taken from the account that was chosen for it. The details of its company are among
 * them only when the merge joins another company to it.
 */
function keptDetails(
  rows: readonly UserRow[],
  comparison: Comparison,
  form: ConsolidationForm,
  survivor: UserRow,
): MergedDetails {
  const source = (name: DetailName) => {
    const id = keptAccount(comparison, form, name);
    return rows.find((row) => row.id === id) ?? survivor;
  };
  const person = {
    firstName: source("firstName").firstName,
    lastName: source("lastName").lastName,
    position: source("position").position,
    telephoneNumber: source("telephoneNumber").telephoneNumber,
  };
  if (!comparison.joinsCompanies) return person;
  const invoicing = comparison.invoicing.get(source("invoicing").id);
  return {
    ...person,
    company: source("company").company,
    companyRegistrationNumber: source("companyRegistrationNumber").companyRegistrationNumber,
    taxNumber: source("taxNumber").taxNumber,
    vatNumber: invoicing?.vatNumber ?? null,
    vatNumberChecked: invoicing?.vatNumberChecked ?? null,
    companyAddressId: source("companyAddress").companyAddressId,
    invoicingAddressId: invoicing?.address?.id ?? null,
    mailingAddressId: source("mailingAddress").mailingAddressId,
  };
}

/**
 * Throws a PortalError when one of the accounts that a merge closes has a second factor. A merge asks for the email only, so it would open
 * what that factor protects to whoever knows the password of another account. The account with the factor can be the one that remains.
 */
async function requireNoFactor(trx: Trx, survivor: UserRow, others: readonly UserRow[]): Promise<void> {
  const all = await listWithFactor(
    trx,
    [survivor, ...others].map(({ id }) => id),
  );
  const names = others.filter(({ id }) => all.includes(id)).map(({ username }) => username);
  if (names.length === 0) return;
  throw refusal("second-factor", closesFactor(names.join(", "), all.includes(survivor.id)));
}

/** Returns the accounts to merge and locks them until the transaction ends. Throws a PortalError when they must not be merged now. */
async function lockAccounts(trx: Trx, user: SessionUser, sessionEpoch: number | undefined) {
  const administrators = await lockAdministrators(trx);
  const rows = await lockOpenAccounts(trx, user.email);
  const survivor = rows.find(({ id }) => id === user.id);
  const others = rows.filter(({ id }) => id !== user.id);
  if (!survivor || survivor.sessionEpoch !== sessionEpoch) throw refusal("gone", CONSOLIDATION_MESSAGES.gone);
  if (survivor.emailVerifiedAt === null) throw refusal("unverified", CONSOLIDATION_MESSAGES.unverified);
  const closed = others.map(({ id }) => id);
  if (losesLastAdministrator(administrators, closed))
    throw refusal("last-administrator", CONSOLIDATION_MESSAGES.lastAdministrator);
  await requireNoFactor(trx, survivor, others);
  await requireNoCustomerTaken(trx, survivor.id, closed);
  return { rows, survivor, others };
}

export interface Consolidated {
  /** The number of accounts that were merged; 0 when they had been merged already. */
  merged: number;
  /** The new session epoch when a new password raised it, else null. */
  sessionEpoch: number | null;
}

/** Returns the details that the merge keeps. Throws a PortalError when the accounts have changed since the page showed them. */
async function requireShown(trx: Trx, rows: readonly UserRow[], survivor: UserRow, form: ConsolidationForm) {
  const comparison = await compareAccounts(trx, rows, survivor.id);
  if (comparison.version !== form.version) throw refusal("changed", CONSOLIDATION_MESSAGES.changed);
  return keptDetails(rows, comparison, form, survivor);
}

const findOwn = async (user: SessionUser) =>
  (await listOpenAccounts(getDb(), user.email)).find(({ id }) => id === user.id);

/**
 * Checks everything that a merge needs, before the user confirms it. Changes no account. Returns the fields that the confirmation sends.
 * They contain no password: its hash waits in a draft. Throws the same errors as `consolidateAccounts`.
 */
export async function prepareConsolidation(user: SessionUser, form: ConsolidationForm, now = new Date()) {
  const own = await findOwn(user);
  const mustChange = passwordRule(user) !== null;
  const passwordHash = mustChange && own ? await preparePassword(form.password ?? "", own) : null;
  await inTransaction(async (trx) => {
    const { rows, survivor } = await lockAccounts(trx, user, own?.sessionEpoch);
    await requireShown(trx, rows, survivor, form);
  });
  const { password: _, confirmPassword: __, ...shown } = form;
  const held = passwordHash === null ? "" : await startDraft(heldPassword, user.id, { passwordHash }, now);
  return { ...shown, held };
}

/**
 * Merges the accounts with the user's email into the one that is logged in, with the chosen details, in one transaction. When a new
 * password is required, sets the one that `prepareConsolidation` stored. Throws a PortalError, and changes nothing, when the email is not
 * confirmed, when the accounts have changed since the page showed them, when an account with a second factor would be closed, or when the
 * portal would lose its last administrator.
 */
export async function consolidateAccounts(
  user: SessionUser,
  form: ConsolidationForm,
  now = new Date(),
): Promise<Consolidated> {
  const before = await findOwn(user);
  const mustChange = passwordRule(user) !== null;
  const held = mustChange ? await loadDraft(heldPassword, user.id, form.held, now) : null;

  return inTransaction(async (trx) => {
    const { rows, survivor, others } = await lockAccounts(trx, user, before?.sessionEpoch);
    if (others.length === 0) return { merged: 0, sessionEpoch: null };
    const details = await requireShown(trx, rows, survivor, form);
    if (mustChange && !held) throw refusal("password", CONSOLIDATION_MESSAGES.password);
    await mergeAccounts(trx, { survivor, others, details, actor: user.actor }, now);
    if (!held) return { merged: others.length, sessionEpoch: null };
    const { passwordHash } = held.data;
    const sessionEpoch = await setPassword(trx, survivor, { passwordHash, actor: user.actor, now });
    await updateDraft(trx, held.id, { data: "{}" });
    return { merged: others.length, sessionEpoch };
  });
}
