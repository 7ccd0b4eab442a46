import { beforeAll, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import * as keysPage from "~/routes/home.company_.standing-authorisations.$id_.acme-keys/route";
import { getDb } from "~db/connection.server";
import { acmeClientOf, newAcmeCompany } from "../support/acme";
import { newClientKey } from "../support/acme-client";
import { acting } from "../support/acting";
import { setCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createAdmin } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

let company: Awaited<ReturnType<typeof newAcmeCompany>>;
let visitor: Visitor;
beforeAll(async () => {
  company = await newAcmeCompany(makeCsr);
  visitor = await signedInAs(company.user);
});

const params = () => ({ id: String(company.standing) });
const path = () => accountPaths.acmeKeys(company.standing);
const open = (given: { fields?: Record<string, string> } = {}, who = visitor) =>
  openPage(keysPage, who, path(), { params: params(), ...given });
const press = async (fields: Record<string, string>, who = visitor) =>
  run(keysPage.action, await who.post(path(), fields), params());

const rowOf = (description: string) =>
  getDb().selectFrom("acmeKeys").selectAll().where("description", "=", description).executeTakeFirstOrThrow();

test("[API-01] an owner makes an ACME key, which is shown once and kept sealed, and revokes it after a question", async () => {
  expect(pageText((await open()).html)).toContain("No ACME keys");
  const { html } = await open({ fields: { intent: "make", description: "Web server" } });
  const [directory, keyId = "", secret = ""] = textsOf(html, "dd .mono");
  expect(directory).toBe("http://portal.test/acme/directory");
  expect(pageText(html)).toContain(`--eab-kid ${keyId} --eab-hmac-key ${secret}`);
  expect((await rowOf("Web server")).secret).not.toContain(secret);
  expect((await open()).html).not.toContain(secret);
  const client = acmeClientOf(await newClientKey());
  expect((await client.register({ keyId, secret })).status).toBe(201);
  expect(pageText((await open()).html)).toMatch(/Web server.*Active/);

  const revoke = { intent: "revoke", key: String((await rowOf("Web server")).id) };
  expect(await (await press(revoke)).json()).toEqual({ asked: revoke });
  expect((await client.post(client.account)).status).toBe(200);
  visitor.follow(await press({ ...revoke, confirmed: "yes" }));
  expect(await toastOf(visitor)).toBe("The key “Web server” was revoked.");
  expect((await client.post(client.account)).status).toBe(403);
});

test("[API-03] the page has lines for the common clients with the key, the server and a host, and the MAC key only at once", async () => {
  const at = (search = "") => openPage(keysPage, visitor, path() + search, { params: params() });
  expect(textsOf((await at()).html, "#automate")).toEqual([]);
  const made = await open({ fields: { intent: "make", description: "Gateway" } });
  const [, keyId = "", secret = ""] = textsOf(made.html, "dd .mono");
  await press({ intent: "make", description: "Later" });
  const [gateway, later] = [await rowOf("Gateway"), await rowOf("Later")];
  const clients = ["certbot", "dehydrated", "uacme", "lego", "Caddy", "acme-client"];
  expect(textsOf(made.html, "#automate summary")).toEqual(clients);
  const withSecret = textsOf(made.html, "#automate pre");
  for (const lines of withSecret)
    for (const part of [keyId, secret, `basis.${company.domain}`, "http://portal.test/acme/directory"])
      expect(lines).toContain(part);
  const shown = textsOf((await at()).html, "#automate pre").join("\n");
  expect(shown).toContain(later.keyId);
  expect(shown).toContain("MAC_KEY");
  const chosen = textsOf((await at(`?key=${gateway.id}`)).html, "#automate pre");
  expect(chosen).toEqual(withSecret.map((lines) => lines.replace(secret, "MAC_KEY")));
  const host = `named.${company.domain}`;
  await setCertificate(company.basis, { subjectAlternateName: "[]", commonName: host });
  for (const lines of textsOf((await at()).html, "#automate pre")) expect(lines).toContain(host);
  for (const { id } of [gateway, later]) await press({ intent: "revoke", key: String(id), confirmed: "yes" });
  expect(textsOf((await at(`?key=${gateway.id}`)).html, "#automate")).toEqual([]);
});

test("[API-01] a key needs a description, and one of another authorisation is not found", async () => {
  const { html } = await open({ fields: { intent: "make", description: "" } });
  expect(textsOf(html, '[role="alert"] a')).toHaveLength(1);
  expect((await press({ intent: "revoke", key: "999999", confirmed: "yes" })).status).toBe(404);
});

test("[API-01] only owners make keys, and no administrator who acts as one", async () => {
  const colleague = await signedInAs(await createColleague(company.user, "purchaser"));
  await press({ intent: "make", description: "Not allowed" }, colleague);
  const { visitor: asOwner } = await acting(await createAdmin(), company.user);
  expect((await press({ intent: "make", description: "Not allowed" }, asOwner)).status).toBe(403);
  const made = getDb().selectFrom("acmeKeys").select("id").where("description", "=", "Not allowed");
  expect(await made.execute()).toEqual([]);
});
