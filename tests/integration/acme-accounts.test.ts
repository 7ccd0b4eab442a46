import { base64url } from "jose";
import { describe, expect, test } from "vitest";
import { revokeAcmeKey } from "~/domain/acme/keys.service.server";
import { getDb } from "~db/connection.server";
import { acmeClientOf, newAcmeAccount, newAcmeCompany, newAcmeKey } from "../support/acme";
import { type AcmeClient, newClientKey, signFlattened, typeOf } from "../support/acme-client";
import { personOf } from "../support/companies";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr } = useOpenssl();

const anyClient = async () => acmeClientOf(await newClientKey());

describe("[API-03] the ACME server", () => {
  test("[API-03] has a directory that asks for an external account binding", async () => {
    const { status, body, headers } = await (await anyClient()).ask("directory");
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(body).toMatchObject({
      newNonce: "http://portal.test/acme/new-nonce",
      meta: { externalAccountRequired: true },
    });
  });

  test("[API-03] gives nonces: HEAD with 200, GET with 204, never the same and never to be cached", async () => {
    const client = await anyClient();
    const [head, get] = [await client.ask("new-nonce", { method: "HEAD" }), await client.ask("new-nonce")];
    expect([head.status, get.status]).toEqual([200, 204]);
    expect(head.headers.get("Replay-Nonce")).not.toBe(get.headers.get("Replay-Nonce"));
    expect(head.headers.get("Cache-Control")).toBe("no-store");
    expect(head.headers.get("Link")).toBe('<http://portal.test/acme/directory>;rel="index"');
  });

  test("[API-03] answers an unknown resource and a wrong method with a problem document", async () => {
    const client = await anyClient();
    const unknown = await client.ask("nowhere");
    expect([unknown.status, unknown.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
    const wrong = await client.ask("new-order");
    expect([wrong.status, wrong.headers.get("Allow"), typeOf(wrong)]).toEqual([405, "POST", "malformed"]);
  });
});

describe("[API-03] an ACME account", () => {
  test.each(["ES256", "ES384", "RS256", "EdDSA"])("[API-03] is made with a key of %s, and found again", async (alg) => {
    const company = await newAcmeCompany(makeCsr);
    const client = acmeClientOf(await newClientKey(alg));
    const made = await client.register(await newAcmeKey(company));
    expect([made.status, made.body.status]).toEqual([201, "valid"]);
    const again = await client.newAccount({ onlyReturnExisting: true });
    expect([again.status, again.headers.get("Location")]).toEqual([200, client.account]);
    expect((await client.post(client.account)).body).toMatchObject({ status: "valid" });
    const orders = await client.post(`${client.account}/orders`);
    expect(orders.body).toEqual({ orders: [] });
  });

  test("[API-03] needs a binding with a right key, which makes one account only", async () => {
    const company = await newAcmeCompany(makeCsr);
    const [key, other] = [await newAcmeKey(company), await newAcmeKey(company)];
    const agreed = { termsOfServiceAgreed: true };
    const client = await anyClient();
    expect(typeOf(await client.newAccount({ onlyReturnExisting: true }))).toBe("accountDoesNotExist");
    expect(typeOf(await client.newAccount(agreed))).toBe("externalAccountRequired");
    expect(typeOf(await client.newAccount({ externalAccountBinding: await client.bind(key) }))).toBe("malformed");
    const bound = async (binding: Promise<unknown>) =>
      typeOf(await client.newAccount({ ...agreed, externalAccountBinding: await binding }));
    const secret = base64url.encode(new Uint8Array(32));
    expect(await bound(client.bind({ ...key, secret }))).toBe("unauthorized");
    expect(await bound(client.bind({ ...key, keyId: "unknown" }))).toBe("unauthorized");
    expect(await bound(client.bind(key, { url: "http://portal.test/acme/new-order" }))).toBe("malformed");
    expect(await bound(client.bind(key, { alg: "HS512" }))).toBe("malformed");
    expect(await bound(client.bind(key, {}, (await newClientKey()).jwk))).toBe("malformed");
    expect((await client.register(key)).status).toBe(201);
    expect(typeOf(await (await anyClient()).register(key))).toBe("unauthorized");
    const [row] = await getDb().selectFrom("acmeKeys").selectAll().where("keyId", "=", other.keyId).execute();
    await revokeAcmeKey(await personOf(company.user), { standingId: company.standing, id: row?.id ?? 0 });
    expect(typeOf(await (await anyClient()).register(other))).toBe("unauthorized");
  });

  test("[API-03] is made once when two clients use a key at the same time", async () => {
    const key = await newAcmeKey(await newAcmeCompany(makeCsr));
    const clients = await Promise.all([1, 2, 3].map(anyClient));
    const answers = await Promise.all(clients.map((client) => client.register(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  test("[API-03] ends when the client deactivates it, and when an owner revokes its key", async () => {
    const { acme } = await newAcmeAccount(makeCsr);
    expect(typeOf(await acme.post(acme.account, { status: "revoked" }))).toBe("malformed");
    expect((await acme.post(acme.account, { status: "deactivated" })).body.status).toBe("deactivated");
    expect(typeOf(await acme.post(acme.account))).toBe("unauthorized");
    const other = await newAcmeAccount(makeCsr);
    const [row] = await getDb()
      .selectFrom("acmeKeys")
      .selectAll()
      .where("authorisationId", "=", other.standing)
      .execute();
    await revokeAcmeKey(await personOf(other.user), { standingId: other.standing, id: row?.id ?? 0 });
    expect(typeOf(await other.acme.order(`www.${other.domain}`))).toBe("unauthorized");
  });

  test("[API-03] gets another key, but not that of another account", async () => {
    const [{ acme }, other] = [await newAcmeAccount(makeCsr), await newAcmeAccount(makeCsr)];
    const former = acme.key;
    const change = async (next: Awaited<ReturnType<typeof newClientKey>>, oldKey = former.jwk) => {
      const url = acme.url("key-change");
      const inner = JSON.stringify({ account: acme.account, oldKey });
      return acme.post(
        "key-change",
        await signFlattened(inner, next.privateKey, { alg: next.alg, jwk: next.jwk, url }),
      );
    };
    const taken = await change(other.acme.key);
    expect([taken.status, taken.headers.get("Location")]).toEqual([409, other.acme.account]);
    const next = await newClientKey("ES384");
    expect(typeOf(await change(next, next.jwk))).toBe("malformed");
    expect((await change(next)).status).toBe(200);
    expect(typeOf(await acme.post(acme.account))).toBe("badPublicKey");
    acme.key = next;
    expect((await acme.post(acme.account)).status).toBe(200);
  });
});

describe("[API-03] a request that is not signed as RFC 8555 has it is refused", () => {
  test("[API-03] a replayed, an unknown and a missing nonce, with a fresh one in the answer", async () => {
    const { acme } = await newAcmeAccount(makeCsr);
    const nonce = await acme.nonce();
    expect((await acme.post(acme.account, "", { nonce })).status).toBe(200);
    const replayed = await acme.post(acme.account, "", { nonce });
    expect([replayed.status, typeOf(replayed)]).toEqual([400, "badNonce"]);
    expect((await acme.post(acme.account, "", { nonce: replayed.headers.get("Replay-Nonce") ?? "" })).status).toBe(200);
    expect(typeOf(await acme.post(acme.account, "", { nonce: "A".repeat(24) }))).toBe("badNonce");
    expect(typeOf(await acme.post(acme.account, "", { header: { nonce: undefined } }))).toBe("badNonce");
  });

  test("[API-03] another address, another algorithm, none, a MAC with the public key, a wrong signature, a private key", async () => {
    const { acme } = await newAcmeAccount(makeCsr);
    const refused = async (...wrong: Parameters<AcmeClient["post"]>) => typeOf(await acme.post(...wrong));
    expect(await refused(acme.account, "", { url: acme.url("new-order") })).toBe("unauthorized");
    for (const alg of ["none", "HS256", "PS256"]) {
      const header = base64url.encode(JSON.stringify({ alg, kid: acme.account, url: acme.account, nonce: "x" }));
      const change = (jws: object) => ({ ...jws, protected: header, ...(alg === "none" && { signature: "" }) });
      const answer = await acme.post(acme.account, "", { change });
      expect([alg, typeOf(answer)]).toEqual([alg, "badSignatureAlgorithm"]);
      expect(answer.body.algorithms).toEqual(["ES256", "ES384", "RS256", "EdDSA"]);
    }
    const other = await newClientKey();
    expect(await refused(acme.account, "", { header: { kid: undefined, jwk: other.jwk } })).toBe("malformed");
    expect(await refused(acme.account, "", { header: { jwk: acme.key.jwk } })).toBe("malformed");
    expect(await refused(acme.account, "", { header: { kid: acme.url("account/999999") } })).toBe(
      "accountDoesNotExist",
    );
    expect(await refused(acme.account, "", { change: (jws) => ({ ...jws, payload: base64url.encode("{}") }) })).toBe(
      "malformed",
    );
    expect(await refused(acme.account, "", { change: (jws) => ({ ...jws, header: { kid: "x" } }) })).toBe("malformed");
    acme.key = { ...acme.key, privateKey: other.privateKey };
    expect(await refused(acme.account)).toBe("malformed");
    const client = await anyClient();
    const privateJwk = { ...client.key.jwk, d: "AAAA" };
    const answer = await client.post("new-account", {}, { header: { jwk: privateJwk } }, true);
    expect(typeOf(answer)).toBe("badPublicKey");
  });

  test("[API-03] a body of another type, one that is no JWS, and one that is too long", async () => {
    const { acme } = await newAcmeAccount(makeCsr);
    expect((await acme.post(acme.account, "", { type: "application/json" })).status).toBe(415);
    const headers = { "Content-Type": "application/jose+json" };
    for (const body of ["", "{}", "[]", '{"protected":"","payload":"","signature":""}', "e30"])
      expect(typeOf(await acme.ask("new-order", { method: "POST", headers, body }))).toBe("malformed");
    const long = await acme.ask("new-order", { method: "POST", headers, body: "x".repeat(70_000) });
    expect([long.status, typeOf(long)]).toEqual([413, "malformed"]);
    expect(long.headers.get("Replay-Nonce")).not.toBeNull();
  });
});
