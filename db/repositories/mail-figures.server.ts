import { type DbOrTrx } from "../connection.server";
import { isHeld, sendableSince } from "./held-mails.server";

export interface MailFigures {
  /** Messages that were not tried yet. */
  waiting: number;
  /** Messages that wait until an address is confirmed, or until a contact may be written to again. */
  held: number;
  /** Messages that failed and will be tried again. */
  failing: number;
  /** Messages that were refused permanently. */
  rejected: number;
  /** When the oldest message that is still to be sent became ready to send, or null when there is none. */
  oldest: string | null;
}

/** Returns the number of messages in each state of the mail queue. */
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

/** Returns how many messages a mail server has refused for the first time since then, for now or permanently, and that still wait. */
export async function countRefusedMails(db: DbOrTrx, since: Date): Promise<number> {
  const refused = db
    .selectFrom("mails")
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .where("failingSince", ">=", since.toISOString());
  return (await refused.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}
