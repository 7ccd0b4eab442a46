import { may, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireRole } from "~/domain/companies/roles.policy";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CodeRow, findCode } from "~db/repositories/codes.server";
import { type CodeType } from "~db/tables";
import { type CodeRules } from "./code-details-fields";
import { type CodeDraft, type CodeTarget } from "./code-draft.server";
import { statusChoices } from "./code-status.policy";
import { mayEditEntityType, whyNotEdit } from "./codes.policy";
import { offeredEntityTypes } from "./entity-types";

/** The code, stored or new, that a page is about, and what this person may do with it. */
export interface OpenCode {
  target: CodeTarget;
  /** Null while the code is being registered. */
  stored: CodeRow | null;
  /** The parent of a sub-code; null for a code without a parent. */
  parent: CodeRow | null;
  codeType: CodeType;
  /** Who registered the code, or registers it now, and the company that owns it. */
  ownerId: number;
  companyId: number;
  draft: CodeDraft | null;
  mayEdit: boolean;
  /** Why this person may not edit the code, or null. */
  barrier: string | null;
  rules: CodeRules;
}

type Found = Pick<OpenCode, "stored" | "parent" | "codeType" | "ownerId" | "companyId">;

async function findStored(user: SessionUser, id: number): Promise<Found> {
  const stored = await findCode(getDb(), id);
  if (!stored) throw notFound();
  if (!maySee(user, stored)) throw hiddenFrom(user);
  const parent = stored.parentId === null ? null : await findCode(getDb(), stored.parentId);
  const { codeType, userId: ownerId, companyId } = stored;
  return { stored, parent, codeType, ownerId, companyId };
}

/** Finds what is needed for a registration. Members with a role that may register codes for their company, and sub-entities only under its codes. */
async function findRegistration(user: SessionUser, target: { type: CodeType } | { parent: number }): Promise<Found> {
  if (!user.isApplicant) throw notFound();
  requireRole(user, "register-codes");
  const owner = { ownerId: user.id, companyId: user.companyId };
  if ("type" in target) return { stored: null, parent: null, codeType: target.type, ...owner };
  const parent = await findCode(getDb(), target.parent);
  if (!parent) throw notFound();
  if (parent.companyId !== user.companyId) throw hiddenFrom(user);
  return { stored: null, parent, codeType: parent.codeType, ...owner };
}

/** Returns the code for the page. Throws a PortalError (404) when the code does not exist or belongs to somebody else. */
export async function openCode(user: SessionUser, target: CodeTarget, draft: CodeDraft | null): Promise<OpenCode> {
  const found = "code" in target ? await findStored(user, target.code) : await findRegistration(user, target);
  const { stored, parent, codeType } = found;
  // A new code will belong to the user's company.
  const code = stored ?? { companyId: user.companyId, status: "Registered" as const, codeType };
  const offered = offeredEntityTypes({ isSubEntity: parent !== null, stored: stored?.entityType ?? 0 });
  const rules: CodeRules = {
    asksSubcode: !stored && parent !== null,
    statuses: stored && statusChoices(may(user, "change-codes")),
    entityTypes: mayEditEntityType(user, code) ? offered : null,
  };
  const barrier = whyNotEdit(user, code);
  return { target, ...found, draft, mayEdit: barrier === null, barrier, rules };
}
