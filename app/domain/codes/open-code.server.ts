import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CodeRow, findCode } from "~db/repositories/codes.server";
import { type CodeType } from "~db/tables";
import { type CodeRules } from "./code-details-fields";
import { type CodeDraft, type CodeTarget } from "./code-draft.server";
import { statusChoices } from "./code-status.policy";
import { mayEditCode, mayEditEntityType, maySeeCode } from "./codes.policy";
import { offeredEntityTypes } from "./entity-types";

/** What the page of a code is about, with what this person may do to it. */
export interface OpenCode {
  target: CodeTarget;
  /** Null while it is being registered. */
  stored: CodeRow | null;
  /** Of a sub-code. */
  parent: CodeRow | null;
  codeType: CodeType;
  ownerId: number;
  draft: CodeDraft | null;
  mayEdit: boolean;
  rules: CodeRules;
}

type Found = Pick<OpenCode, "stored" | "parent" | "codeType" | "ownerId">;

async function findStored(user: SessionUser, id: number): Promise<Found> {
  const stored = await findCode(getDb(), id);
  if (!stored || !maySeeCode(user, stored)) throw notFound();
  const parent = stored.parentId === null ? null : await findCode(getDb(), stored.parentId);
  return { stored, parent, codeType: stored.codeType, ownerId: stored.userId };
}

/** Applicants register for themselves, sub-entities under codes of their own. */
async function findRegistration(user: SessionUser, target: { type: CodeType } | { parent: number }): Promise<Found> {
  if (!user.isApplicant) throw notFound();
  if ("type" in target) return { stored: null, parent: null, codeType: target.type, ownerId: user.id };
  const parent = await findCode(getDb(), target.parent);
  if (!parent || parent.userId !== user.id) throw notFound();
  return { stored: null, parent, codeType: parent.codeType, ownerId: user.id };
}

/** Throws a 404 PortalError for what is not there and for what is somebody else's. */
export async function openCode(user: SessionUser, target: CodeTarget, draft: CodeDraft | null): Promise<OpenCode> {
  const found = "code" in target ? await findStored(user, target.code) : await findRegistration(user, target);
  const { stored, parent, codeType } = found;
  // What is registered will be the user's own.
  const code = stored ?? { userId: user.id, status: "Registered" as const, codeType };
  const offered = offeredEntityTypes({ isSubEntity: parent !== null, stored: stored?.entityType ?? 0 });
  const rules: CodeRules = {
    asksSubcode: !stored && parent !== null,
    statuses: stored && statusChoices(user.isAdmin),
    entityTypes: mayEditEntityType(user, code) ? offered : null,
  };
  return { target, ...found, draft, mayEdit: mayEditCode(user, code), rules };
}
