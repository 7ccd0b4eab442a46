import { SEPARATED_DUTIES } from "~/domain/accounts/administration/dual-control.policy";
import { detailOf } from "~/domain/security-events/details";
import { type SecurityEventName } from "~/domain/security-events/events";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { type PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { clientOf, userOf } from "./client.server";
import { shownError } from "./responses.server";

/**
 * Records an event about a request, with the user as far as it is known.
 *
 * @param ownerId The account of a session that has ended.
 */
export function noteEvent(request: Request, event: SecurityEventName, detail: string, ownerId?: number): void {
  const user = userOf(request);
  const who = {
    userId: user?.id ?? ownerId ?? null,
    actorName: user?.actor.name ?? null,
    impersonatorId: user?.impersonator?.id ?? null,
  };
  void recordSecurityEvent(getDb(), { event, ...who, client: clientOf(request), detail });
}

/** Events of refusals that have a code of their own. */
const BY_CODE: Readonly<Record<string, SecurityEventName>> = {
  [SEPARATED_DUTIES]: "access.refused",
  "account.second": "access.refused",
  "certificate.own-order": "access.refused",
  "form.csrf": "csrf.refused",
  "form.origin": "origin.refused",
  "client.network": "client.refused",
  "token.proxy": "token.refused",
  "token.refused": "token.refused",
};

function eventOf({ code, status }: PortalError): SecurityEventName | null {
  if (status === 429) return "rate-limit.reached";
  if (BY_CODE[code]) return BY_CODE[code];
  return status === 403 ? "access.refused" : null;
}

/** Records the refusal of a page or call when it is about security: rights, separated duties, forms of other sites, rate limits. */
export function noteRefusal(request: Request, error: PortalError): void {
  const event = eventOf(error);
  if (event) noteEvent(request, event, detailOf(error));
}

/** Records the refusal that a response shows. */
export function noteAnswer(request: Request, response: Response): void {
  const error = shownError(response);
  if (error) noteRefusal(request, error);
  else if (response.status === 429) noteEvent(request, "rate-limit.reached", "There were too many tries.");
}
