import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { listAvailableCodes } from "~db/repositories/available-codes.server";
import { countSubcodes } from "~db/repositories/codes.server";
import { type CodeType } from "~db/tables";
import { startCodeDraft } from "./code-draft.server";
import { CODE_TYPE_LABELS } from "./code-types";
import { whyNoSubEntity } from "./codes.policy";
import { openCode } from "./open-code.server";

/** Returns the error for an account that has no available code of a type. */
export const noneAvailable = (codeType: CodeType) =>
  new PortalError(`You have no ${CODE_TYPE_LABELS[codeType]} available to register. Please purchase one first.`, {
    code: "codes.none-available",
    status: 409,
  });

/** Returns the error for a code under which no sub-entity is permitted. */
export const noSubEntity = (reason: string) => new PortalError(reason, { code: "codes.no-sub-entity", status: 409 });

/** Starts the registration of an entity. Returns the id of the draft. Throws a PortalError when no code of the type is available. */
export async function startEntity(user: SessionUser, codeType: CodeType): Promise<string> {
  await openCode(user, { type: codeType }, null);
  const available = await listAvailableCodes(getDb(), user.companyId);
  if (!available.some((one) => one.codeType === codeType)) throw noneAvailable(codeType);
  return startCodeDraft(user.id, { type: codeType });
}

/**
 * Starts the registration of a sub-entity. Returns the id of the draft. Throws a PortalError when no sub-entity is permitted under this
 * code.
 */
export async function startSubEntity(user: SessionUser, parentId: number): Promise<string> {
  const { parent } = await openCode(user, { parent: parentId }, null);
  if (!parent) throw notFound();
  const reason = whyNoSubEntity({ ...parent, subEntities: await countSubcodes(getDb(), parentId) });
  if (reason) throw noSubEntity(reason);
  return startCodeDraft(user.id, { parent: parentId });
}
