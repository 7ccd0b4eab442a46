import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { announceEvents } from "~/domain/webhooks/announcing.service.server";
import { deliverWebhooks } from "~/domain/webhooks/delivery.server";
import { createWebhook } from "~/domain/webhooks/endpoints.service.server";
import { type WebhookForm } from "~/domain/webhooks/webhooks.schema";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { personOf } from "./companies";
import { DnsServer } from "./dns-server";
import { openssl } from "./openssl-command";

/** The host of the receiver, to which its certificate belongs. */
export const HOOK_HOST = "hooks.example.com";

/** A message that the receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Gives the test file a receiver of webhooks on loopback, with a certificate that only the receivers of the operator's own networks may
 * have, and a DNS server that knows its host. Call it after `usePortal`.
 */
export function useWebhookReceiver() {
  const dns = new DnsServer();
  const received: Received[] = [];
  const state = { port: 0, resolver: "", folder: "" };
  let answer = (response: ServerResponse): void => void response.end();
  let server: Server;

  beforeAll(async () => {
    state.folder = mkdtempSync(join(tmpdir(), "webhook-"));
    const [key, certificate] = [join(state.folder, "key.pem"), join(state.folder, "certificate.pem")];
    const names = ["-subj", `/CN=${HOOK_HOST}`, "-addext", `subjectAltName=DNS:${HOOK_HOST}`];
    const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    openssl(["req", "-x509", ...ec, ...names, "-keyout", key, "-out", certificate]);
    server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    state.port = (server.address() as AddressInfo).port;
    state.resolver = await dns.start();
    const webhooks = { insideNetworks: ["127.0.0.1/32"], insideCertificates: certificate };
    Object.assign(getConfig().webhooks, webhooks);
  });

  beforeEach(async () => {
    received.length = 0;
    answer = (response) => void response.end();
    dns.zones[HOOK_HOST] = { a: ["127.0.0.1"] };
    Object.assign(getConfig().names, { resolvers: [state.resolver] });
    await getDb().deleteFrom("webhookEndpoints").execute();
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await dns.stop();
    rmSync(state.folder, { recursive: true });
  });

  return {
    dns,
    received,
    /** The address of the receiver. */
    url: (path = "/hook") => `https://${HOOK_HOST}:${state.port}${path}`,
    get port() {
      return state.port;
    },
    /** Answers from now on with this status and these headers. */
    answerWith: (status: number, headers: Record<string, string> = {}): void => {
      answer = (response) => void response.writeHead(status, headers).end();
    },
    /** Lets the test answer by itself. */
    answerBy: (given: typeof answer): void => {
      answer = given;
    },
  };
}

export type WebhookReceiver = ReturnType<typeof useWebhookReceiver>;

const ALL: WebhookForm["events"] = [
  "order.placed",
  "order.corrected",
  "order.rejected",
  "order.cancelled",
  "certificate.issued",
  "certificate.revoked",
  "certificate.partners-ready",
  "certificate.expiring",
  "certificate.expired",
  "invoice.issued",
  "invoice.credited",
  "code.registered",
];

/** Makes a webhook of the company of an owner, which wants every event unless told otherwise. */
export const hookTo = async (owner: { id: number }, url: string, given: Partial<WebhookForm> = {}) =>
  createWebhook(await personOf(owner), { url, description: "", events: ALL, expiryDays: [30, 7], ...given });

/** Verifies the signature of a message as a receiver does. Returns its content. */
export const verified = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };

/** Runs the jobs that queue and send. */
export async function runWebhooks(now = new Date()): Promise<void> {
  await announceEvents(now);
  await deliverWebhooks(now);
}

/** Returns the deliveries to a webhook, the oldest first. */
export const deliveriesTo = (id: number) =>
  getDb().selectFrom("webhookDeliveries").selectAll().where("endpointId", "=", id).orderBy("id").execute();
