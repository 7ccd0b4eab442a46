import { describe, expect, test } from "vitest";
import { expireCertificates } from "~/domain/certificates/catalogue/expiry.service.server";
import { announceEvents } from "~/domain/webhooks/announcing.service.server";
import { sendTest, sendWebhookAgain } from "~/domain/webhooks/deliveries.service.server";
import { deliverWebhooks } from "~/domain/webhooks/delivery.server";
import { pauseWebhook, renewWebhookSecret } from "~/domain/webhooks/endpoints.service.server";
import { RETRY_WAITS_MS } from "~/domain/webhooks/retry.policy";
import { announceEndingCertificates, keepWebhooks } from "~/domain/webhooks/upkeep.server";
import { getWebhookFor } from "~/domain/webhooks/webhook-views.service.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { issueCertificate } from "../support/certificates";
import { createColleague, personOf } from "../support/companies";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import {
  deliveriesTo,
  HOOK_HOST,
  hookTo,
  runWebhooks,
  useWebhookReceiver,
  verified,
} from "../support/webhook-receiver";

usePortal();
const receiver = useWebhookReceiver();

const endpointOf = (id: number) =>
  getDb().selectFrom("webhookEndpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

describe("[API-01] webhooks", () => {
  test("tell an endpoint of its company what happens, signed by the rules of the Standard Webhooks", async () => {
    const owner = await createUser();
    await issueCertificate({ customer: owner }); // before the endpoint was made
    const { id, secret } = await hookTo(owner, receiver.url());
    const certificate = await issueCertificate({ customer: owner });
    await issueCertificate({ customer: await createUser() });
    await runWebhooks();
    const all = receiver.received.map((one) => verified(one, secret));
    expect(all.map(({ type }) => type)).toContain("certificate.issued");
    expect(all.filter(({ type }) => type === "certificate.issued")).toEqual([
      {
        type: "certificate.issued",
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        data: {
          certificateId: certificate.id,
          orderId: certificate.orderId,
          orderNumber: `SO-${certificate.orderId}`,
          commonName: certificate.commonName,
          status: "Issued",
          serialNumber: certificate.serialNumber,
          sha256: certificate.thumbprintSha256,
          notBefore: certificate.startDate,
          notAfter: certificate.expiryDate,
          url: expect.stringContaining(`/home/certificate-details/${certificate.id}`) as string,
        },
      },
    ]);
    expect(JSON.stringify(all)).not.toContain(owner.email);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await endpointOf(id)).toMatchObject({ failedAt: null, deliveredAt: expect.any(String) as string });
    receiver.received.length = 0;
    await runWebhooks();
    expect(receiver.received).toEqual([]);
  });

  test("are read and sent once by several processes", async () => {
    const owner = await createUser();
    const { id } = await hookTo(owner, receiver.url(), { events: ["certificate.issued"] });
    await issueCertificate({ customer: owner });
    const now = new Date();
    await Promise.all([announceEvents(now), announceEvents(now)]);
    await Promise.all([deliverWebhooks(now), deliverWebhooks(now)]);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveriesTo(id)).toHaveLength(1);
  });

  test("tell of certificates that end soon and that have expired, once each", async () => {
    const owner = await createUser();
    const { id, secret } = await hookTo(owner, receiver.url(), {
      events: ["certificate.expiring", "certificate.expired"],
    });
    const { expiryDate } = await issueCertificate({ customer: owner });
    const end = new Date(expiryDate ?? "");
    for (const days of [31, 29.9, 29.8, 6.9, 6.8]) await announceEndingCertificates(addDays(end, -days));
    expect((await deliveriesTo(id)).map(({ source }) => source.replace(/:\d+:/, ":"))).toEqual([
      "expiring:30",
      "expiring:7",
    ]);
    await expireCertificates(addDays(end, 1));
    await announceEvents(addDays(end, 1));
    await deliverWebhooks(new Date());
    expect(await deliveriesTo(id)).toHaveLength(3);
    await getDb().updateTable("webhookDeliveries").set({ nextAttemptAt: new Date() }).execute();
    await deliverWebhooks(new Date(Date.now() + 1000));
    expect(receiver.received.map((one) => verified(one, secret).type)).toEqual([
      "certificate.expiring",
      "certificate.expiring",
      "certificate.expired",
    ]);
  });

  test("sign with both secrets for 24 hours after a new one was made", async () => {
    const owner = await createUser();
    const user = await personOf(owner);
    const { id, secret } = await hookTo(owner, receiver.url());
    const { secretMadeAt } = await getWebhookFor(user, id);
    const { secret: newer } = await renewWebhookSecret(user, id, secretMadeAt);
    await expect(renewWebhookSecret(user, id, secretMadeAt)).rejects.toThrow("got a new secret meanwhile");
    await sendTest(user, id);
    const [message] = receiver.received;
    expect(message?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    for (const one of [secret, newer]) expect(verified(message as never, one).type).toBe("webhook.test");
    await getDb().updateTable("webhookEndpoints").set({ earlierEndsAt: new Date() }).execute();
    await sendTest(user, id);
    expect(() => verified(receiver.received[1] as never, secret)).toThrow("No matching signature found");
    expect(verified(receiver.received[1] as never, newer).type).toBe("webhook.test");
  });

  test("are tried again with growing waits, respect Retry-After, and pause after three days", async () => {
    const owner = await createUser();
    const colleague = await createColleague(owner, "owner");
    const user = await personOf(owner);
    const { id } = await hookTo(owner, receiver.url());
    receiver.answerWith(503, { "Retry-After": "120" });
    const begin = new Date();
    const { id: delivery, messageId } = await sendTest(user, id, begin);
    const at = async () => Date.parse((await deliveriesTo(id))[0]?.nextAttemptAt ?? "");
    expect((await at()) - begin.getTime()).toBeGreaterThanOrEqual(120_000);
    receiver.answerWith(500);
    for (let tries = 1; tries <= RETRY_WAITS_MS.length; tries += 1) await deliverWebhooks(new Date((await at()) + 1));
    const [row] = await deliveriesTo(id);
    expect(row).toMatchObject({ attempts: 10, statusCode: 500, lastError: "The receiver answered with 500." });
    expect(row?.givenUpAt).not.toBeNull();
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([messageId]));
    expect(await getWebhookFor(user, id)).toMatchObject({
      state: "Paused",
      pausedWhy: "Nothing could be delivered for three days.",
    });
    expect((await mailsTo(colleague.email)).at(-1)?.subject).toBe(
      `The webhook to ${HOOK_HOST}:${receiver.port} is paused`,
    );
    receiver.answerWith(204);
    await pauseWebhook(user, id, false);
    await sendWebhookAgain(user, { endpointId: id, id: delivery });
    expect((await deliveriesTo(id))[0]).toMatchObject({ attempts: 1, givenUpAt: null, lastError: null });
    expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(messageId);
  });

  test("pause at once when the receiver answers with 410, and queue what happens meanwhile for three days", async () => {
    const owner = await createUser();
    const user = await personOf(owner);
    const { id } = await hookTo(owner, receiver.url(), { events: ["certificate.issued"] });
    receiver.answerWith(410);
    await sendTest(user, id);
    expect(await getWebhookFor(user, id)).toMatchObject({ state: "Paused" });
    await issueCertificate({ customer: owner });
    await runWebhooks();
    expect(receiver.received).toHaveLength(1);
    await keepWebhooks(addDays(new Date(), 3.1));
    expect((await deliveriesTo(id)).at(-1)).toMatchObject({ lastError: "The webhook was paused for three days." });
    await keepWebhooks(addDays(new Date(), 31));
    expect(await deliveriesTo(id)).toEqual([]);
  });

  test("do not follow redirects", async () => {
    const owner = await createUser();
    const { id } = await hookTo(owner, receiver.url());
    receiver.answerWith(307, { Location: receiver.url("/other") });
    await sendTest(await personOf(owner), id);
    expect((await deliveriesTo(id))[0]?.lastError).toBe("The receiver answered with 307. Redirects are not followed.");
    expect(receiver.received).toHaveLength(1);
  });

  test("need a certificate for the host of the address", async () => {
    receiver.dns.zones["other.example.com"] = { a: ["127.0.0.1"] };
    const owner = await createUser();
    const { id } = await hookTo(owner, receiver.url().replace(HOOK_HOST, "other.example.com"));
    await sendTest(await personOf(owner), id);
    expect((await deliveriesTo(id))[0]?.lastError).toMatch(/Hostname\/IP does not match certificate's altnames/);
    expect(receiver.received).toEqual([]);
  });

  test("do not wait for a slow receiver of somebody else", async () => {
    const [slow, fast] = [await createUser(), await createUser()];
    await hookTo(slow, receiver.url(), { events: ["certificate.issued"] });
    await hookTo(fast, receiver.url("/fast"), { events: ["certificate.issued"] });
    const held: (() => void)[] = [];
    receiver.answerBy((response) => {
      if (held.length === 0) held.push(() => void response.end());
      else response.end();
    });
    await issueCertificate({ customer: slow });
    await issueCertificate({ customer: slow });
    await announceEvents(new Date());
    const run = deliverWebhooks(new Date());
    await expect.poll(() => held.length).toBe(1);
    await issueCertificate({ customer: fast });
    await announceEvents(new Date());
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2);
    held[0]?.();
    await run;
    expect(receiver.received).toHaveLength(3);
  });
});

describe("[API-01] the address of a webhook", () => {
  test.each([
    ["https://10.1.2.3/x", "has the private or special-purpose address 10.1.2.3"],
    ["https://2130706434/x", "has the private or special-purpose address 127.0.0.2"],
    ["https://0x7f000002/x", "has the private or special-purpose address 127.0.0.2"],
    ["https://[::1]/x", "has the private or special-purpose address ::1"],
    ["https://[::ffff:10.0.0.1]/x", "has the private or special-purpose address ::ffff:a00:1"],
    ["https://metadata.example.com/x", "has the private or special-purpose address 169.254.169.254"],
    ["https://two.example.com/x", "has the private or special-purpose address 192.168.0.1"],
    ["https://none.example.com/x", "none.example.com has no address in the DNS"],
    ["http://public.example.com/x", "must begin with https://"],
    ["ftp://public.example.com/x", "must begin with https://, not with ftp://"],
    ["https://name:pass@public.example.com/x", "must have no user name"],
    ["https://public.example.com/x#part", "must have no fragment"],
    ["example", "Enter a whole address"],
  ])("%s is refused when it is saved", async (url, message) => {
    receiver.dns.zones["metadata.example.com"] = { a: ["169.254.169.254"] };
    receiver.dns.zones["two.example.com"] = { a: ["8.8.8.8", "192.168.0.1"] };
    receiver.dns.zones["public.example.com"] = { a: ["8.8.8.8"] };
    await expect(hookTo(await createUser(), url)).rejects.toMatchObject({
      field: "url",
      message: expect.stringContaining(message) as string,
    });
  });

  test("is checked again before each try, so that a name that has moved since leads nowhere", async () => {
    const owner = await createUser();
    const { id } = await hookTo(owner, receiver.url());
    receiver.dns.zones[HOOK_HOST] = { a: ["127.0.0.2"] };
    await sendTest(await personOf(owner), id);
    expect((await deliveriesTo(id))[0]?.lastError).toBe(
      `${HOOK_HOST} has the private or special-purpose address 127.0.0.2. The portal does not connect to it.`,
    );
    receiver.dns.zones[HOOK_HOST] = { a: [["127.0.0.1"], ["127.0.0.2"]] };
    await sendTest(await personOf(owner), id);
    expect(receiver.received).toHaveLength(1); // the checked address, although the name leads elsewhere a moment later
  });
});
