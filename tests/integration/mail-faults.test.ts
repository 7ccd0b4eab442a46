import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deliverDueMail, deliverMail } from "~/domain/mail/delivery.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { isRejection, smtpTransport } from "~/domain/mail/transport.server";
import { getDb } from "~db/connection.server";
import { claimDueMails, type Mail, markMailFailed } from "~db/repositories/mails.server";
import { inTransaction } from "~db/transaction.server";
import { plainMail } from "../support/mails";
import { usePortal } from "../support/portal";
import { useSmtpServer } from "../support/smtp-server";
import { setVariable } from "../support/variables";
import { sized } from "../support/volume";
import { newCodeBuyer, newWindow } from "./code-purchase-journey";
import { ordersOf } from "./purchase-journey";

usePortal();
const smtp = useSmtpServer();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const later = (ms: number, from = new Date()) => new Date(from.getTime() + ms);

let address = "";
beforeEach(async () => {
  address ||= await smtp.start();
  smtp.faults = {};
  smtp.messages.length = 0;
  setVariable("SMTP_URL", address);
  await getDb().deleteFrom("mails").execute();
});
afterEach(() => {
  vi.useRealTimers();
  setVariable("SMTP_URL", "");
});

const mail = plainMail("Hello", "A message.");

async function queue(name = "1", now = new Date()): Promise<Mail> {
  const dedupeKey = `reset-code:${name}` as const;
  await inTransaction((trx) => queueMail(trx, { dedupeKey, to: "anna@example-parts.com", mail }, now));
  return getDb().selectFrom("mails").selectAll().where("dedupeKey", "=", dedupeKey).executeTakeFirstOrThrow();
}

const read = ({ id }: Mail) => getDb().selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

describe("a mail server", () => {
  test("[MAI-03] on another machine must offer STARTTLS, unless the address says that it need not", async () => {
    const port = new URL(address).port;
    const row = await queue();
    setVariable("SMTP_URL", `smtp://0.0.0.0:${port}`); // this machine, but not by the name of the loopback device
    expect(await deliverDueMail()).toEqual({ sent: 0, failed: 1 });
    expect((await read(row)).rejectedAt).toBeNull();
    expect(smtp.messages).toEqual([]);
    setVariable("SMTP_URL", `smtp://0.0.0.0:${port}?requireTLS=false`);
    expect(await deliverDueMail(later(7 * HOUR))).toEqual({ sent: 1, failed: 0 });
  });

  test("[MAI-03] that is down during many orders and then up gets one confirmation of each", async () => {
    const ORDERS = sized(40, 200);
    const port = Number(new URL(address).port);
    await smtp.stop();
    const { user, visitor } = await newCodeBuyer();
    for (let count = 0; count < ORDERS; count += 1) {
      const buyer = await newWindow(user, visitor);
      await buyer.confirm();
      await buyer.order({ purchaseOrderNumber: `PO-${count}` });
      expect((await buyer.invoice()).status).toBe(303);
    }
    const orders = await ordersOf(user.id);
    expect(orders).toHaveLength(ORDERS);
    expect(orders.filter(({ isNotified }) => isNotified !== false)).toEqual([]);
    await deliverDueMail(later(HOUR)); // the server is still down

    await smtp.start(port);
    // Three processes, each at the next runs of the job.
    for (const hours of [1, 4, 12])
      await Promise.all([1, 2, 3].map((process) => deliverDueMail(later(hours * HOUR + process))));
    const received = await Promise.all(smtp.messages.map(({ data }) => PostalMime.parse(data)));
    expect(received).toHaveLength(ORDERS);
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(ORDERS);
    const numbers = received.map(({ text }) => /PO-(\d+)/.exec(text ?? "")?.[1]).sort((a, b) => Number(a) - Number(b));
    expect(numbers).toEqual(Array.from({ length: ORDERS }, (_, index) => String(index)));
  }, 240_000);
});

describe("a mail server that", () => {
  test.each([
    ["drops the connection at once", { greeting: "drop" }, /closed|ECONNRESET/],
    ["is busy", { greeting: "421 too busy" }, /421/],
    ["takes no mail at all", { greeting: "554 no service" }, /554/],
    ["wants to be told who asks", { MAIL: "530 authenticate first" }, /530/],
    ["does not know the sender", { MAIL: "550 sender unknown" }, /550/],
    ["wants to be told who asks, later", { RCPT: "530 authenticate first" }, /530/],
    ["does not understand", { RCPT: "501 syntax" }, /501/],
    ["has a full mailbox", { RCPT: "452 mailbox full" }, /452/],
    ["drops the connection at the recipient", { RCPT: "drop" }, /closed|ECONNRESET/],
    ["cannot take the message now", { DATA: "451 later" }, /451/],
    ["cannot keep the message now", { message: "452 no space" }, /452/],
  ] as const)("[MAI-03] %s: the message waits and is sent once", async (_what, faults, error) => {
    const now = new Date();
    const row = await queue();
    smtp.faults = faults;
    expect(await deliverDueMail(now)).toEqual({ sent: 0, failed: 1 });
    expect(await read(row)).toMatchObject({
      attempts: 1,
      lastError: expect.stringMatching(error) as string,
      rejectedAt: null,
      leasedUntil: null,
      failingSince: expect.any(String) as string,
    });
    smtp.faults = {};
    expect(await deliverDueMail(later(2 * MINUTE, now))).toEqual({ sent: 1, failed: 0 });
    expect(await deliverDueMail(later(YEAR, now))).toEqual({ sent: 0, failed: 0 });
    expect(smtp.messages).toHaveLength(1);
    expect(await read(row)).toMatchObject({ failingSince: null, lastError: null });
  });

  test.each([
    ["the recipient", { RCPT: "550 no such user" }],
    ["a domain without mail", { RCPT: "556 no mail here" }],
    ["mail for the recipient", { RCPT: "521 no mail here" }],
    ["the message before it comes", { DATA: "554 no" }],
    ["the message", { message: "552 too large" }],
  ] as const)(
    "[MAI-03] refuses %s for good: the message is rejected, kept and not tried again",
    async (_what, faults) => {
      const now = new Date();
      const row = await queue();
      smtp.faults = faults;
      expect(await deliverDueMail(now)).toEqual({ sent: 0, failed: 1 });
      smtp.faults = {};
      for (const wait of [2 * MINUTE, 7 * HOUR, YEAR])
        expect(await deliverDueMail(later(wait, now))).toEqual({ sent: 0, failed: 0 });
      const { lastError, text, rejectedAt, failingSince } = await read(row);
      expect(lastError).toMatch(/5\d\d/);
      expect(text).toContain("A message.");
      expect(rejectedAt).not.toBeNull();
      expect(failingSince).toBe(rejectedAt);
      expect(smtp.messages).toEqual([]);
    },
  );

  test("[MAI-03] fails repeatedly: the message is shown as failing since its first failure", async () => {
    const now = new Date();
    const row = await queue();
    smtp.faults = { RCPT: "451 later" };
    await deliverDueMail(now);
    smtp.faults = { RCPT: "550 no such user" };
    await deliverDueMail(later(HOUR, now));
    const { failingSince, rejectedAt } = await read(row);
    expect(Date.parse(rejectedAt ?? "") - Date.parse(failingSince ?? "")).toBeGreaterThan(HOUR / 2);
  });

  test("[MAI-03] drops the connection before it confirms the message: the message comes again under the same id", async () => {
    const now = new Date();
    await queue();
    smtp.faults = { message: "drop" };
    expect(await deliverDueMail(now)).toEqual({ sent: 0, failed: 1 });
    smtp.faults = {};
    expect(await deliverDueMail(later(2 * MINUTE, now))).toEqual({ sent: 1, failed: 0 });
    const ids = await Promise.all(smtp.messages.map(async ({ data }) => (await PostalMime.parse(data)).messageId));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test.each(["greeting", "EHLO", "RCPT", "message"] as const)(
    "[MAI-03] hangs at %s: the delivery is given up, and the message is not rejected",
    async (step) => {
      smtp.faults = { [step]: "hang" };
      const row = await queue();
      const patience = { greetingTimeout: 200, socketTimeout: 200 };
      const error: unknown = await smtpTransport(address, patience)
        .send(row)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: expect.stringMatching(/greeting|timeout/i) as string });
      expect(isRejection(error)).toBe(false);
    },
  );

  test("[MAI-03] hangs and then answers: the customer does not wait, and the message is sent once", async () => {
    const row = await queue();
    smtp.faults = { message: "hang" };
    expect(await deliverMail({ id: row.id }, { within: 300 })).toBe(false);
    for (const wait of [0, 2 * MINUTE, 6 * MINUTE])
      expect(await deliverDueMail(later(wait))).toEqual({ sent: 0, failed: 0 });
    smtp.answerAll("250 taken");
    await vi.waitFor(async () => expect((await read(row)).sentAt).not.toBeNull(), 10_000);
    expect(smtp.messages).toHaveLength(1);
  });
});

describe("the mail queue's clock", () => {
  /** Sets the clock of this process. It continues from this time. */
  const setClock = (now: Date) => vi.useFakeTimers({ toFake: ["Date"], now, shouldAdvanceTime: true });

  test.each([
    ["forward a year", YEAR],
    ["back an hour", -HOUR],
  ])("[MAI-03] can jump %s during a delivery without a second one", async (_way, ms) => {
    const row = await queue();
    smtp.faults = { message: "hang" };
    const arrived = smtp.reaches("message");
    const first = deliverDueMail();
    await arrived;
    setClock(later(ms));
    expect(await deliverDueMail()).toEqual({ sent: 0, failed: 0 });
    smtp.answerAll("250 taken");
    expect(await first).toEqual({ sent: 1, failed: 0 });
    expect(await deliverDueMail()).toEqual({ sent: 0, failed: 0 });
    expect(smtp.messages).toHaveLength(1);
    expect((await read(row)).sentAt).not.toBeNull();
  });

  test("[MAI-03] can go back an hour, and waiting messages are still due", async () => {
    const now = new Date();
    await queue("new", now);
    const failed = await queue("failed", now);
    const [claimed] = await claimDueMails(getDb(), { now, until: later(MINUTE, now), limit: 1, id: failed.id });
    await markMailFailed(getDb(), claimed ?? failed, { error: "down", now, nextAttemptAt: later(MINUTE, now) });
    expect(await deliverDueMail(later(-HOUR, now))).toEqual({ sent: 2, failed: 0 });
  });

  test("[MAI-03] can differ by minutes between processes: a delivery is not taken over, except of a killed process after its lease", async () => {
    const now = new Date();
    const row = await queue();
    smtp.faults = { message: "hang" };
    expect(await deliverMail({ id: row.id }, { within: 200 })).toBe(false);
    expect(await deliverDueMail(later(5 * MINUTE, now))).toEqual({ sent: 0, failed: 0 });
    smtp.faults = {};
    const late = later(8 * MINUTE, now);
    expect(await claimDueMails(getDb(), { now: late, until: later(7 * MINUTE, late), limit: 5 })).toHaveLength(1);
    smtp.dropAll();
  });

  test("[MAI-03] can end the lease of a try, whose result then changes nothing", async () => {
    const now = new Date();
    const row = await queue();
    const [slow] = await claimDueMails(getDb(), { now, until: later(MINUTE, now), limit: 1 });
    const then = later(2 * MINUTE, now);
    const [quick] = await claimDueMails(getDb(), { now: then, until: later(MINUTE, then), limit: 1 });
    await markMailFailed(getDb(), slow ?? row, { error: "late", now: then, nextAttemptAt: then });
    expect(await read(row)).toEqual(quick);
  });
});
