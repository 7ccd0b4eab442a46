import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

interface Asked {
  method: string;
  /** The path with its query string. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/**
 * A partner service. It accepts remote logins, shows a form at every other address, and has an image. `localhost` and 127.0.0.1 are two
 * origins.
 */
export class PartnerServer {
  readonly asked: Asked[] = [];
  /** Headers of its pages besides their type, and their status. */
  headers: Record<string, string> = {};
  status = 200;
  port = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  origin(host = "127.0.0.1"): string {
    return `http://${host}:${this.port}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    const body = Buffer.concat(chunks).toString();
    if (path === "/favicon.ico") return void response.writeHead(404).end();
    this.asked.push({ method: request.method ?? "", path, headers: request.headers, body });
    if (path.startsWith("/banner.png")) return void response.writeHead(200, { "Content-Type": "image/png" }).end(PIXEL);
    const isLogin = request.method === "POST";
    response.writeHead(this.status, { "Content-Type": "text/html; charset=utf-8", ...this.headers });
    response.end(
      `<!DOCTYPE html><html lang="en"><title>Partner</title><main aria-label="Partner"><h1>${isLogin ? "Logged in" : "Partner form"}</h1></main></html>`,
    );
  }
}

/** Starts a partner service for the test file and stops it afterwards. */
export function usePartnerServer(): PartnerServer {
  const server = new PartnerServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
