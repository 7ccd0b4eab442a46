import { beforeEach, describe, expect, test } from "vitest";
import { expireCertificates, reviveCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { runJob } from "~/domain/jobs/run.service.server";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { createCertificateOrder, mailsOf, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const END = new Date("2027-06-30T12:00:00Z");
const CONTACT = "bernd.boss@example-parts.com";
let anna: Awaited<ReturnType<typeof createUser>>;

beforeEach(async () => {
  await getDb().updateTable("certificates").set({ status: "Cancelled" }).execute(); // no reminders for certificates of other tests
  anna = await createUser();
});

type Given = Parameters<typeof createCertificateOrder>[2];
const ending = (given: Given = {}, owner = anna) =>
  createCertificateOrder(owner, undefined, { status: "Issued", serialNumber: null, expiryDate: END, ...given });
/** Returns the instant so many days before the expiry, and `ms` milliseconds later. */
const before = (days: number, ms = 0) => new Date(addDays(END, -days).getTime() + ms);
const recipients = async ({ orderId }: { orderId: number }) =>
  (await mailsOf(orderId)).map(({ recipient }) => recipient);

describe("a reminder before the expiry", () => {
  test.each([
    [90, 1],
    [60, 1],
    [30, 2],
    [14, 2],
    [7, 2],
    [1, 2],
  ])("[MAI-02] is sent %i days before, not a millisecond early, once, to the right people", async (days, messages) => {
    const previous = [90, 60, 30, 14, 7, 1].filter((other) => other > days).at(-1);
    const made = await ending({ remindedDays: previous ?? null });
    expect(await sendExpiryReminders(before(days, -1))).toBe(0);
    expect(await sendExpiryReminders(before(days))).toBe(1);
    expect(await sendExpiryReminders(before(days))).toBe(0);
    expect(await sendExpiryReminders(before(days, 1))).toBe(0);
    const mails = await mailsOf(made.orderId);
    expect(mails.map(({ recipient }) => recipient)).toEqual([anna.email, CONTACT].slice(0, messages));
    const text = `expires in ${days} ${days === 1 ? "day" : "days"}`;
    const subjects = [`Your certificate for ${made.commonName} ${text}`, `A certificate that you authorised ${text}`];
    expect(mails.map(({ subject }) => subject)).toEqual(subjects.slice(0, messages));
    expect(mails[0]?.text).toContain(`/home/certificate-details/${made.id}`);
    expect(mails[0]?.text).toContain("Renew your certificate");
    expect(mails[1]?.text ?? "").toMatch(messages === 2 ? /Owner: +Anna Müller/ : /^$/);
  });

  test("[MAI-02] [PUR-11] says when a name that is refused today keeps the certificate from being renewed", async () => {
    const made = await ending({
      remindedDays: 60,
      subjectAlternateName: JSON.stringify([{ type: "dns", value: "srv.internal" }]),
    });
    expect(await sendExpiryReminders(before(30))).toBe(1);
    const [owner, contact] = await mailsOf(made.orderId);
    expect(owner?.text).toContain("It cannot be renewed, because today’s rules refuse names in it.");
    expect(owner?.text).toContain("the DNS name 'srv.internal' is an internal name");
    expect(owner?.text).toContain("View your certificate");
    expect(contact?.text).toContain("Its owner can order a new one with other names");
  });

  test("[MAI-02] is sent six times in all, run four times a day for the last 100 days", async () => {
    const made = await ending();
    const sent: number[] = [];
    for (let hour = 100 * 24; hour >= -24; hour -= 6) {
      const now = new Date(END.getTime() - hour * 3_600_000);
      if ((await sendExpiryReminders(now)) > 0) sent.push(hour / 24);
    }
    expect(sent).toEqual([90, 60, 30, 14, 7, 1]);
    expect((await recipients(made)).filter((recipient) => recipient === anna.email)).toHaveLength(6);
  });

  test("[MAI-02] is only the latest one after a long outage, and none after the end", async () => {
    const made = await ending();
    expect(await sendExpiryReminders(before(6))).toBe(1);
    expect(await recipients(made)).toEqual([anna.email, CONTACT]);
    expect((await mailsOf(made.orderId))[0]?.subject).toContain("in 6 days");
    expect(await sendExpiryReminders(before(6))).toBe(0);
    const late = await ending();
    expect(await sendExpiryReminders(before(0))).toBe(0);
    expect(await sendExpiryReminders(before(-1))).toBe(0);
    expect(await recipients(late)).toEqual([]);
  });

  test("[MAI-02] is sent once and never left out when a clock jumps ahead and back", async () => {
    const made = await ending();
    const subjects = async () =>
      (await mailsOf(made.orderId)).filter((mail) => mail.recipient === anna.email).map((mail) => mail.subject);
    for (const days of [90, 7, 89, 7, 60, 61, 30, 14, 7, 1]) await sendExpiryReminders(before(days));
    const days = (await subjects()).map((subject) => /in (\d+) day/.exec(subject)?.[1]);
    expect(days).toEqual(["90", "7", "60", "30", "14", "1"]);
  });

  test("[MAI-02] is not prevented by a clock that was years ahead; one that is behind sends no outdated ones", async () => {
    const made = await ending();
    const mails = async () => (await recipients(made)).length;
    await sendExpiryReminders(before(60));
    await expireCertificates(before(-700));
    expect(await sendExpiryReminders(before(-700))).toBe(0);
    await reviveCertificates(before(30));
    await sendExpiryReminders(before(30));
    expect(await mails()).toBe(3);

    for (const days of [14, 7, 1]) await sendExpiryReminders(before(days));
    await expireCertificates(before(-1));
    const sent = await mails();
    for (const days of [60, 20, 5]) {
      await reviveCertificates(before(days));
      await sendExpiryReminders(before(days));
    }
    expect(await mails()).toBe(sent);
  });

  test("[MAI-02] is not repeated when sent messages are removed", async () => {
    await ending();
    expect(await sendExpiryReminders(before(30))).toBe(1);
    await getDb().deleteFrom("mails").execute();
    expect(await sendExpiryReminders(before(30))).toBe(0);
    expect(await sendExpiryReminders(before(29))).toBe(0);
  });

  test.each(["Pending", "Renewed", "Revoked", "RequestRevoke", "Expired", "Cancelled", "Rejected", "Unknown"] as const)(
    "[MAI-02] is not sent for a certificate that is %s",
    async (status) => {
      await ending({ status });
      expect(await sendExpiryReminders(before(7))).toBe(0);
    },
  );

  test("[MAI-02] is sent for a certificate that was downloaded", async () => {
    await ending({ status: "Downloaded" });
    expect(await sendExpiryReminders(before(7))).toBe(1);
  });

  test.each([
    ["Issued", 0],
    ["Downloaded", 0],
    ["Renewed", 0],
    ["Pending", 1],
    ["Revoked", 1],
    ["Cancelled", 1],
  ] as const)("[MAI-02] for a certificate with a successor that is %s: %i", async (status, count) => {
    const { id } = await ending();
    const later = addDays(END, 400);
    await ending({ status, previousCertificateId: id, orderType: "Renewal", expiryDate: later });
    expect(await sendExpiryReminders(before(30))).toBe(count);
  });

  test("[MAI-02] says when renewal opens while it is closed", async () => {
    const made = await ending();
    const config = getConfig().certificates as { renewalsFromDays: number };
    const days = config.renewalsFromDays;
    config.renewalsFromDays = 45;
    try {
      await sendExpiryReminders(before(60));
      await sendExpiryReminders(before(30));
    } finally {
      config.renewalsFromDays = days;
    }
    const [closed, open] = await mailsOf(made.orderId);
    expect(closed?.text).toContain("Renewal opens 16/05/2027.");
    expect(closed?.text).not.toContain("Renew your certificate");
    expect(open?.text).toContain("It can be renewed now.");
  });

  test("[MAI-02] goes to the contact but not to a disabled account, and once to a contact who is the owner", async () => {
    const off = await createUser({ isDisabled: true });
    const one = await ending({}, off);
    const self = await createUser({ email: "Bernd.Boss@example-parts.com" });
    const two = await ending({}, self);
    await sendExpiryReminders(before(7));
    expect(await recipients(one)).toEqual([CONTACT]);
    expect(await recipients(two)).toEqual([self.email]);
  });

  test("[MAI-02] goes to the owner's current address", async () => {
    const made = await ending();
    await updateUser(getDb(), anna.id, { email: `new-${anna.email}` });
    await sendExpiryReminders(before(90));
    expect(await recipients(made)).toEqual([`new-${anna.email}`]);
  });

  test("[MAI-02] is sent once by two simultaneous processes and in more than one batch", async () => {
    const made = [];
    for (let index = 0; index < 205; index += 1) made.push(await ending());
    const counts = await Promise.all([sendExpiryReminders(before(90)), sendExpiryReminders(before(90))]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(205);
    const { total } = await getDb()
      .selectFrom("mails")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("recipient", "=", anna.email)
      .executeTakeFirstOrThrow();
    expect(total).toBe(205);
  });

  test("[MAI-02] is sent by the job", async () => {
    const { id } = await ending();
    await setCertificate(id, { expiryDate: addDays(new Date(), 5) });
    expect(await runJob("reminders", "test")).toMatchObject({ result: "1 reminded of", error: null });
    expect(await runJob("reminders", "test")).toMatchObject({ result: "0 reminded of" });
  });
});
