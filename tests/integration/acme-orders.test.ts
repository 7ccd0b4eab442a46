import { X509Certificate } from "node:crypto";
import { base64url } from "jose";
import { describe, expect, test } from "vitest";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { listStandingUses } from "~db/repositories/standing-authorisations.server";
import { acmeClientOf, newAcmeAccount, newAcmeKey } from "../support/acme";
import { type AcmeAnswer, type AcmeClient, clientKeyOf, newClientKey, typeOf } from "../support/acme-client";
import { apiClientOf } from "../support/api";
import { auditEventsOf, checksDone, readCertificate, setCertificate } from "../support/certificates";
import { personOf } from "../support/companies";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
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

/** Returns the identifier of a certificate (RFC 9773 §4.1) by what its text says. */
function identifierOf(certificate: X509Certificate, issuer: X509Certificate): string {
  const serial = certificate.serialNumber.length % 2 === 0 ? certificate.serialNumber : `0${certificate.serialNumber}`;
  const bytes = Buffer.from(serial, "hex");
  const integer = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return `${keyIdOf(issuer)}.${base64url.encode(integer)}`;
}
/** The subject key identifier of a certificate, which OpenSSL finds by its tag. */
function keyIdOf({ raw }: X509Certificate): string {
  const at = raw.indexOf(Buffer.from("0603551d0e04160414", "hex"));
  return base64url.encode(raw.subarray(at + 9, at + 29));
}

/** Returns the identifier of the certificate at the beginning of a chain. */
function identifierIn({ text }: AcmeAnswer): string {
  const issuer = new X509Certificate(text.slice(text.indexOf("-----END") + 26));
  return identifierOf(new X509Certificate(text), issuer);
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
    const other = acmeClientOf(await newClientKey());
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
    const other = acmeClientOf(await clientKeyOf(makeRsaKey()));
    const revoke = (client: AcmeClient) => client.post("revoke-cert", { certificate: derOf(issued) }, {}, true);
    expect(typeOf(await revoke(other))).toBe("unauthorized");
    const holder = acmeClientOf(await clientKeyOf(issued.csr.keyFile));
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

describe("[API-03] a renewal by ACME", () => {
  const DAY = 86_400_000;
  const replacing = (acme: AcmeClient, names: string[], replaces: string) =>
    acme.post("new-order", { identifiers: names.map((value) => ({ type: "dns", value })), replaces });

  test("[API-03] takes the place of the certificate for the same names, which is renewed from then on, also long before its end", async () => {
    const account = await newAccount();
    const first = await issue(account);
    const other = await issue(account, "other");
    const second = await issue(account);
    const [before, after] = [await certificateOf(first.done), await certificateOf(second.done)];
    expect(before.status).toBe("Renewed");
    expect(after).toMatchObject({ orderType: "Renewal", previousCertificateId: before.id, status: "Downloaded" });
    expect(Date.parse(after.expiryDate ?? "") - Date.now()).toBeLessThan(367 * DAY);
    expect((await certificateOf(other.done)).status).toBe("Downloaded");
    expect(await auditEventsOf(before.id)).toContain("certificate.renewed");
    const seen = await account.acme.post(second.order.headers.get("Location") ?? "");
    expect(seen.body.replaces).toBe(identifierIn(first.chain));
    const again = await replacing(account.acme, [`www.${account.domain}`], identifierIn(first.chain));
    expect([again.status, typeOf(again)]).toEqual([409, "alreadyReplaced"]);
  });

  test("[REN-02] adds its year to the end of the certificate when renewals are open, as on the pages", async () => {
    const account = await newAccount();
    const first = await issue(account);
    const before = await certificateOf(first.done);
    const end = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * DAY);
    await setCertificate(before.id, { expiryDate: end });
    const second = await issue(account);
    const after = await certificateOf(second.done);
    expect(after).toMatchObject({ orderType: "Renewal", previousCertificateId: before.id });
    expect(after.expiryDate).toBe(addYears(end, 1).toISOString());
    expect(second.certificate.subject).toBe(first.certificate.subject);
    expect((await certificateOf(first.done)).status).toBe("Renewed");
    expect((await listStandingUses(getDb(), [account.standing])).get(account.standing)?.certificates).toBe(2);
  });

  test("[API-03] of a named certificate may have other names besides, and is refused for another’s, an unknown one and one without a common name", async () => {
    const account = await newAccount();
    const { acme, domain, csrOf } = account;
    const first = await issue(account);
    const id = identifierIn(first.chain);
    const stranger = await newAccount();
    const foreign = identifierIn((await issue(stranger)).chain);
    for (const [names, replaces, detail] of [
      [[`www.${domain}`], foreign, "was not ordered by this account"],
      [[`www.${domain}`], `${id.split(".")[0]}.AQAB`, "There is no certificate"],
      [[`other.${domain}`], id, "has none of the names"],
    ] as const) {
      const refused = await replacing(acme, [...names], replaces);
      expect([typeOf(refused), refused.body.detail]).toEqual(["malformed", expect.stringContaining(detail)]);
    }
    const names = [`more.${domain}`, `www.${domain}`];
    const order = await replacing(acme, names, id);
    expect([order.status, order.body.replaces]).toEqual([201, id]);
    expect(typeOf(await replacing(acme, names, id))).toBe("alreadyReplaced");
    const done = await acme.finalize(order, csrOf(...names).der);
    const [before, after] = [await certificateOf(first.done), await certificateOf(done)];
    expect([before.status, after.orderType, after.previousCertificateId]).toEqual(["Renewed", "Renewal", before.id]);
  });

  test("[API-03] is possible again when the order that was to replace a certificate has ended, and not after a renewal on the pages", async () => {
    const account = await newAccount();
    const { acme, domain } = account;
    const first = await issue(account);
    const [id, names] = [identifierIn(first.chain), [`www.${domain}`]];
    const order = await replacing(acme, names, id);
    expect(typeOf(await replacing(acme, names, id))).toBe("alreadyReplaced");
    await acme.post(order.body.authorizations[0], { status: "deactivated" });
    expect((await replacing(acme, names, id)).status).toBe(201);
    const other = await issue(account, "other");
    await setCertificate((await certificateOf(other.done)).id, { status: "Renewed" });
    const refused = await replacing(acme, [`other.${domain}`], identifierIn(other.chain));
    expect([refused.status, typeOf(refused)]).toEqual([409, "alreadyReplaced"]);
  });
});

describe("[API-03] profiles of ACME orders", () => {
  const ordering = (acme: AcmeClient, name: string, profile?: string) =>
    acme.post("new-order", { identifiers: [{ type: "dns", value: name }], profile });

  test("[API-03] choose one usage of the standing authorisation, and each has certificates of its own", async () => {
    const account = await newAccount({ usage: ["hasSecureSession", "hasEncryption"] as never });
    const { acme, domain, csrOf } = account;
    const name = `www.${domain}`;
    const { profiles } = (await acme.ask("directory")).body.meta;
    expect(Object.keys(profiles)).toEqual(["all", "secure-session", "email", "encryption", "file-signing"]);
    const get = async (profile?: string) => {
      const order = await ordering(acme, name, profile);
      expect([order.status, order.body.profile]).toEqual([201, profile ?? "all"]);
      return certificateOf(await acme.finalize(order, csrOf(name).der));
    };
    const [all, session, encryption] = [await get(), await get("secure-session"), await get("encryption")];
    const none = { hasEmail: false, hasFileSigning: false };
    expect(all).toMatchObject({ ...none, hasSecureSession: true, hasEncryption: true });
    expect(session).toMatchObject({ ...none, hasSecureSession: true, hasEncryption: false });
    expect(encryption).toMatchObject({ ...none, hasSecureSession: false, hasEncryption: true });
    for (const { id } of [all, session, encryption]) expect((await readCertificate(id)).status).toBe("Issued");
    expect((await get("encryption")).previousCertificateId).toBe(encryption.id);
  });

  test("[API-03] are refused when there is no such one, or the standing authorisation does not cover it", async () => {
    const { acme, domain } = await newAccount({ usage: ["hasSecureSession"] as never });
    for (const profile of ["email", "tlsserver", "toString"]) {
      const refused = await ordering(acme, `www.${domain}`, profile);
      expect([refused.status, typeOf(refused)]).toEqual([400, "invalidProfile"]);
      expect(refused.body.detail).toContain("Use all, secure-session.");
    }
  });
});

describe("[API-03] renewal information", () => {
  test("[API-03] has a window before the end, and one that has begun for a revoked certificate; a replacement is noted once", async () => {
    const account = await newAccount();
    const { acme, domain } = account;
    const { chain, certificate } = await issue(account);
    const id = identifierIn(chain);
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

describe("[SAL-07][REN-05] what was ordered by ACME and is wrong", () => {
  test("[SAL-07][REN-05] is corrected as any other order and certificate, and the client can renew meanwhile", async () => {
    const account = await newAccount();
    const { user, domain } = account;
    const { id, orderId } = await certificateOf((await issue(account, "wrong")).done);
    const client = await apiClientOf(user.email, TEST_PASSWORD);
    const order = await client.post("certificates/CorrectOrder", { orderId, purchaseOrderNumber: "PO-CORRECTED" });
    expect(order.content).toMatchObject({ kind: "invoice", changes: [{ to: "PO-CORRECTED" }] });
    const host = `right.${domain}`;
    const subject = `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`;
    const { pem } = makeCsr({ subject, san: [`DNS:${host}`] });
    const placed = await client.post<{ orderId: number }>("certificates/CorrectCertificate", {
      certificateId: id,
      csr: pem,
    });
    expect(placed.status).toBe(200);
    const correction = await findCertificateByOrder(getDb(), placed.content.orderId);
    expect(correction).toMatchObject({
      status: "Pending",
      isCorrection: true,
      previousCertificateId: id,
      commonName: host,
    });
    expect((await issue(account, "wrong")).done.body.status).toBe("valid");
    expect(await readCertificate(id)).toMatchObject({ status: "Renewed" });
    await setCertificate(correction?.id ?? 0, checksDone());
    await approveOrder(correction?.id ?? 0, await personOf(await createAdmin()));
    expect(await readCertificate(correction?.id ?? 0)).toMatchObject({ status: "Issued", commonName: host });
    expect(await readCertificate(id)).toMatchObject({ status: "Renewed", revocationDate: null });
  });
});
