import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { SIGNATURES_AFTER_PAUSE } from "~/domain/ocsp/signing-limits.server";
import { ocspHandler } from "~/http/ocsp.server";
import { issueCertificate, storeRevocation } from "../support/certificates";
import { malformedRequests } from "../support/ocsp-request";
import { usePortal } from "../support/portal";
import { serveRepository } from "../support/repository-server";
import { errorOf, useOcsp } from "./ocsp-asking";

const server = await serveRepository();
usePortal();
const { makeRequest, textOf } = useOcsp();

let serial: string;
let request: Buffer;
beforeAll(async () => {
  serial = (await issueCertificate()).serialNumber;
  request = await makeRequest([serial]);
});

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const get = (path: string, init: RequestInit = {}) => fetch(`${server.ocsp}/${path}`, init);
const post = (body: Uint8Array, headers: Record<string, string> = { "Content-Type": "application/ocsp-request" }) =>
  fetch(server.ocsp, { method: "POST", body: new Uint8Array(body), headers });

/** Sends a request with exactly this path and these headers. `fetch` would normalise the path and add headers. */
const raw = (path: string, headers: Record<string, string> = {}): Promise<{ status: number; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    httpRequest({ hostname, port, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });

describe("GET", () => {
  /** Returns the base64 of a request with SHA-256 hashes. It contains `/` and `+`, as that of most requests does. */
  async function awkward(): Promise<string> {
    for (;;) {
      const base64 = (await makeRequest([(await issueCertificate()).serialNumber], { digest: "sha256" })).toString(
        "base64",
      );
      if (base64.includes("/") && base64.includes("+")) return base64;
    }
  }

  test("[CAL-02] accepts base64 percent-encoded, bare, and in the URL alphabet", async () => {
    const base64 = await awkward();
    const forms = [
      encodeURIComponent(base64),
      base64,
      base64.replaceAll("+", "-").replaceAll("/", "_"),
      base64.replace(/=+$/, ""),
    ];
    for (const form of forms) {
      const response = await get(form);
      expect(response.headers.get("Content-Type")).toBe("application/ocsp-response");
      expect(textOf(await bytesOf(response))).toContain("Cert Status: good");
    }
  });

  test("[CAL-02] takes the path unchanged, with several slashes in a row", async () => {
    const slashes = (await makeRequest(["7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"])).toString("base64");
    expect(slashes).toContain("////");
    expect(textOf((await raw(`/ocsp/${slashes}`)).bytes)).toContain("Cert Status: unknown");
    const plain = request.toString("base64");
    for (const path of [`/ocsp/${plain}?x=1`, `/ocsp//${plain}`])
      expect(textOf((await raw(path)).bytes)).toContain("Cert Status: good");
  });

  test("[CAL-02] may be cached up to the next answer (RFC 5019 §6.2)", async () => {
    const response = await get(encodeURIComponent(request.toString("base64")));
    const header = (name: string) => response.headers.get(name) ?? "";
    const bytes = await bytesOf(response);
    const text = textOf(bytes);
    const moment = (field: string) => Date.parse(new RegExp(`${field}: (.*)`).exec(text)?.[1] ?? "");
    expect(response.status).toBe(200);
    expect(header("Cache-Control")).toMatch(/^max-age=\d+, public, no-transform, must-revalidate$/);
    const maxAge = Number(/max-age=(\d+)/.exec(header("Cache-Control"))?.[1]);
    expect(maxAge).toBeGreaterThan(0);
    expect(maxAge).toBeLessThanOrEqual(3600);
    expect(Date.parse(header("Last-Modified"))).toBe(moment("This Update"));
    expect(Date.parse(header("Expires"))).toBe(moment("Next Update"));
    expect(header("ETag")).toMatch(/^"[\da-f]{64}"$/);
    expect(header("Content-Length")).toBe(String(bytes.length));
    expect(header("Set-Cookie")).toBe("");
  });

  test("[CAL-02] answers 304 to a client with a current copy, and the new answer after a revocation", async () => {
    const certificate = await issueCertificate();
    const path = encodeURIComponent((await makeRequest([certificate.serialNumber])).toString("base64"));
    const first = await get(path);
    const etag = first.headers.get("ETag") ?? "";
    const modified = first.headers.get("Last-Modified") ?? "";
    const conditions: [Record<string, string>, number][] = [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": '"other"' }, 200],
      [{ "If-Modified-Since": modified }, 304],
      [{ "If-Modified-Since": "Thu, 01 Jan 2015 00:00:00 GMT" }, 200],
      [{ "If-Match": etag }, 200],
      [{ "If-Match": '"other"', "If-None-Match": etag }, 412],
      [{ "If-Unmodified-Since": "Thu, 01 Jan 2015 00:00:00 GMT" }, 412],
    ];
    for (const [headers, status] of conditions) {
      const answered = await raw(`/ocsp/${path}`, headers);
      expect([headers, answered.status]).toEqual([headers, status]);
      if (status === 304) expect(answered.bytes).toHaveLength(0);
    }
    await storeRevocation(certificate);
    const after = await raw(`/ocsp/${path}`, { "If-None-Match": etag });
    expect(after.status).toBe(200);
    expect(textOf(after.bytes)).toContain("Cert Status: revoked");
  });

  test("[CAL-02] has the same headers for HEAD, without content", async () => {
    const path = encodeURIComponent(request.toString("base64"));
    const [got, head] = [await get(path), await get(path, { method: "HEAD" })];
    expect(head.headers.get("ETag")).toBe(got.headers.get("ETag"));
    expect(head.headers.get("Content-Length")).toBe(String((await bytesOf(got)).length));
    expect(await head.text()).toBe("");
  });

  test.each(["", "/", "/%", "/%ff", "/%2f", "/MAA", "/hello", "/MAA=/../etc", "/ ", "/===="])(
    "[CAL-02] of '/ocsp%s' is a malformed request, not an HTTP error",
    async (path) => {
      const { status, bytes } = await raw(`/ocsp${path.replace(" ", "%20")}`);
      expect([status, errorOf(bytes)]).toEqual([200, 1]);
    },
  );
});

describe("POST", () => {
  test("[CAL-02] repeats the nonce, and the answer is not cached", async () => {
    const withNonce = await makeRequest([serial], { args: [] });
    const [first, second] = [await post(withNonce), await post(withNonce)];
    expect(first.headers.get("Cache-Control")).toBe("no-store");
    expect(first.headers.get("ETag")).toBeNull();
    expect(textOf(await bytesOf(first))).toContain("OCSP Nonce");
    expect(textOf(await bytesOf(second))).toContain("Cert Status: good");
    const byGet = await get(encodeURIComponent(withNonce.toString("base64")));
    expect(byGet.headers.get("Cache-Control")).toBe("no-store");
    const unknown = await get(encodeURIComponent((await makeRequest(["99"])).toString("base64")));
    expect(unknown.headers.get("Cache-Control")).toBe("no-store");
  });

  test("[CAL-02] repeats the nonce of each request, also for a certificate that was requested before", async () => {
    const nonceIn = (text: string) => /OCSP Nonce:\s*([\dA-F]+)/i.exec(text)?.[1];
    const others = [serial, (await issueCertificate()).serialNumber, serial, serial];
    const nonces = new Set<string | undefined>();
    for (const of of others) {
      const withNonce = await makeRequest([of], { args: [] });
      const text = textOf(await bytesOf(await post(withNonce)));
      expect(text).toContain(`Serial Number: ${of}`);
      expect(nonceIn(text)).toBe(withNonce.toString("hex").slice(-nonceIn(text)!.length).toUpperCase());
      nonces.add(nonceIn(text));
    }
    expect(nonces.size).toBe(others.length);
  });

  test("[CAL-02] a network that requests too many signatures gets tryLater; prepared answers and others do not", async () => {
    const answer = ocspResponder();
    const withNonce = await makeRequest([serial], { args: [] });
    const from = (network: string, der: Uint8Array) => answer(der, { network: () => network });
    expect((await from("a proxy", request)).status).toBe("successful");
    const flood = Array.from({ length: SIGNATURES_AFTER_PAUSE + 300 }, () => from("a proxy", withNonce));
    const refused = (await Promise.all(flood)).filter(({ status }) => status === "tryLater");
    expect(refused.length).toBeGreaterThan(0);
    expect((await from("a proxy", request)).status).toBe("successful");
    expect((await from("another network", withNonce)).status).toBe("successful");
  });

  test("[CAL-02] tryLater says when to try again, and its HTTP status is 200", async () => {
    const handler = ocspHandler(() => Promise.resolve({ status: "tryLater", der: Uint8Array.of(0x30), caching: null }));
    const busy = createServer((asked, response) => handler(asked, response, () => response.end())).listen(
      0,
      "127.0.0.1",
    );
    await once(busy, "listening");
    const answered = await fetch(`http://127.0.0.1:${(busy.address() as AddressInfo).port}/ocsp/MAA=`);
    busy.close();
    expect([answered.status, answered.headers.get("Retry-After")]).toEqual([200, "1"]);
    expect(answered.headers.get("Cache-Control")).toBe("no-store");
  });

  test("[CAL-02] accepts the request with any media type", async () => {
    const given: Record<string, string>[] = [
      {},
      { "Content-Type": "text/plain" },
      { Origin: "http://elsewhere.example" },
    ];
    for (const headers of given)
      expect(textOf(await bytesOf(await post(request, headers)))).toContain("Cert Status: good");
  });

  test("[CAL-02] reads 16 KB and not one byte more", async () => {
    const padded = (length: number) => Buffer.concat([request, Buffer.alloc(length - request.length)]);
    const whole = await post(padded(16 * 1024));
    expect([whole.status, errorOf(await bytesOf(whole))]).toEqual([200, 1]);
    const large = await post(padded(16 * 1024 + 1));
    expect(large.status).toBe(413);
    expect(await large.text()).toBe("An OCSP request has 16 KB at most.\n");
  });

  test.each(["PUT", "DELETE", "OPTIONS"])("[CAL-02] of %s is not supported", async (method) => {
    const response = await fetch(server.ocsp, { method });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  const readable = malformedRequests().filter(([, der]) => der.length <= 16 * 1024);
  test.each(readable)("[CAL-02] of %s is answered malformedRequest with status 200", async (_, der) => {
    const response = await post(der);
    expect([response.status, errorOf(await bytesOf(response))]).toEqual([200, 1]);
    expect(response.headers.get("Content-Type")).toBe("application/ocsp-response");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });
});

test("[CAL-02] any request bytes are answered by OCSP and never by an internal error", async () => {
  const answer = ocspResponder();
  const broken = fc.tuple(fc.nat(request.length - 1), fc.nat(255), fc.nat(request.length)).map(([at, value, cut]) =>
    Buffer.from(request)
      .fill(value, at, at + 1)
      .subarray(0, cut || request.length),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), broken), async (bytes) =>
      [null, 1, 6].includes(errorOf((await answer(bytes)).der)),
    ),
    { numRuns: 500 },
  );
});
