import { beforeAll, describe, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import * as webhookPage from "~/routes/home.company_.webhooks.$id";
import * as deliveryPage from "~/routes/home.company_.webhooks.$id_.deliveries.$delivery";
import * as listPage from "~/routes/home.company_.webhooks._index/route";
import * as newPage from "~/routes/home.company_.webhooks.new";
import { getDb } from "~db/connection.server";
import { acting } from "../support/acting";
import { createColleague } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { useWebhookReceiver, verified } from "../support/webhook-receiver";
import { storeDelivery, storeWebhook, webhookFields, webhookRow } from "../support/webhooks";

usePortal();
const receiver = useWebhookReceiver();

type Person = Awaited<ReturnType<typeof createUser>>;
let owner: Person;
let visitor: Visitor;
beforeAll(async () => {
  owner = await createUser({ company: "Gears Ltd" });
  visitor = await signedInAs(owner);
});

const fieldsFor = (given: Record<string, string> = {}) => ({ ...webhookFields(), url: receiver.url(), ...given });

/** Makes a webhook with the form. Returns its id and its secret. */
async function make(who = visitor) {
  const { html } = await openPage(newPage, who, accountPaths.newWebhook, { fields: fieldsFor() });
  const [secret = ""] = textsOf(html, "dd .mono");
  const row = await getDb().selectFrom("webhookEndpoints").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
  return { id: row.id, secret };
}

const placeOf = (id: number) => ({ params: { id: String(id) } });

const press = async (id: number, fields: Record<string, string>, who = visitor) =>
  run(webhookPage.action, await who.post(accountPaths.webhook(id), fields), placeOf(id).params);

/** Presses a button. Returns the message on the next page. */
async function pressed(id: number, fields: Record<string, string>): Promise<unknown> {
  visitor.follow(await press(id, fields));
  return toastOf(visitor);
}

describe("[API-01] the pages of webhooks", () => {
  test("make a webhook, show its secret once, and send a test event, without scripts", async () => {
    const { id, secret } = await make();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect((await webhookRow(id))?.secret).not.toContain(secret.slice(6));
    expect(await pressed(id, { intent: "test" })).toBe("The receiver has accepted the message.");
    expect(verified(receiver.received[0] as never, secret)).toMatchObject({
      type: "webhook.test",
      data: { endpointId: id },
    });
    const { html } = await openPage(webhookPage, visitor, accountPaths.webhook(id), placeOf(id));
    expect(pageText(html)).toContain("webhook.test");
    expect(textsOf(html, "tbody td .tag")).toEqual(["Delivered"]);
    const list = await openPage(listPage, visitor, accountPaths.webhooks);
    expect(pageText(list.html)).toContain(receiver.url());
    for (const page of [html, list.html]) expect(page).not.toContain(secret);
  });

  test("show what was sent, and send it again", async () => {
    const { id } = await make();
    receiver.answerWith(500);
    expect(await pressed(id, { intent: "test" })).toBe(
      "The message was not delivered. The receiver answered with 500.",
    );
    const row = await getDb().selectFrom("webhookDeliveries").selectAll().executeTakeFirstOrThrow();
    const path = accountPaths.webhookDelivery(id, row.id);
    const params = { id: String(id), delivery: String(row.id) };
    const { html } = await openPage(deliveryPage, visitor, path, { params });
    expect(textsOf(html, "pre")).toEqual([receiver.received[0]?.body]);
    receiver.answerWith(200);
    visitor.follow(await run(deliveryPage.action, await visitor.post(path, { intent: "send-again" }), params));
    expect(await toastOf(visitor)).toBe("The receiver has accepted the message.");
    const [first, again] = receiver.received;
    expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(again?.body).toBe(first?.body);
  });

  test("pause, resume, change and remove a webhook", async () => {
    const { id } = await make();
    expect(await pressed(id, { intent: "pause" })).toBe("The webhook is paused.");
    expect(await pressed(id, { intent: "resume" })).toBe("The webhook goes on.");
    expect(await pressed(id, { intent: "change", ...fieldsFor({ events: "code.registered" }) })).toBe(
      "The webhook was saved.",
    );
    expect(await webhookRow(id)).toMatchObject({ events: "code.registered", expiryDays: "" });
    expect(await (await press(id, { intent: "remove" })).json()).toEqual({ asked: { intent: "remove" } });
    expect(await pressed(id, { intent: "remove", confirmed: "yes" })).toBe("The webhook was removed.");
    expect(await webhookRow(id)).toBeUndefined();
  });

  test.each([
    [{ url: "https://10.0.0.1/" }, "url", "private or special-purpose address 10.0.0.1"],
    [{ url: "" }, "url", "This field is required."],
    [{ events: "order.eaten" }, "events", "The value is not part of the collection"],
    [{ events: "certificate.expiring", expiryDays: "" }, "expiryDays", "Enter how many days before"],
    [{ events: "certificate.expiring", expiryDays: "0, 7" }, "expiryDays", "from 1 to 180"],
    [{ events: "certificate.expiring", expiryDays: "1,2,3,4,5,6" }, "expiryDays", "Enter 5 numbers at most."],
  ])("name the field and the rule of %o", async (given, field, message) => {
    const sent = await visitor.post(accountPaths.newWebhook, fieldsFor(given));
    const { errors } = await errorsOf(await run(newPage.action, sent));
    expect(errors[field]).toContain(message);
  });

  test("allow five webhooks, each with its own address", async () => {
    for (let count = 1; count <= 5; count += 1) await storeWebhook(owner, { url: `https://8.8.8.8/${count}` });
    const post = async (url: string) =>
      (await errorsOf(await run(newPage.action, await visitor.post(accountPaths.newWebhook, fieldsFor({ url })))))
        .errors;
    expect((await post("https://8.8.8.8/1")).url).toContain("has a webhook with this address");
    expect(Object.values(await post("https://8.8.8.8/6"))[0]).toContain("5 webhooks at most");
  });

  test("show nothing of another company, and nothing to colleagues who are no owners", async () => {
    const id = await storeWebhook(await createUser());
    const delivery = await storeDelivery(id);
    expect((await press(id, { intent: "pause" })).status).toBe(404);
    expect((await run(webhookPage.loader, visitor.get(accountPaths.webhook(id)), placeOf(id).params)).status).toBe(404);
    const own = await storeWebhook(owner);
    const params = { id: String(own), delivery: String(delivery) };
    const path = accountPaths.webhookDelivery(own, delivery);
    expect((await run(deliveryPage.loader, visitor.get(path), params)).status).toBe(404);
    expect((await run(deliveryPage.action, await visitor.post(path, { intent: "send-again" }), params)).status).toBe(
      404,
    );
    const member = await signedInAs(await createColleague(owner, "technical"));
    const answers = [
      await run(listPage.loader, member.get(accountPaths.webhooks)),
      await press(own, { intent: "pause" }, member),
    ];
    for (const answer of answers) expect(answer.headers.get("Location")).toBe("/home/dashboard");
    expect((await webhookRow(own))?.pausedAt).toBeNull();
  });

  test("change nothing while an administrator acts as the owner", async () => {
    const id = await storeWebhook(owner);
    const { visitor: actor } = await acting(await createAdmin(), owner);
    expect((await press(id, { intent: "pause" }, actor)).status).toBe(403);
    expect((await webhookRow(id))?.pausedAt).toBeNull();
    const { html } = await openPage(webhookPage, actor, accountPaths.webhook(id), placeOf(id));
    expect(textsOf(html, "main button")).toEqual([]);
  });
});
