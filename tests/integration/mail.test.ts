import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliverDueMail, deliverMail, retryDelay } from "~/domain/mail/delivery.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { outboxFileName } from "~/domain/mail/transport.server";
import { getDb } from "~db/connection.server";
import { claimDueMails, listMails, type Mail } from "~db/repositories/mails.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { plainMail } from "../support/mails";
import { usePortal } from "../support/portal";
import { useSmtpServer } from "../support/smtp-server";
import { setVariable } from "../support/variables";

const portal = usePortal();
const smtp = useSmtpServer();
const MINUTE = 60_000;

const mail = plainMail("Hello", "A message.");

const keyOf = (name: string) => `reset-code:${name}` as const;

async function queue(name: string, rest: { to?: string; orderId?: number } = {}, now = new Date()): Promise<Mail> {
  await inTransaction((trx) =>
    queueMail(trx, { dedupeKey: keyOf(name), to: "anna@example-parts.com", mail, ...rest }, now),
  );
  return find(name);
}

const find = async (name: string): Promise<Mail> =>
  getDb().selectFrom("mails").selectAll().where("dedupeKey", "=", keyOf(name)).executeTakeFirstOrThrow();

const outbox = () => join(portal.dataDir, "outbox");
const later = (ms: number, from = new Date()) => new Date(from.getTime() + ms);

let address = "";
beforeEach(async () => {
  address ||= await smtp.start();
  smtp.faults = {};
});
afterEach(async () => {
  setVariable("SMTP_URL", "");
  await getDb().deleteFrom("mails").execute();
});

describe("the outbox", () => {
  test("[MAI-01] contains each message once as a readable .eml file when SMTP_URL is not set", async () => {
    const row = await queue("outbox:1");
    expect(await deliverDueMail()).toEqual({ sent: 1, failed: 0 });
    const file = join(outbox(), outboxFileName(row));
    const message = await PostalMime.parse(readFileSync(file));
    expect(message).toMatchObject({
      subject: "Hello",
      from: { name: "Supply Chain CA", address: "no-reply@portal.test" },
      to: [{ address: "anna@example-parts.com" }],
      messageId: `<mail-${row.id}.${Date.parse(row.createdAt)}@portal.test>`,
    });
    expect(message.text).toContain("A message.");
    expect(message.html).toContain("A message.");
    expect(readdirSync(outbox()).filter((name) => !name.endsWith(".eml"))).toEqual([]);

    // A crash after the file was written, before the row was updated.
    const before = readFileSync(file);
    const { text, html } = row;
    await getDb().updateTable("mails").set({ sentAt: null, text, html }).where("id", "=", row.id).execute();
    expect(await deliverDueMail()).toEqual({ sent: 1, failed: 0 });
    expect(readdirSync(outbox()).filter((name) => name.includes(`-${row.id}.`))).toHaveLength(1);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("[MAI-01] uses MAIL_FROM as the sender", async () => {
    setVariable("MAIL_FROM", "Portal <portal@ca.example>");
    const row = await queue("outbox:from");
    await deliverDueMail();
    const message = await PostalMime.parse(readFileSync(join(outbox(), outboxFileName(row))));
    expect(message.from).toMatchObject({ name: "Portal", address: "portal@ca.example" });
    setVariable("MAIL_FROM", "");
  });
});

describe("the mail queue", () => {
  test("[MAI-01] has one message per key", async () => {
    await queue("twice");
    await queue("twice");
    expect(await listMails(getDb(), 10)).toHaveLength(1);
  });

  test("[PUR-12] never sends a message of a transaction that failed", async () => {
    await expect(
      inTransaction(async (trx) => {
        await queueMail(trx, { dedupeKey: keyOf("undone"), to: "a@example.com", mail });
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await deliverDueMail()).toEqual({ sent: 0, failed: 0 });
  });

  test("[MAI-03] gives each message to one of several simultaneous processes", async () => {
    for (let index = 0; index < 12; index += 1) await queue(`claim:${index}`);
    const now = later(1000);
    const claims = await Promise.all(
      Array.from({ length: 6 }, () => claimDueMails(getDb(), { now, until: later(MINUTE), limit: 4 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // When the lease of a process that crashed ends, others can send its messages.
    expect(await deliverDueMail(later(2 * MINUTE))).toEqual({ sent: 12, failed: 0 });
  });
});

describe("SMTP", () => {
  test("[MAI-01] delivers to the mail server of SMTP_URL", async () => {
    setVariable("SMTP_URL", address);
    await queue("smtp:1", { to: "juergen@example-parts.com" });
    await queue("smtp:2");
    expect(await deliverDueMail()).toEqual({ sent: 2, failed: 0 });
    expect(smtp.messages).toHaveLength(2);
    const message = await PostalMime.parse(smtp.messages[1]?.data ?? "");
    expect(message.subject).toBe("Hello");
    expect(message.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
    expect(existsSync(join(outbox(), outboxFileName(await find("smtp:2"))))).toBe(false);
  });

  test("[MAI-03] keeps the text of a message until it is sent; recipient and time stay", async () => {
    setVariable("SMTP_URL", address);
    smtp.faults = { RCPT: "451 try again later" };
    const row = await queue("secret");
    await deliverDueMail();
    expect(await find("secret")).toMatchObject({ text: mail.text, html: mail.html, sentAt: null });
    smtp.faults = {};
    await deliverDueMail(later(2 * MINUTE));
    expect(smtp.messages.at(-1)?.data).toContain("A message.");
    const { recipient, subject, createdAt } = row;
    const sentAt = expect.any(String) as string;
    expect(await find("secret")).toMatchObject({ text: "", html: "", recipient, subject, createdAt, sentAt });
  });

  test("[MAI-03] delays but never loses a message when the server is down or refuses", async () => {
    const now = new Date();
    await queue("down", {}, now);
    setVariable("SMTP_URL", "smtp://127.0.0.1:1");
    expect(await deliverDueMail(now)).toEqual({ sent: 0, failed: 1 });
    expect(await find("down")).toMatchObject({
      attempts: 1,
      sentAt: null,
      lastError: expect.stringContaining("ECONNREFUSED") as string,
    });
    expect(await deliverDueMail(later(MINUTE / 2, now))).toEqual({ sent: 0, failed: 0 });

    setVariable("SMTP_URL", address);
    smtp.faults = { RCPT: "451 try again later" };
    expect(await deliverDueMail(later(MINUTE + 5000, now))).toEqual({ sent: 0, failed: 1 });
    expect((await find("down")).lastError).toContain("451 try again later");
    smtp.faults = {};
    expect(await deliverDueMail(later(4 * MINUTE, now))).toEqual({ sent: 1, failed: 0 });
    expect(await find("down")).toMatchObject({ attempts: 3, lastError: null, sentAt: expect.any(String) as string });
  });

  test("[MAI-03] waits twice as long after each try, from one minute to six hours, and never stops", () => {
    expect([1, 2, 3, 9, 10, 500].map((attempts) => retryDelay(attempts) / MINUTE)).toEqual([1, 2, 4, 256, 360, 360]);
  });
});

describe("the confirmation of an order", () => {
  const IN_TIME = { within: 30_000 }; // long enough for a busy machine
  let owner: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => {
    owner = await createUser();
  });
  const newOrder = async () => (await createCertificateOrder(owner)).orderId;

  test("[MAI-03] is tried at once: true when handed over to the mail server or the outbox", async () => {
    const orderId = await newOrder();
    await queue("order:contact", { orderId, to: "boss@example-parts.com" });
    await queue("order:confirmation", { orderId, to: owner.email });
    expect(await deliverMail({ orderId }, IN_TIME)).toBe(true);
    expect(await deliverMail({ orderId }, IN_TIME)).toBe(true);
    expect(await deliverMail({ orderId: await newOrder() }, IN_TIME)).toBe(false);
  });

  test("[MAI-03] is false when the server is down or too slow, and is sent later", async () => {
    const orderId = await newOrder();
    const row = await queue("order:down", { orderId, to: owner.email });
    setVariable("SMTP_URL", "smtp://127.0.0.1:1");
    expect(await deliverMail({ orderId }, IN_TIME)).toBe(false);

    setVariable("SMTP_URL", address);
    smtp.faults = { greeting: "hang" };
    await getDb().updateTable("mails").set({ nextAttemptAt: new Date() }).where("id", "=", row.id).execute();
    const started = Date.now();
    expect(await deliverMail({ id: row.id }, { within: 300 })).toBe(false);
    expect(Date.now() - started).toBeLessThan(9000); // the timeout for the greeting of a mail server is 10 seconds
    smtp.faults = {};
    expect(await deliverDueMail(later(8 * MINUTE))).toEqual({ sent: 1, failed: 0 });
  });

  test("[MAI-03] waits for another process that is sending it", async () => {
    const orderId = await newOrder();
    await queue("order:other", { orderId, to: owner.email });
    const [claimed] = await claimDueMails(getDb(), { now: later(1000), until: later(MINUTE), limit: 1 });
    const answer = deliverMail({ orderId }, IN_TIME);
    await getDb()
      .updateTable("mails")
      .set({ sentAt: new Date() })
      .where("id", "=", claimed?.id ?? 0)
      .execute();
    expect(await answer).toBe(true);
  });
});
