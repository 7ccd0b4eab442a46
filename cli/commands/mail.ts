import { Command } from "commander";
import { type ListedMail } from "~db/repositories/mails.server";
import { operatorActor, OPERATOR_OR_LOGIN } from "../operator";
import { timestamp, say, table } from "../output";
import { withDatabase } from "../with-database";

const SHOWN = 100;

const HELD = { unconfirmed: "held: address not confirmed", stopped: "held: contact wants none" } as const;

function stateOf({ sentAt, dismissedAt, rejectedAt, heldFor, nextAttemptAt }: ListedMail): string {
  if (sentAt) return `sent ${timestamp(sentAt)}`;
  if (dismissedAt) return `dismissed ${timestamp(dismissedAt)}`;
  if (!rejectedAt && heldFor) return HELD[heldFor];
  return rejectedAt ? `rejected ${timestamp(rejectedAt)}` : `waits for ${timestamp(nextAttemptAt)}`;
}

async function list(): Promise<void> {
  const { listMails } = await import("~db/repositories/mails.server");
  const { getDb } = await import("~db/connection.server");
  const mails = await listMails(getDb(), SHOWN);
  if (mails.length === 0) return say("No messages.");
  const rows = mails.map((mail) => [
    String(mail.id),
    stateOf(mail),
    String(mail.attempts),
    mail.recipient,
    mail.subject,
    mail.lastError ?? "",
  ]);
  say(table(["ID", "STATE", "TRIES", "TO", "SUBJECT", "LAST ERROR"], rows));
}

async function retry({ operator }: { operator?: string }): Promise<void> {
  const { retryMails } = await import("~/domain/mail/send-again.service.server");
  const { sent, failed } = await retryMails(await operatorActor(operator));
  say(`${sent} sent, ${failed} failed`);
  if (failed > 0) throw new Error("Some messages could not be sent: 'npm run portal -- mail list' shows why.");
}

export function mailCommand(): Command {
  const mail = new Command("mail").description("the mail queue").usage("COMMAND");
  mail
    .command("list")
    .description(`show waiting messages, then the latest sent ones (${SHOWN} at most)`)
    .action(() => withDatabase(list));
  mail
    .command("retry")
    .description("try every waiting message now")
    .option(...OPERATOR_OR_LOGIN)
    .action((flags: { operator?: string }) => withDatabase(() => retry(flags)));
  return mail;
}
