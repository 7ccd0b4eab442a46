import { readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { outboxFileName } from "~/domain/mail/transport.server";
import { getEnv } from "~/lib/env.server";
import { type Mail } from "~db/repositories/mails.server";

/** Returns the text of a message: from its row while it waits, afterwards from the file in the outbox. */
export async function textOf(mail: Mail | undefined): Promise<string> {
  if (!mail?.sentAt) return mail?.text ?? "";
  const file = readFileSync(join(getEnv().dataDir, "outbox", outboxFileName(mail)));
  return (await PostalMime.parse(file)).text ?? "";
}

/**
 * Returns a text as people see it, without the invisible characters that prevent mail programs from making links of what customers typed.
 */
export const readable = (text: string): string => text.replaceAll("\u2060", "");
