import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound, type PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { NO_CLIENT } from "./client";
import { recordSecurityEvent } from "./security-events.service.server";

/** Records that a user asked for something of another account. */
export function noteOthers({ id, actor }: SessionUser): void {
  const { name, impersonatorId = null, client = NO_CLIENT } = actor;
  const who = { userId: id, actorName: name, impersonatorId, client };
  void recordSecurityEvent(getDb(), { event: "access.refused", ...who, detail: "It belongs to another account." });
}

/** Returns the error for something of another account, which must not show that it exists, and records that the user asked for it. */
export function hiddenFrom(user: SessionUser): PortalError {
  noteOthers(user);
  return notFound();
}
