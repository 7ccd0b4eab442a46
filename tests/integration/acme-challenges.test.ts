import { createHash } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { expect, test } from "vitest";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { newAcmeAccount } from "../support/acme";
import { type AcmeAnswer, typeOf } from "../support/acme-client";
import { useDomainServers } from "../support/domains";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();
const servers = useDomainServers();

/** An account whose authorisation covers a domain that the company has not confirmed any more, and an order for a host of it. */
async function newUnconfirmed(host = "www.") {
  const account = await newAcmeAccount(makeCsr);
  const validUntil = new Date(Date.now() - 1000);
  await getDb().updateTable("companyDomains").set({ validUntil }).where("name", "=", account.domain).execute();
  const name = host + account.domain;
  servers.publish(name, { a: ["127.0.0.1"] });
  return { ...account, name, order: await account.acme.order(name) };
}

type Account = Awaited<ReturnType<typeof newUnconfirmed>>;

/** Returns the challenges of the only name of an order. */
const challengesOf = async ({ acme, order }: Account) =>
  (await acme.post(order.body.authorizations[0])).body.challenges;

const challengeOf = async (account: Account, type: string) => {
  const found = (await challengesOf(account)).find((one) => one.type === type);
  if (!found) throw new Error(`There is no challenge ${type}.`);
  const content = `${found.token}.${await calculateJwkThumbprint(account.acme.key.jwk)}`;
  return { ...found, content, path: `/.well-known/acme-challenge/${found.token}` };
};

const statusOf = async ({ acme, order }: Account) => {
  const answer: AcmeAnswer = await acme.post(order.headers.get("Location") ?? "");
  return answer.body.status;
};

test("[API-03] a file on the server proves a name, for which the certificate is then issued at once", async () => {
  const account = await newUnconfirmed();
  const { acme, order, name, csrOf } = account;
  expect(order.body.status).toBe("pending");
  expect(typeOf(await acme.finalize(order, csrOf(name).der))).toBe("orderNotReady");
  const { url, path, content } = await challengeOf(account, "http-01");
  servers.web.serveText(path, content);
  const tried = await acme.post(url, {});
  expect([tried.status, tried.body.status]).toEqual([200, "valid"]);
  expect(tried.headers.get("Link")).toContain(`<${order.body.authorizations[0]}>;rel="up"`);
  expect(await statusOf(account)).toBe("ready");
  expect((await acme.finalize(order, csrOf(name).der)).body).toMatchObject({ status: "valid" });
});

test("[API-03] a DNS record proves a name and a wildcard, for which a file does not count", async () => {
  const account = await newUnconfirmed("*.");
  expect((await challengesOf(account)).map(({ type }) => type)).toEqual(["dns-01"]);
  const { url, content } = await challengeOf(account, "dns-01");
  const value = createHash("sha256").update(content).digest("base64url");
  servers.publish(`_acme-challenge.${account.domain}`, { txt: [value] });
  expect((await account.acme.post(url, {})).body.status).toBe("valid");
  expect((await account.acme.finalize(account.order, account.csrOf(account.name).der)).body.status).toBe("valid");
  const file = url.replace("dns-01", "http-01");
  expect((await account.acme.post(file, {})).status).toBe(403);
});

test("[API-03] a wrong file, a private address and a redirect to another host prove nothing, and end the order", async () => {
  const wrong = await newUnconfirmed();
  const first = await challengeOf(wrong, "http-01");
  servers.web.serveText(first.path, `${first.token}.other`);
  expect((await wrong.acme.post(first.url, {})).body).toMatchObject({
    status: "invalid",
    error: { detail: expect.any(String) as string },
  });
  expect(await statusOf(wrong)).toBe("invalid");

  const elsewhere = await newUnconfirmed();
  const second = await challengeOf(elsewhere, "http-01");
  servers.web.serve = (_, answer) =>
    answer.writeHead(302, { Location: `http://127.0.0.1:${servers.port}/secret` }).end();
  const redirected = await elsewhere.acme.post(second.url, {});
  expect(redirected.body.error.detail).toContain("only redirects to the same host are followed");
  expect(servers.web.asked.at(-1)).not.toContain("/secret");

  getConfig().names.checkPrivateAddresses = false;
  const inside = await newUnconfirmed();
  const third = await challengeOf(inside, "http-01");
  servers.web.serveText(third.path, third.content);
  const refused = await inside.acme.post(third.url, {});
  expect(refused.body.error.detail).toContain("private or special-purpose address 127.0.0.1");
});

test("[API-03] a challenge that is met twice at once is tried once, and a deactivated authorization ends the order", async () => {
  const account = await newUnconfirmed();
  const { url, path, content } = await challengeOf(account, "http-01");
  servers.web.serveText(path, content);
  const before = servers.web.asked.length;
  await Promise.all([account.acme.post(url, {}), account.acme.post(url, {})]);
  expect(servers.web.asked.length - before).toBe(1);
  const authorization = account.order.body.authorizations[0];
  expect((await account.acme.post(authorization, { status: "deactivated" })).body.status).toBe("deactivated");
  expect(await statusOf(account)).toBe("invalid");
});

test("[API-03] where confirmed names are required, a name that is not confirmed is refused at once", async () => {
  const { acme, name } = await newUnconfirmed();
  Object.assign(getConfig().names, { domainControl: "require" });
  try {
    const refused = await acme.order(name);
    expect([typeOf(refused), refused.body.instance]).toEqual([
      "rejectedIdentifier",
      "http://portal.test/home/company/domains",
    ]);
  } finally {
    Object.assign(getConfig().names, { domainControl: "mark" });
  }
});
