import { PortalError } from "~/lib/errors";
import { PAGE_SIZES } from "~/lib/list-params";
import { type ChosenMail } from "~db/repositories/mail-queue.server";
import { kindOf, MAIL_KINDS } from "./kinds";

/** The maximum number of messages that can be selected, as many as the longest page has. */
const MOST_CHOSEN = Math.max(...PAGE_SIZES);

const refusal = (message: string, what: string) => new PortalError(message, { code: `mail.${what}`, status: 422 });

/** Throws a PortalError when no messages or too many are selected. */
export function requireChosen(ids: readonly number[], what: "send-again" | "dismiss"): void {
  const verb = what === "dismiss" ? "dismiss" : "send again";
  if (ids.length === 0) throw refusal(`Choose the messages to ${verb} first.`, what);
  if (ids.length > MOST_CHOSEN) throw refusal(`Choose at most ${MOST_CHOSEN} messages.`, what);
}

/** Returns a selected message in words. Contains neither its text nor its key, because either may let somebody log in. */
export function mailTitle({ dedupeKey, recipient }: ChosenMail): string {
  const kind = kindOf(dedupeKey);
  return `${kind === null ? "A message" : `The message '${MAIL_KINDS[kind].title}'`} to ${recipient}`;
}
