import { type DbOrTrx } from "../connection.server";
import { isHeld, sendableSince } from "./held-mails.server";

export interface MailFigures {
  /** Not tried yet. */
  waiting: number;
  /** Waits until an address is confirmed, or until a contact is written to again. */
  held: number;
  /** Tried in vain, and tried again. */
  failing: number;
  /** Refused for good. */
  rejected: number;
  /** Since when the oldest message can be sent that is still to be sent; null when there is none. */
  oldest: string | null;
}

/** What the mail queue holds. */
export async function findMailFigures(db: DbOrTrx): Promise<MailFigures> {
  const { all, failing, rejected, held, oldest } = await db
    .selectFrom("mails")
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .select((eb) => {
      const isToBeSent = eb.and([eb("rejectedAt", "is", null), eb.not(isHeld(eb))]);
      return [
        eb.fn.countAll<number>().as("all"),
        eb.fn
          .countAll<number>()
          .filterWhere(eb.and([isToBeSent, eb("lastError", "is not", null)]))
          .as("failing"),
        eb.fn.countAll<number>().filterWhere("rejectedAt", "is not", null).as("rejected"),
        eb.fn
          .countAll<number>()
          .filterWhere(eb.and([eb("rejectedAt", "is", null), isHeld(eb)]))
          .as("held"),
        eb.fn.min(sendableSince(eb)).filterWhere(isToBeSent).as("oldest"),
      ];
    })
    .executeTakeFirstOrThrow();
  return { waiting: all - failing - rejected - held, failing, rejected, held, oldest };
}
