import { readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { outboxFileName } from "~/domain/mail/transport.server";
import { getEnv } from "~/lib/env.server";
import { type Mail } from "~db/repositories/mails.server";

/** The text of a message: of its row while it waits, afterwards of the file that it became. */
export async function textOf(mail: Mail | undefined): Promise<string> {
  if (!mail?.sentAt) return mail?.text ?? "";
  const file = readFileSync(join(getEnv().dataDir, "outbox", outboxFileName(mail)));
  return (await PostalMime.parse(file)).text ?? "";
}

/** A text as people see it: without the invisible characters that keep mail programs from making links of what customers typed. */
export const readable = (text: string): string => text.replaceAll("\u2060", "");
