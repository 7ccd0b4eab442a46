import { X509Certificate } from "node:crypto";
import { base64url } from "jose";
import { describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { listStandingUses } from "~db/repositories/standing-authorisations.server";
import {
  type AcmeAnswer,
  AcmeClient,
  clientKeyOf,
  newAcmeAccount,
  newAcmeKey,
  newClientKey,
  typeOf,
} from "../support/acme";
import { auditEventsOf } from "../support/certificates";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const { makeCsr, makeRsaKey } = useOpenssl();

const newAccount = (given: Parameters<typeof newAcmeAccount>[1] = {}) => newAcmeAccount(makeCsr, given);

/** Returns the certificate of an order of a client as the database has it. */
async function certificateOf(order: AcmeAnswer) {
  const id = Number(/\/order\/(\d+)$/.exec(order.headers.get("Location") ?? "")?.[1]);
  const row = await getDb().selectFrom("acmeOrders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const certificate = await findCertificateByOrder(getDb(), row.orderId ?? 0);
  if (!certificate) throw new Error("The order has no certificate.");
  return certificate;
}

/** Orders a certificate and gets it. */
async function issue({ acme, domain, csrOf }: Awaited<ReturnType<typeof newAccount>>, host = "www") {
  const name = `${host}.${domain}`;
  const order = await acme.order(name);
  const csr = csrOf(name);
  const done = await acme.finalize(order, csr.der);
  const chain = await acme.post(done.body.certificate);
  return { order, csr, done, chain, certificate: new X509Certificate(chain.text) };
}

describe("[API-03] an ACME order within the standing authorisation", () => {
  test("[API-03] is ready at once for confirmed names, and gets its subject from the authorisation", async () => {
    const account = await newAccount();
    const { acme, domain, csrOf, standing } = account;
    const names = [`www.${domain}`, `*.${domain}`];
    const order = await acme.order(`WWW.${domain}`, `*.${domain}`);
    expect([order.status, order.body.status]).toEqual([201, "ready"]);
    const authorization = await acme.post(order.body.authorizations[0]);
    expect(authorization.body).toMatchObject({
      status: "valid",
      identifier: { value: domain },
      wildcard: true,
      challenges: [],
    });
    const done = await acme.finalize(order, csrOf(...names).der);
    expect(done.body).toMatchObject({
      status: "valid",
      identifiers: names.toSorted().map((value) => ({ type: "dns", value })),
    });
    const chain = await acme.post(done.body.certificate);
    expect(chain.headers.get("Content-Type")).toBe("application/pem-certificate-chain");
    expect(chain.text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    const { subject, subjectAltName } = new X509Certificate(chain.text);
    expect(subject.split("\n")).toEqual(["C=GB", "L=Coventry", "O=Example Parts Ltd", `CN=www.${domain}`]);
    expect(subjectAltName?.split(", ").sort()).toEqual(names.map((name) => `DNS:${name}`).sort());
    const alternate = /<([^>]+)>;\s*rel="alternate"/.exec(chain.headers.get("Link") ?? "")?.[1] ?? "";
    expect((await acme.post(alternate)).text.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
    const row = await certificateOf(done);
    expect(await auditEventsOf(row.id)).toEqual(
      expect.arrayContaining(["order.within-standing", "certificate.issued"]),
    );
    expect((await listStandingUses(getDb(), [standing])).get(standing)?.certificates).toBe(1);
    expect((await acme.post(`${acme.account}/orders`)).body.orders).toEqual([order.headers.get("Location")]);
  });

  test("[API-03] takes a CSR with a common name only, and one with the whole subject", async () => {
    const { acme, domain } = await newAccount();
    for (const [host, subject] of [
      ["a", "/CN=a."],
      ["b", "/C=GB/L=Coventry/O=Example Parts Ltd/CN=b."],
    ] as const) {
      const name = `${host}.${domain}`;
      const csr = makeCsr({ subject: subject + domain, san: [`DNS:${name}`] });
      expect((await acme.finalize(await acme.order(name), csr.der)).body.status).toBe("valid");
    }
  });

  test("[API-03] that is finalised twice at once has one certificate, and the same CSR gets the same answer later", async () => {
    const { acme, domain, csrOf, standing } = await newAccount();
    const order = await acme.order(`www.${domain}`);
    const csr = csrOf(`www.${domain}`);
    const answers = await Promise.all([1, 2, 3].map(() => acme.finalize(order, csr.der)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.finalize)).size).toBe(1);
    expect((await listStandingUses(getDb(), [standing])).get(standing)?.certificates).toBe(1);
    expect((await acme.finalize(order, csr.der)).body.status).toBe("valid");
    expect(typeOf(await acme.finalize(order, csrOf(`www.${domain}`).der))).toBe("orderNotReady");
  });
});

describe("[API-03] an ACME order is refused", () => {
  test("[API-03] for names that are not covered, not of a right form, or of another type, each named", async () => {
    const { acme, domain } = await newAccount();
    const refused = await acme.order(`www.${domain}`, "www.example.com", "bad_name.example.org");
    expect([refused.status, typeOf(refused)]).toEqual([400, "rejectedIdentifier"]);
    expect(refused.body.subproblems.map(({ identifier }) => identifier.value)).toEqual([
      "www.example.com",
      "bad_name.example.org",
    ]);
    const ip = await acme.post("new-order", { identifiers: [{ type: "ip", value: "192.0.2.1" }] });
    expect(typeOf(ip)).toBe("unsupportedIdentifier");
    for (const payload of [
      {},
      { identifiers: [] },
      { identifiers: [{ type: "dns", value: `a.${domain}` }], notAfter: "x" },
    ])
      expect(typeOf(await acme.post("new-order", payload))).toBe("malformed");
  });

  test("[API-03] at its end for other names, a differing subject, a used key, a key of another kind, and bytes that are no CSR", async () => {
    const account = await newAccount();
    const { acme, domain, csrOf } = account;
    const name = `www.${domain}`;
    const order = await acme.order(name);
    const refusal = async (csr: Uint8Array) => {
      const answer = await acme.finalize(order, csr);
      return [typeOf(answer), answer.body.detail];
    };
    const withSubject = (subject: string) => makeCsr({ subject, san: [`DNS:${name}`] }).der;
    expect(await refusal(csrOf(`other.${domain}`).der)).toEqual(["badCSR", expect.stringContaining(name)]);
    expect(await refusal(csrOf(name, `more.${domain}`).der)).toEqual(["badCSR", expect.stringContaining("more.")]);
    expect(await refusal(withSubject(`/CN=more.${domain}`))).toEqual([
      "badCSR",
      expect.stringContaining("common name"),
    ]);
    expect(await refusal(withSubject(`/O=Other Ltd/CN=${name}`))).toEqual([
      "badCSR",
      expect.stringContaining("O='Other Ltd'"),
    ]);
    expect(await refusal(new Uint8Array([1, 2, 3]))).toEqual(["badCSR", expect.any(String)]);
    const { csr } = await issue(account, "first");
    const sameKey = makeCsr({ subject: "", san: [`DNS:${name}`], keyFile: csr.keyFile });
    expect(await refusal(sameKey.der)).toEqual(["badCSR", expect.stringContaining("Create a new key")]);
    expect((await acme.post(order.headers.get("Location") ?? "")).body.status).toBe("ready");
    expect((await acme.finalize(order, csrOf(name).der)).body.status).toBe("valid");
  });

  test("[API-03] to another account, with all that belongs to it", async () => {
    const account = await newAccount();
    const { order, done } = await issue(account);
    const other = new AcmeClient(await newClientKey());
    await other.register(await newAcmeKey(account));
    const urls = [
      order.headers.get("Location"),
      order.body.authorizations[0],
      done.body.certificate,
      account.acme.account,
    ];
    for (const url of urls) expect([url, (await other.post(url as string)).status]).toEqual([url, 403]);
    expect((await other.post(order.body.finalize, { csr: "AAAA" })).status).toBe(403);
    const certificate = (await account.acme.post(done.body.certificate)).text;
    const der = new X509Certificate(certificate).raw.toString("base64url");
    expect(typeOf(await other.post("revoke-cert", { certificate: der }))).toBe("unauthorized");
  });

  test("[API-03] when the account has too many that were not finalised", async () => {
    const { acme, domain } = await newAccount();
    const { accountId } = await getDb()
      .selectFrom("acmeAccounts")
      .select("id as accountId")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const now = new Date();
    const expiresAt = new Date(now.getTime() + 60_000);
    const row = { accountId, names: "[]", createdAt: now, expiresAt };
    await getDb()
      .insertInto("acmeOrders")
      .values(Array.from({ length: 100 }, () => row))
      .execute();
    const refused = await acme.order(`www.${domain}`);
    expect([refused.status, typeOf(refused), refused.headers.get("Retry-After")]).toEqual([429, "rateLimited", "3600"]);
  });
});

describe("[API-03] an ACME order beyond the ceiling", () => {
  test("[API-03] waits for staff, says why, and is not placed again", async () => {
    const account = await newAccount({ ceilingCertificates: 1 });
    const { acme, domain, csrOf } = account;
    await issue(account, "first");
    const order = await acme.order(`www.${domain}`);
    const csr = csrOf(`www.${domain}`);
    const refused = await acme.finalize(order, csr.der);
    expect([refused.status, typeOf(refused)]).toEqual([403, "userActionRequired"]);
    expect(refused.body.detail).toContain("The ceiling of the standing authorisation is reached: 1 certificate.");
    const waiting = await acme.post(order.headers.get("Location") ?? "");
    expect(waiting.body).toMatchObject({
      status: "processing",
      error: { detail: expect.stringContaining("ceiling") as string },
    });
    expect(waiting.headers.get("Retry-After")).toBe("3600");
    expect((await certificateOf(waiting)).status).toBe("Pending");
    const again = await acme.order(`www.${domain}`);
    expect([typeOf(again), again.body.instance]).toEqual(["userActionRequired", waiting.body.error.instance]);
    expect(typeOf(await acme.finalize(order, csr.der))).toBe("userActionRequired");
  });
});

describe("[API-03] a certificate is revoked by ACME", () => {
  const derOf = ({ certificate }: { certificate: X509Certificate }) => certificate.raw.toString("base64url");

  test("[API-03] by the account that ordered it, once, for a reason that the portal knows", async () => {
    const account = await newAccount();
    const issued = await issue(account);
    const revoke = (reason?: number) => account.acme.post("revoke-cert", { certificate: derOf(issued), reason });
    expect(typeOf(await revoke(2))).toBe("badRevocationReason");
    expect((await revoke(4)).status).toBe(200);
    expect(await certificateOf(issued.done)).toMatchObject({ status: "Revoked", revocationReason: 4 });
    expect(typeOf(await revoke(4))).toBe("alreadyRevoked");
  });

  test("[API-03] by whoever has its key, as compromised, and nobody uses the key again", async () => {
    const account = await newAccount();
    const issued = await issue(account);
    const other = new AcmeClient(await clientKeyOf(makeRsaKey()));
    const revoke = (client: AcmeClient) => client.post("revoke-cert", { certificate: derOf(issued) }, {}, true);
    expect(typeOf(await revoke(other))).toBe("unauthorized");
    const holder = new AcmeClient(await clientKeyOf(issued.csr.keyFile));
    expect((await revoke(holder)).status).toBe(200);
    const row = await certificateOf(issued.done);
    expect(row).toMatchObject({ status: "Revoked", revocationReason: 1 });
    expect(
      await getDb()
        .selectFrom("blockedKeys")
        .select("keyIdentity")
        .where("keyIdentity", "=", row.keyIdentity)
        .execute(),
    ).toHaveLength(1);
  });
});

describe("[API-03] renewal information", () => {
  /** Returns the identifier of a certificate (RFC 9773 §4.1) by what its text says. */
  function identifierOf(certificate: X509Certificate, issuer: X509Certificate): string {
    const serial =
      certificate.serialNumber.length % 2 === 0 ? certificate.serialNumber : `0${certificate.serialNumber}`;
    const bytes = Buffer.from(serial, "hex");
    const integer = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return `${keyIdOf(issuer)}.${base64url.encode(integer)}`;
  }
  /** The subject key identifier of a certificate, which OpenSSL finds by its tag. */
  function keyIdOf({ raw }: X509Certificate): string {
    const at = raw.indexOf(Buffer.from("0603551d0e04160414", "hex"));
    return base64url.encode(raw.subarray(at + 9, at + 29));
  }

  test("[API-03] has a window before the end, and one that has begun for a revoked certificate; a replacement is noted once", async () => {
    const account = await newAccount();
    const { acme, domain } = account;
    const { chain, certificate } = await issue(account);
    const issuer = new X509Certificate(chain.text.slice(chain.text.indexOf("-----END") + 26));
    const id = identifierOf(certificate, issuer);
    const info = await acme.ask(`renewal-info/${id}`);
    const start = Date.parse(info.body.suggestedWindow.start);
    expect(Date.parse(certificate.validTo) - start).toBe(30 * 86_400_000);
    expect([info.status, info.headers.get("Retry-After")]).toEqual([200, "21600"]);
    const replacing = () =>
      acme.post("new-order", { identifiers: [{ type: "dns", value: `www.${domain}` }], replaces: id });
    expect((await replacing()).status).toBe(201);
    expect(typeOf(await replacing())).toBe("alreadyReplaced");
    await acme.post("revoke-cert", { certificate: certificate.raw.toString("base64url") });
    const now = await acme.ask(`renewal-info/${id}`);
    expect(Date.parse(now.body.suggestedWindow.end)).toBeLessThan(Date.now());
    for (const unknown of ["x", "AAAA.AAAA", `${id}AA`])
      expect((await acme.ask(`renewal-info/${unknown}`)).status).toBe(404);
  });
});
