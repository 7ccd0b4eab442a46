import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import { takeAvailableCode } from "~db/repositories/available-codes.server";
import { countSubcodes, findCode, findCodeByName, insertFreeCode, lockCode } from "~db/repositories/codes.server";
import { holdUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { drawCode, insertWithNewCode } from "./allocation.server";
import { type CodeContactForm } from "./code-contact.schema";
import { storeContacts } from "./code-contacts.server";
import { type CodeForm } from "./code-details.schema";
import { type CodeDraft, endCodeDraft, lockCodeDraft } from "./code-draft.server";
import { typedParts } from "./code-parts.server";
import { fullCode, SUB_ENTITIES } from "./code-types";
import { whyNoSubEntity } from "./codes.policy";
import { type OpenCode, openCode } from "./open-code.server";
import { registerColumns } from "./register-columns.server";
import { noneAvailable, noSubEntity } from "./registration-start.service.server";
import { checkCountries, checkDirectParent, detailColumns, storeAddresses } from "./store-code.server";

/** The message of COD-05, word for word. */
export const SUBCODE_EXISTS = "Entered sub code already exist. Please specify another code and try again.";

/**
 * Returns whether a sub-entity with this sub-code exists under a code of the user's company. Throws a PortalError (404) when the user has no such
 * code.
 */
export async function hasSubEntity(user: SessionUser, parentId: number, subcode: string): Promise<boolean> {
  const { parent } = await openCode(user, { parent: parentId }, null);
  if (!parent) throw notFound();
  return (await findCodeByName(getDb(), parent.code, subcode)) !== null;
}

type Named = Pick<NewRow<"codes">, "code" | "subcode">;

/** Stores the addresses of a new code. Returns a function that makes its row from the code and the sub-code. */
async function prepareRow(trx: Trx, { codeType, ownerId, companyId, parent }: OpenCode, form: CodeForm, now: Date) {
  const parts = typedParts(form, { entityType: 0, otherText: "" });
  await checkDirectParent(trx, parts.directParentId);
  const { canRegister, maxNumber } = SUB_ENTITIES[codeType];
  const columns = {
    userId: ownerId,
    companyId,
    codeType,
    parentId: parent?.id ?? null,
    ...detailColumns(parts),
    ...(await storeAddresses(trx, parts, ownerId)),
    sbeCanRegister: canRegister && parent === null,
    sbeMaxNumber: parent === null ? maxNumber : null,
    createdAt: now,
    updatedAt: now,
  };
  return async (named: Named): Promise<NewRow<"codes">> => {
    const row = { ...columns, ...named };
    return { ...row, ...(await registerColumns(trx, row)) };
  };
}

interface Registered extends Named {
  id: number;
  orderId: number | null;
}

async function registerEntity(trx: Trx, open: OpenCode, form: CodeForm, now: Date): Promise<Registered> {
  const { companyId, codeType } = open;
  const orderId = await takeAvailableCode(trx, companyId, codeType);
  if (orderId === null) throw noneAvailable(codeType);
  const rowOf = await prepareRow(trx, open, form, now);
  const drawn = await insertWithNewCode(
    trx,
    async (code) => ({ ...(await rowOf({ code, subcode: "" })), orderId }),
    () => drawCode(codeType),
  );
  return { ...drawn, subcode: "", orderId };
}

async function registerSubEntity(trx: Trx, open: OpenCode, form: CodeForm, now: Date): Promise<Registered> {
  const parent = open.parent && (await lockCode(trx, open.parent.id));
  if (!parent || parent.companyId !== open.companyId) throw notFound();
  const reason = whyNoSubEntity({ ...parent, subEntities: await countSubcodes(trx, parent.id) });
  if (reason) throw noSubEntity(reason);
  const named = { code: parent.code, subcode: form.subcode };
  const rowOf = await prepareRow(trx, open, form, now);
  const id = await insertFreeCode(trx, await rowOf(named));
  if (id === null) throw new PortalError(SUBCODE_EXISTS, { code: "codes.subcode-exists", field: "subcode" });
  return { id, ...named, orderId: null };
}

/** Returns code and sub-code as the message shows them. */
const announced = ({ code, subcode }: Named) => code + subcode;

interface Registration {
  user: SessionUser;
  open: OpenCode;
  /** Null for a form that came in one request together with its contacts. */
  draft: CodeDraft | null;
  form: CodeForm;
  contacts?: readonly CodeContactForm[];
}

/**
 * Registers the entity or sub-entity of a form, in one transaction with its contacts, addresses and audit entry. An entity uses up one
 * available code. Returns the id and the name of the new code; a form that was sent before returns the code that it registered then. Throws
 * a PortalError when a rule forbids the registration.
 */
export async function registerCode(
  { user, open, draft, form, contacts: sent = [] }: Registration,
  now = new Date(),
): Promise<{ id: number; name: string }> {
  await checkCountries(form);
  return inTransaction(async (trx) => {
    await holdUser(trx, open.ownerId);
    await requireMember(trx, user, open, "register-codes");
    const filledIn = draft && (await lockCodeDraft(trx, user.id, draft));
    if (filledIn?.saved !== undefined) return nameOf(trx, filledIn.saved);
    const registered = await (open.parent ? registerSubEntity : registerEntity)(trx, open, form, now);
    await storeContacts(trx, registered.id, { held: filledIn?.contacts ?? sent, removed: [] });
    await recordAudit(
      trx,
      {
        actor: user.actor,
        event: open.parent ? "code.sub-entity-registered" : "code.entity-registered",
        message: `Registered the ${open.parent ? "sub-entity" : "entity"} ${fullCode({ ...registered, codeType: open.codeType })}.`,
        userId: open.ownerId,
        orderId: registered.orderId,
        codeId: registered.id,
      },
      now,
    );
    if (draft) await endCodeDraft(trx, draft, registered.id);
    return { id: registered.id, name: announced(registered) };
  });
}

async function nameOf(trx: Trx, id: number) {
  const code = await findCode(trx, id);
  if (!code) throw notFound();
  return { id, name: announced(code) };
}
