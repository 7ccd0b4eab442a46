import { PortalError } from "~/lib/errors";
import { PAGE_SIZES } from "~/lib/list-params";
import { type ChosenMail } from "~db/repositories/mail-queue.server";
import { kindOf, MAIL_KINDS } from "./kinds";

/** Messages that can be chosen at a time: those of the longest page. */
const MOST_CHOSEN = Math.max(...PAGE_SIZES);

const refusal = (message: string, what: string) => new PortalError(message, { code: `mail.${what}`, status: 422 });

/** Throws a PortalError when none or too many are chosen. */
export function demandChosen(ids: readonly number[], what: "send-again" | "dismiss"): void {
  const verb = what === "dismiss" ? "dismiss" : "send again";
  if (ids.length === 0) throw refusal(`Choose the messages to ${verb} first.`, what);
  if (ids.length > MOST_CHOSEN) throw refusal(`Choose at most ${MOST_CHOSEN} messages.`, what);
}

/** A chosen message in words: neither its text nor its key, which can let somebody in. */
export function mailTitle({ dedupeKey, recipient }: ChosenMail): string {
  const kind = kindOf(dedupeKey);
  return `${kind === null ? "A message" : `The message '${MAIL_KINDS[kind].title}'`} to ${recipient}`;
}
