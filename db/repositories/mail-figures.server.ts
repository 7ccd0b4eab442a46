import { type DbOrTrx } from "../connection.server";

export interface MailFigures {
  /** Not tried yet. */
  waiting: number;
  /** Tried in vain, and tried again. */
  failing: number;
  /** Refused for good. */
  rejected: number;
  /** When the oldest message was queued that is still to be sent; null when there is none. */
  oldest: string | null;
}

/** What the mail queue holds. */
export async function findMailFigures(db: DbOrTrx): Promise<MailFigures> {
  const { all, failing, rejected, oldest } = await db
    .selectFrom("mails")
    .where("sentAt", "is", null)
    .where("dismissedAt", "is", null)
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn
        .countAll<number>()
        .filterWhere("lastError", "is not", null)
        .filterWhere("rejectedAt", "is", null)
        .as("failing"),
      fn.countAll<number>().filterWhere("rejectedAt", "is not", null).as("rejected"),
      fn.min("createdAt").filterWhere("rejectedAt", "is", null).as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: all - failing - rejected, failing, rejected, oldest };
}
