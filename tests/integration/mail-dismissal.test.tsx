import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { retryMails } from "~/domain/mail/send-again.service.server";
import * as queuePage from "~/routes/home.mail._index/route";
import { getDb } from "~db/connection.server";
import { findMailFigures } from "~db/repositories/mail-figures.server";
import { runCommand } from "../support/command";
import { createAdmin } from "../support/factories";
import { queueAnyMail, plainMail } from "../support/mails";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

const portal = usePortal();

let staff: Visitor;
let admin: Awaited<ReturnType<typeof createAdmin>>;
beforeAll(async () => {
  admin = await createAdmin();
  staff = await signedInAs(admin);
});
afterEach(() => getDb().deleteFrom("mails").execute());

const mail = plainMail("Hello", "The code is EXAMPLE.");
const STATES = {
  rejected: { rejectedAt: new Date(), failingSince: new Date(), attempts: 1, lastError: "550 no such user" },
  failing: { failingSince: new Date(), attempts: 4, lastError: "451 try again later" },
  waiting: {},
  sent: { sentAt: new Date() },
};
let count = 0;

async function queue(to: string, state: keyof typeof STATES = "rejected"): Promise<number> {
  const dedupeKey = `order-confirmation:${(count += 1)}` as const;
  await queueAnyMail(dedupeKey, to, mail);
  const stored = getDb().updateTable("mails").where("dedupeKey", "=", dedupeKey);
  return (
    await stored
      .set({ subject: "Hello", ...STATES[state] })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
}

const PLACE = "/home/mail?state=rejected";
const fieldsOf = (ids: readonly number[], confirmed: boolean) => ({
  id: ids.map(String),
  intent: "dismiss",
  ...(confirmed && { confirmed: "yes" }),
});
const dismiss = async (ids: readonly number[], confirmed = true) =>
  run(queuePage.action, await staff.post(PLACE, fieldsOf(ids, confirmed)));
const problemOf = async (answer: Response) => [answer.status, (await jsonOf<{ problem: string }>(answer)).problem];
const stored = (id: number) => getDb().selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const entries = () =>
  getDb().selectFrom("auditEntries").selectAll().where("event", "=", "mail.dismissed").orderBy("id").execute();

describe("dismissing rejected messages", () => {
  test("[MAI-03] asks first on a page of its own that names the messages", async () => {
    const ids = [await queue("a@example.com"), await queue("b@example.com")];
    const answer = await jsonOf<{ messages: { name: string }[]; asked: object }>(await dismiss(ids, false));
    expect(answer.messages.map(({ name }) => name)).toEqual([
      "The message 'Order confirmation' to a@example.com",
      "The message 'Order confirmation' to b@example.com",
    ]);
    expect(answer.asked).toEqual({ intent: "dismiss", id: ids.map(String) });
    const fields = { id: String(ids[0]), intent: "dismiss" };
    const { status, html } = await openPage(queuePage, staff, PLACE, { fields });
    expect(status).toBe(200);
    expect(pageText(html)).toContain(
      "Are you sure you wish to dismiss these messages? They are never sent, and this process cannot be reversed.",
    );
    expect(pageText(html)).toContain("The message 'Order confirmation' to a@example.com");
    for (const [name, value] of Object.entries({ ...fields, confirmed: "yes" }))
      expect(select(html, `input[type="hidden"][name="${name}"]`).val()).toBe(value);
    expect(select(html, `a[href="${PLACE}"]`)).toHaveLength(1);
    for (const id of ids) expect((await stored(id)).dismissedAt).toBeNull();
    expect(await entries()).toEqual([]);
  });

  test("[MAI-03] removes them from the queue with an audit entry each and deletes their text for good", async () => {
    const ids = [await queue("a@example.com"), await queue("b@example.com")];
    const kept = await queue("c@example.com");
    const answer = await dismiss(ids);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, PLACE]);
    expect((await entries()).map(({ message, actorId, reference }) => [message, actorId, reference])).toEqual([
      [
        "The message 'Order confirmation' to a@example.com, which the mail server refused, was dismissed.",
        admin.id,
        `mail-${ids[0]}`,
      ],
      [
        "The message 'Order confirmation' to b@example.com, which the mail server refused, was dismissed.",
        admin.id,
        `mail-${ids[1]}`,
      ],
    ]);
    for (const id of ids) expect(await stored(id)).toMatchObject({ text: "", html: "", sentAt: null });
    const list = await jsonOf<{ rows: { id: number }[] }>(await run(queuePage.loader, staff.get("/home/mail")));
    expect(list.rows.map(({ id }) => id)).toEqual([kept]);
    expect(await findMailFigures(getDb())).toMatchObject({ waiting: 0, failing: 0, rejected: 1 });
  });

  test("[MAI-03] is final: neither 'Send again' nor a retry of all sends them, and the same key queues none", async () => {
    const id = await queue("a@example.com");
    await dismiss([id]);
    const again = await staff.post(PLACE, { id: String(id), intent: "send-again" });
    expect((await run(queuePage.action, again)).status).toBe(303);
    expect(await retryMails(systemActor("test"))).toEqual({ sent: 0, failed: 0 });
    const { dedupeKey, recipient } = await stored(id);
    const key = dedupeKey as `order-confirmation:${string}`;
    await queueAnyMail(key, recipient, mail);
    expect(await retryMails(systemActor("test"))).toEqual({ sent: 0, failed: 0 });
    expect((await stored(id)).sentAt).toBeNull();
    const { out } = await runCommand(["mail", "list"], portal.env);
    expect(out).toMatch(/dismissed \S+.* a@example\.com/);
  });

  test.each(["failing", "waiting"] as const)(
    "[MAI-03] is refused for a %s message, asked or confirmed",
    async (state) => {
      const ids = [await queue("a@example.com"), await queue("b@example.com", state)];
      for (const confirmed of [false, true])
        expect(await problemOf(await dismiss(ids, confirmed))).toEqual([
          422,
          "Only rejected and held messages can be dismissed: the portal still tries the others.",
        ]);
      for (const id of ids) expect((await stored(id)).dismissedAt).toBeNull();
    },
  );

  test("[MAI-03] changes nothing more when they were sent or dismissed in the meantime, also by the same form", async () => {
    const id = await queue("a@example.com");
    await dismiss([id]);
    const before = await entries();
    expect((await dismiss([id, await queue("b@example.com", "sent")])).status).toBe(303);
    expect(await entries()).toEqual(before);
  });

  test("[MAI-03] of none or more than 100 is refused above the list", async () => {
    expect(await problemOf(await dismiss([], false))).toEqual([422, "Choose the messages to dismiss first."]);
    const id = await queue("a@example.com");
    const others = Array.from({ length: 100 }, (_, index) => id + index + 1);
    expect(await problemOf(await dismiss([id, ...others]))).toEqual([422, "Choose at most 100 messages."]);
    expect((await dismiss([id, ...others.slice(1)])).status).toBe(303);
  });
});
