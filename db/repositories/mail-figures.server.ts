import { type DbOrTrx } from "../connection.server";

export interface MailFigures {
  /** Not tried yet. */
  waiting: number;
  /** Tried in vain. */
  failing: number;
  /** When the oldest message was queued that has not been sent; null when all have been. */
  oldest: string | null;
}

/** What the mail queue holds. */
export async function findMailFigures(db: DbOrTrx): Promise<MailFigures> {
  const { all, failing, oldest } = await db
    .selectFrom("mails")
    .where("sentAt", "is", null)
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("lastError", "is not", null).as("failing"),
      fn.min("createdAt").as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: all - failing, failing, oldest };
}
