import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { mailExamples } from "~/domain/mail/examples/index.server";
import { type MailKind, MAIL_KINDS } from "~/domain/mail/kinds";
import { type MailQueueItem } from "~/domain/mail/queue-list.service.server";
import * as forgotPage from "~/routes/_public.forgot-password";
import * as queuePage from "~/routes/home.mail._index/route";
import * as previewPage from "~/routes/home.mail.templates.$kind";
import * as part from "~/routes/home.mail.templates.$kind_.html";
import * as templatesPage from "~/routes/home.mail.templates._index";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { type NewRow } from "~db/tables";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { queueAnyMail, plainMail } from "../support/mails";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let staff: Visitor;
let admin: Awaited<ReturnType<typeof createAdmin>>;
beforeAll(async () => {
  admin = await createAdmin();
  staff = await signedInAs(admin);
});
afterEach(() => getDb().deleteFrom("mails").execute());

const KINDS = Object.keys(MAIL_KINDS) as MailKind[];

describe("the message templates", () => {
  test("[MAI-01] are all in the catalogue and have an example, as the compiler ensures", () => {
    const directory = "app/domain/mail/templates";
    const files = readdirSync(directory).filter((file) => file !== "index.server.ts");
    const index = readFileSync(`${directory}/index.server.ts`, "utf8");
    for (const file of files) expect(index).toContain(`export * from "./${file.replace(/\.ts$/, "")}";`);
  });

  test("[MAI-01] all have examples, with different titles within a kind", () => {
    for (const kind of KINDS) {
      const titles = mailExamples().flatMap((example) => (example.kind === kind ? [example.title] : []));
      expect(titles.length, kind).toBeGreaterThan(0);
      expect(new Set(titles).size).toBe(titles.length);
      if (titles.length > 1) expect(titles).not.toContain("");
    }
  });

  test.each(KINDS)("[MAI-01] of %s have the same content in text and HTML", (kind) => {
    for (const { mail } of mailExamples().filter((example) => example.kind === kind)) {
      expect(mail.subject).not.toMatch(/EXAMPLE|https?:/); // staff see the subject, so it must contain no link and no code
      const words = (text: string) => text.replaceAll("&#39;", "'").replaceAll(/[^\p{L}\p{N}€]+/gu, "");
      const html = words(pageText(mail.html));
      // Only the text numbers the steps.
      for (const line of mail.text.split("\n")) expect(html).toContain(words(line.replace(/^\d\. /, "")));
      for (const text of [mail.text, mail.html]) expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  test("[MAI-01] are listed with a link and their subject", async () => {
    const { status, html } = await openPage(templatesPage, staff, "/home/mail/templates");
    expect(status).toBe(200);
    for (const kind of KINDS) expect(html).toContain(`href="/home/mail/templates/${kind}"`);
    expect(pageText(html)).toContain("Order SO-1001: we have received your certificate order");
  });

  test("[MAI-01] are previewed as HTML in a frame that can do nothing, and as plain text", async () => {
    const path = "/home/mail/templates/order-confirmation";
    const params = { kind: "order-confirmation" };
    const { html } = await openPage(previewPage, staff, path, { params });
    const frame = select(html, "iframe.message");
    expect(frame.attr("sandbox")).toBe("");
    expect(frame.attr("src")).toBe("/home/mail/templates/order-confirmation/html?example=1");
    expect(pageText(html)).toContain("We now carry out our identity checks.");
    expect(textsOf(html, '[aria-current="true"]')).toContain("a certificate");

    const codes = await openPage(previewPage, staff, `${path}?example=5`, { params });
    expect(pageText(codes.html)).toContain("OSCAR Code Full");
    expect(textsOf(codes.html, '[aria-current="true"]')).toContain("ID codes");
    const framed = await run(part.loader, staff.get(`${path}/html?example=5`), params);
    expect(framed.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await framed.text()).toContain("OSCAR Code Full");
  });

  test.each([
    ["", 1],
    ["0", 1],
    ["1", 1],
    ["3", 3],
    ["5", 5],
    ["6", 1],
    ["-1", 1],
    ["x", 1],
    ["1e0", 1],
  ])("[MAI-01] shows for example %j number %i", async (example, number) => {
    const path = `/home/mail/templates/order-confirmation?example=${example}`;
    const answer = await run(previewPage.loader, staff.get(path), { kind: "order-confirmation" });
    expect((await jsonOf<{ number: number }>(answer)).number).toBe(number);
  });

  test.each(["nothing", "constructor", "__proto__", "%00"])("[MAI-01] do not include the kind %j", async (kind) => {
    const path = `/home/mail/templates/${kind}`;
    for (const { loader } of [previewPage, part])
      expect((await run(loader, staff.get(path), { kind })).status).toBe(404);
  });
});

interface Answer {
  rows: MailQueueItem[];
  total: number;
  pages: number;
  params: { page: number };
}

const mail = plainMail("Hello", "A message.");
let count = 0;

async function queue(
  to: string,
  change: Partial<NewRow<"mails">> = {},
  kind: MailKind = "order-confirmation",
): Promise<number> {
  const dedupeKey = `${kind}:${(count += 1)}` as const;
  await queueAnyMail(dedupeKey, to, mail);
  const stored = getDb().updateTable("mails").where("dedupeKey", "=", dedupeKey);
  const { id } = await stored
    .set({ lastError: null, ...change })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const hour = (hours: number) => new Date(Date.UTC(2026, 10, 20, hours));
const rejected = { attempts: 1, failingSince: hour(9), rejectedAt: hour(9), lastError: "550 no such user" };
const failing = { attempts: 4, failingSince: hour(8), lastError: "451 try again later" };
const list = async (query = "") => jsonOf<Answer>(await run(queuePage.loader, staff.get(`/home/mail${query}`)));
const recipientsOf = ({ rows }: Answer) => rows.map(({ recipient }) => recipient);

describe("the mail queue", () => {
  test("[MAI-03] shows waiting, failing and rejected messages: tries, next try, since when, error, template and order", async () => {
    const { orderId } = await createCertificateOrder(await createUser());
    await queue("waits@example.com", { orderId, createdAt: hour(7) });
    await queue("fails@example.com", { ...failing, nextAttemptAt: hour(12) });
    await queue("refused@example.com", rejected, "certificate-issued");
    await queue("sent@example.com", { sentAt: hour(10) });
    const { html } = await openPage(queuePage, staff, "/home/mail?sort=since.asc");
    const rows = html
      .split("<tr ")
      .slice(2)
      .map((row) => pageText(row));
    expect(rows).toHaveLength(3);
    for (const [index, words] of [
      ["waits@example.com", "Order confirmation", `SO-${orderId}`, "Waiting", "20/11/2026 07:00:00", "0"],
      [
        "fails@example.com",
        "Order confirmation",
        "Failing",
        "20/11/2026 08:00:00",
        "4",
        "20/11/2026 12:00:00",
        "451 try",
      ],
      ["refused@example.com", "Certificate issued", "Rejected", "20/11/2026 09:00:00", "1", "550 no such user"],
    ].entries())
      for (const word of words) expect(rows[index]).toContain(word);
    expect(html).toContain('href="/home/mail/templates/certificate-issued"');
    expect(html).toContain("1 to 3 of 3, sorted by since when");
    expect((await list("?state=rejected")).rows[0]).toMatchObject({ nextAttemptAt: null });
  });

  test("[MAI-03] can be filtered, searched, sorted and paged; invalid parameters become defaults", async () => {
    await queue("Anna@Example.com", failing);
    await queue("bert_b@example.com", rejected);
    await queue("carl@example.com");
    expect(recipientsOf(await list("?state=waiting"))).toEqual(["carl@example.com"]);
    expect(recipientsOf(await list("?state=failing"))).toEqual(["Anna@Example.com"]);
    expect(recipientsOf(await list("?state=rejected"))).toEqual(["bert_b@example.com"]);
    expect(recipientsOf(await list("?search=ANNA@example"))).toEqual(["Anna@Example.com"]);
    expect(recipientsOf(await list("?search=t_b"))).toEqual(["bert_b@example.com"]);
    expect(recipientsOf(await list("?search=%25"))).toEqual([]);
    const all = ["Anna@Example.com", "bert_b@example.com", "carl@example.com"];
    expect(recipientsOf(await list("?sort=recipient.asc"))).toEqual(all);
    expect(recipientsOf(await list("?sort=tries.desc"))[0]).toBe("Anna@Example.com");
    expect((await list("?state=x&sort=text.asc&size=7&page=99")).total).toBe(3);
    for (let index = 0; index < 10; index += 1) await queue(`z${index}@example.com`);
    expect(await list("?page=2")).toMatchObject({ total: 13, pages: 2 });
    expect((await list("?page=99")).params.page).toBe(2);
  });

  test("[MAI-03] can be empty", async () => {
    expect((await openPage(queuePage, staff, "/home/mail")).html).toContain("No records found");
  });

  test("[MAI-01] shows staff no code or link with which the reader could log in", async () => {
    const user = await createUser();
    const visitor = await anonymous();
    await run(forgotPage.action, await visitor.post("/forgot-password", { email: user.email }));
    const stored = await getDb().selectFrom("mails").selectAll().executeTakeFirstOrThrow();
    const token = /reset-code\/([^/\s]+)\//.exec(stored.text)?.[1] ?? "";
    expect(token.length).toBeGreaterThan(20);
    const { html } = await openPage(queuePage, staff, "/home/mail");
    expect(html).toContain(user.email);
    const data = JSON.stringify(await list());
    for (const shown of [html, data]) {
      expect(shown).not.toContain(token);
      expect(shown).not.toContain(stored.dedupeKey);
      expect(shown).not.toContain("Follow the link");
    }
  });
});

const audit = () =>
  getDb().selectFrom("auditEntries").selectAll().where("event", "=", "mail.sent-again").orderBy("id").execute();
const sendAgain = async (...ids: (number | string)[]) =>
  run(queuePage.action, await staff.post("/home/mail?state=rejected", { id: ids.map(String), intent: "send-again" }));

describe("send again", () => {
  test("[MAI-03] sends a rejected and a failing message with an audit entry each, but not one that was sent", async () => {
    const ids = [
      await queue("a@example.com", { ...rejected, createdAt: hour(1) }),
      await queue("b@example.com", { ...failing, nextAttemptAt: new Date(Date.now() + 3_600_000) }),
      await queue("c@example.com", { sentAt: new Date() }),
    ];
    expect(await deliverDueMail()).toEqual({ sent: 0, failed: 0 });
    const answer = await sendAgain(...ids);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/mail?state=rejected"]);
    const entries = await audit();
    expect(entries.map(({ message, actorId, reference }) => [message, actorId, reference])).toEqual([
      ["The message 'Order confirmation' to a@example.com is sent again.", admin.id, `mail-${ids[0]}`],
      ["The message 'Order confirmation' to b@example.com is sent again.", admin.id, `mail-${ids[1]}`],
    ]);
    expect(await deliverDueMail()).toEqual({ sent: 2, failed: 0 });
    expect((await sendAgain(...ids)).status).toBe(303);
    expect(await audit()).toHaveLength(2);
  });

  test.each([
    ["nothing", []],
    ["no id", ["x", "-1", "0", "1e3", "99999999999"]],
  ])("[MAI-03] of %s is refused above the list", async (_what, ids) => {
    const answer = await sendAgain(...ids);
    expect(answer.status).toBe(422);
    expect(await jsonOf(answer)).toEqual({ problem: "Choose the messages to send again first.", chosen: [] });
    const { html } = await openPage(queuePage, staff, "/home/mail", { fields: { intent: "send-again" } });
    expect(html).toContain('href="#mail-queue-table"');
  });

  test("[MAI-03] is possible for 100 at a time, not 101, and the ticks stay", async () => {
    const id = await queue("a@example.com", rejected);
    const others = Array.from({ length: 100 }, (_, index) => id + index + 1);
    const answer = await sendAgain(id, ...others);
    expect(answer.status).toBe(422);
    expect(await jsonOf(answer)).toMatchObject({ problem: "Choose at most 100 messages." });
    expect((await sendAgain(id, ...others.slice(1))).status).toBe(303);
  });
});

describe("the page of an account", () => {
  test("[MAI-03] says since when and why messages to its address fail", async () => {
    const user = await createUser();
    const open = async () =>
      (await openPage(userPage, staff, `/home/users/${user.id}`, { params: { id: String(user.id) } })).html;
    await queue(user.email);
    expect(await open()).not.toContain("See the messages");
    await queue(user.email.toUpperCase(), rejected);
    const html = await open();
    expect(pageText(html)).toContain("Rejected since 20/11/2026 09:00:00 UTC : 550 no such user See the messages");
    expect(html).toContain(`href="/home/mail?search=${encodeURIComponent(user.email)}"`);
    await sendAgain((await list("?state=rejected")).rows[0]?.id ?? 0);
    await deliverDueMail();
    expect(await open()).not.toContain("See the messages");
  });
});
