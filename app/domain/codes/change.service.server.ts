import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { type ChangedMeanwhile } from "~/domain/changed-meanwhile";
import { requireMemberOrStaff } from "~/domain/companies/membership.server";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { deleteAddress } from "~db/repositories/addresses.server";
import {
  changeCode,
  type CodeRow,
  countSubcodes,
  expireSubcodes,
  lockCode,
  lockDirectParents,
} from "~db/repositories/codes.server";
import { holdUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { tellOfEnd } from "./certificates/code-end.server";
import { type CodeContactForm } from "./code-contact.schema";
import { contactsOf, storeContacts } from "./code-contacts.server";
import { type CodeForm } from "./code-details.schema";
import { endCodeDraft, lockCodeDraft } from "./code-draft.server";
import { type CodeParts, changesOf, differingCode, partsOf, typedParts } from "./code-parts.server";
import { expiredWithIt, whyNoStatusChange } from "./code-status.policy";
import { fullCode } from "./code-types";
import { mayEditCode, NOT_EDITABLE } from "./codes.policy";
import { contactChanges } from "./contact-changes";
import { type OpenCode } from "./open-code.server";
import { registerColumns } from "./register-columns.server";
import { checkCountries, checkDirectParent, detailColumns, storeAddresses } from "./store-code.server";

/** The error for a code that cannot be edited: because of its status (409), or because the person may not (403). */
export const notEditable = (barrier: string = NOT_EDITABLE) =>
  barrier === NOT_EDITABLE
    ? new PortalError(barrier, { code: "codes.not-editable", status: 409 })
    : new PortalError(barrier, { code: "account.right", status: 403 });

/** Throws a PortalError for the field `status` when the status of the parent or the sub-codes forbids the change. */
async function requireStatus(trx: Trx, code: CodeRow, parent: CodeRow | null, to: CodeRow["status"]): Promise<void> {
  const registeredSubcodes = await countSubcodes(trx, code.id, "Registered");
  const reason = whyNoStatusChange({ from: code.status, to, parent: parent?.status ?? null, registeredSubcodes });
  if (reason) throw new PortalError(reason, { code: "codes.status", field: "status" });
}

/** Throws a PortalError when the code cannot have its new direct parent. A direct parent that stays is not checked. */
async function requireDirectParent(trx: Trx, code: CodeRow, before: CodeParts, after: CodeParts): Promise<void> {
  if (before.directParentId === after.directParentId) return;
  await lockDirectParents(trx);
  await checkDirectParent(trx, after.directParentId, code);
}

/** Locks the parent, then the code. Whoever changes the status of a sub-code locks both. */
async function lockWithParent(trx: Trx, user: SessionUser, id: number, parentId: number | null) {
  const parent = parentId === null ? null : await lockCode(trx, parentId);
  const code = await lockCode(trx, id);
  if (!code) throw notFound();
  if (!maySee(user, code)) throw hiddenFrom(user);
  return { code, parent };
}

interface Change {
  user: SessionUser;
  before: CodeParts;
  after: CodeParts;
  changed: readonly string[];
  now: Date;
}

async function storeDetails(trx: Trx, code: CodeRow, { after, now }: Change): Promise<void> {
  const addresses = await storeAddresses(trx, after, code.userId, code);
  const columns = await registerColumns(trx, { ...code, ...addresses, entityName: after.entityName });
  await changeCode(trx, code.id, code.updatedAt, { ...detailColumns(after), ...addresses, ...columns }, now);
  for (const part of ["physicalAddressId", "mailingAddressId"] as const)
    if (code[part] !== null && addresses[part] === null) await deleteAddress(trx, code[part]);
}

/** Expires the sub-codes of an expiring code (COD-06). Returns in words which ones. */
async function expireWithParent(trx: Trx, parent: CodeRow, { user, now }: Change): Promise<string> {
  const expired = (await expireSubcodes(trx, parent.id, now)).sort((one, other) =>
    one.subcode < other.subcode ? -1 : 1,
  );
  const entryOf = (code: CodeRow) => ({
    actor: user.actor,
    event: "code.expired-with-parent",
    message: `Expired the sub-entity ${fullCode(code)} with its parent code.`,
    userId: code.userId,
    codeId: code.id,
  });
  await recordAudits(trx, expired.map(entryOf), now);
  for (const code of expired) await tellOfEnd(trx, code, now);
  return expiredWithIt(expired);
}

async function store(trx: Trx, code: CodeRow, change: Change): Promise<void> {
  const { user, before, after, changed, now } = change;
  await storeDetails(trx, code, change);
  const isExpiring = before.status !== after.status && after.status === "Expired";
  const expired = isExpiring ? await expireWithParent(trx, code, change) : "";
  if (before.status !== after.status && after.status !== "Registered")
    await tellOfEnd(trx, { ...code, status: after.status, entityName: after.entityName }, now);
  const status = before.status === after.status ? "" : ` The status was '${before.status}' and is '${after.status}'.`;
  await recordAudit(
    trx,
    {
      actor: user.actor,
      event: "code.changed",
      message: `Changed ${fullCode(code)}: ${changed.join(", ")}.${status}${expired && ` ${expired}`}`,
      userId: code.userId,
      orderId: code.orderId,
      codeId: code.id,
    },
    now,
  );
}

/** Returns the timestamp of the next version. It is always later than the one before, even within the same millisecond. */
const later = (now: Date, than: string) => new Date(Math.max(now.getTime(), Date.parse(than) + 1));

interface Save {
  user: SessionUser;
  open: OpenCode;
  form: CodeForm;
  /** The new and changed contacts that come with the form. The contacts of a draft are stored in the draft. */
  contacts?: readonly CodeContactForm[];
  /** The ids of the stored contacts to remove. Those of a draft are stored in the draft. */
  gone?: readonly number[];
  /** Checks everything and saves nothing. Used before a question is asked. */
  isTrial?: boolean;
}

/**
 * Changes a code with its contacts and addresses, in one transaction with the audit entry. Returns null when it was saved or nothing was to
 * be changed. Returns the differences when nothing was saved because the code changed since the page was opened. Throws a PortalError when
 * a rule forbids the change.
 */
export async function saveCode(
  { user, open, form, contacts: sent = [], gone = [], isTrial }: Save,
  now = new Date(),
): Promise<ChangedMeanwhile | null> {
  const { stored, draft } = open;
  if (!stored) throw notFound();
  await checkCountries(form);
  return inTransaction(async (trx) => {
    await holdUser(trx, stored.userId);
    const filledIn = draft ? await lockCodeDraft(trx, user.id, draft) : null;
    if (filledIn?.saved !== undefined) return null;
    const { code, parent } = await lockWithParent(trx, user, stored.id, stored.parentId);
    const before = await partsOf(trx, code);
    const after = typedParts(form, before);
    const contacts = contactChanges(await contactsOf(trx, code.id), {
      held: filledIn?.contacts ?? sent,
      gone: filledIn?.gone ?? gone,
    });
    const changed = [...(await changesOf(trx, before, after)), ...contacts.inWords];
    if (changed.length > 0) {
      await requireMemberOrStaff(trx, user, code, { task: "change-own-codes", staffTask: "change-codes" });
      if (!mayEditCode(user, code)) throw notEditable();
      if (form.version !== code.updatedAt)
        return {
          version: code.updatedAt,
          differing: [
            ...(await differingCode(trx, before, after)),
            ...(contacts.inWords.length > 0 ? ["contacts"] : []),
          ],
        };
      await requireStatus(trx, code, parent, after.status);
      await requireDirectParent(trx, code, before, after);
      if (isTrial) return null;
      await store(trx, code, { user, before, after, changed, now: later(now, code.updatedAt) });
      await storeContacts(trx, code.id, contacts);
    }
    if (draft && !isTrial) await endCodeDraft(trx, draft, code.id);
    return null;
  });
}
