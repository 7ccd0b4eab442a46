import { Agent, request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { select } from "../support/page";

const MB = 1024 * 1024;
const TOO_LARGE = "is the most that is accepted.";

/** The forms of accounts and logins. */
const FORMS = [
  "/login",
  "/register",
  "/complete-registration",
  "/consolidate-users",
  "/forgot-password",
  "/reset-code",
  "/reset-code/token/anna@example-parts.com",
  "/change-password",
  "/password-expiry",
  "/verify-email/token",
  "/login-as-user/1/auth-string",
  "/end-login-as-user",
  "/logout",
  "/theme",
  "/resend-verification",
  "/partner/verify-token",
  "/home/user-management",
  "/home/users/1",
  "/home/manage",
];

let portal: RunningPortal;
beforeAll(async () => void (portal = await startPortal({ RATE_LIMITS: "off" })));
afterAll(() => portal.dispose());

interface Answer {
  status: number;
  text: string;
}

/**
 * Posts a form of `bytes` bytes, without Content-Length unless `length` is given. Stops when everything is sent or the answer has arrived.
 */
const post = (path: string, bytes: number, { length, agent }: { length?: number; agent?: Agent } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    const headers = {
      Accept: "text/html",
      "Content-Type": "application/x-www-form-urlencoded",
      ...(length !== undefined && { "Content-Length": length }),
    };
    const sent = httpRequest({ hostname, port, path, method: "POST", headers, agent: agent ?? false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    const part = Buffer.alloc(64 * 1024, "a");
    let left = bytes;
    const write = (): void => {
      while (left > 0) {
        left -= part.length;
        if (!sent.write(left < 0 ? part.subarray(0, part.length + left) : part)) return void sent.once("drain", write);
      }
      sent.end();
    };
    write();
  });

/** Sends a GET. Returns its status, and whether it reused the connection of the previous request. */
const getOn = (agent: Agent) =>
  new Promise<[status: number, isSame: boolean]>((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    const asked = httpRequest({ hostname, port, path: "/healthz", agent, timeout: 5000 }, (answer) => {
      answer.resume().once("end", () => resolve([answer.statusCode ?? 0, asked.reusedSocket]));
    });
    asked
      .once("timeout", () => asked.destroy(new Error("The connection hangs.")))
      .once("error", reject)
      .end();
  });

const isAlive = async () => expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200);

describe("a body that is too large", () => {
  test.each(FORMS)("[LOG-08] [GEN-02] %s: 10 MB are answered with 413", async (path) => {
    const { status, text } = await post(path, 10 * MB, { length: 10 * MB });
    expect([path, status]).toEqual([path, 413]);
    expect(text).toContain("The form is too large: 8192 KB is the most that is accepted.");
    if (path !== "/partner/verify-token") expect(select(text, "header ~ :has(h1) ~ footer").length).toBe(1);
    await isAlive();
  });

  test.each([8, 9, 40])("[LOG-08] [GEN-02] of %i MB without Content-Length is answered with a page", async (size) => {
    // Browsers keep connections open. A client that is still sending can lose the answer when the server closes the connection at once.
    const agent = new Agent({ keepAlive: true });
    const { status, text } = await post("/login", size * MB + 1, { agent });
    agent.destroy();
    expect(status).toBe(413);
    expect(text).toContain(TOO_LARGE);
    expect(select(text, "h1").length).toBe(1);
    await isAlive();
  });

  test("[LOG-08] leaves the connection usable, or closes it", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await post("/login", 12 * MB, { agent })).status).toBe(413);
    // A client whose connection was closed sends the request again on a new one (RFC 9112 §9.3.1).
    const next = await post("/login", 100, { agent }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") throw error;
      return post("/login", 100);
    });
    expect(next.status).toBe(403);
    agent.destroy();
  });

  test("[LOG-08] a form of the maximum size is accepted, one more byte is refused", async () => {
    const limit = 256 * 1024;
    expect((await post("/login", limit)).status).toBe(403);
    expect((await post("/login", limit + 1)).status).toBe(413);
  });
});

describe("[GEN-02] a body that is not read does not harm the next request on its connection", () => {
  test.each([
    ["/nope", 404],
    ["/healthz", 405],
    ["/robots.txt", 405],
    ["/repository/root.cer", 405],
    ["/home/dashboard", 405],
    ["/home/manage", 302],
    ["/api/nope", 404],
    ["/api/codes/getcodes", 405],
    ["/api/certificates/revoke", 401],
  ])("%s", async (path, status) => {
    for (const length of [300 * 1024, undefined]) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sending = length === undefined ? { agent } : { agent, length };
      expect([path, (await post(path, 300 * 1024, sending)).status]).toEqual([path, status]);
      expect(await getOn(agent)).toEqual([200, true]);
      agent.destroy();
    }
  });
});
