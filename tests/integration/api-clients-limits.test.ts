import { expect, test } from "vitest";
import { askToken, makeClient } from "../support/api-clients";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { clientFrom } from "../support/security-events";

usePortal({ RATE_LIMITS: "on" });

test("[API-06] wrong secrets are limited for the client in one network; the right secret is never kept out", async () => {
  const owner = await createUser();
  const [client, other] = [await makeClient(owner, ["codes:read"]), await makeClient(owner, ["codes:read"])];
  const wrong = { ...client, secret: "wrong" };
  const guess = async (address: string, of = wrong) => (await askToken(of, {}, clientFrom(address))).status;
  for (let tries = 1; tries <= 20; tries += 1) expect(await guess("192.0.2.1")).toBe(400);
  const refused = await askToken(wrong, {}, clientFrom("192.0.2.1"));
  expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect(await guess("192.0.2.2")).toBe(400);
  expect(await guess("192.0.2.1", client)).toBe(200);
  expect(await guess("192.0.2.1", other)).toBe(200);
});

test("[API-06] wrong secrets of many clients from one network are limited together", async () => {
  const client = await makeClient(await createUser(), ["codes:read"]);
  const guess = async (clientId: string) =>
    (await askToken({ clientId, secret: "wrong" }, {}, clientFrom("198.51.100.1"))).status;
  for (let tries = 1; tries <= 60; tries += 1) expect(await guess(`mc_${tries}`)).toBe(400);
  expect(await guess("mc_61")).toBe(429);
  expect((await askToken(client, {}, clientFrom("198.51.100.1"))).status).toBe(200);
});
