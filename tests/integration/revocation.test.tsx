import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { toPem } from "~/ca/pem.server";
import { findIssuer, findRoot } from "~/domain/authorities/authorities.service.server";
import { publishLists } from "~/domain/authorities/publishing.service.server";
import { renewBaseLists } from "~/domain/authorities/renewal.service.server";
import { getSigner, setSigner } from "~/domain/authorities/signers.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation.service.server";
import { getSession } from "~/http/session.server";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import { getDb } from "~db/connection.server";
import { isKeyBlocked, lockKey } from "~db/repositories/blocked-keys.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type CertificateStatus } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { auditEventsOf, issueCertificate, mailsOf, readCertificate, setCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, Visitor } from "../support/visitor";

usePortal();
const { file, makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let owner: Visitor;
let stranger: Visitor;
let staff: Visitor;
let issue: () => Promise<CertificateRow>;

beforeAll(async () => {
  const admin = await createAdmin();
  anna = await createUser();
  [owner, stranger, staff] = [await signedInAs(anna), await signedInAs(await createUser()), await signedInAs(admin)];
  issue = () => issueCertificate(anna, admin, makeCsr().der);
  await publishLists("root", new Date(), { allowRoot: true });
  await publishLists("issuing-sha2");
});

/** Date and time inputs of a moment. */
const at = (moment: Date | string) => {
  const iso = new Date(moment).toISOString();
  return { revocationDate: iso.slice(0, 10), revocationTime: iso.slice(11, 19) };
};
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const form = (change: Record<string, string> = {}) => ({
  revocationReason: "4",
  revocationDescription: "",
  ...at(new Date()),
  ...change,
});
const confirmed = (change: Record<string, string> = {}) => form({ confirmed: "yes", ...change });
const send = async (id: number | string, fields: Record<string, string>, who = owner) =>
  run(revokePage.action, await who.post(`/home/certificate/revoke/${id}`, fields), { id: String(id) });
const open = (id: number | string, who = owner) =>
  run(revokePage.loader, who.get(`/home/certificate/revoke/${id}`), { id: String(id) });

async function toastOf(answer: Response) {
  const visitor = new Visitor("");
  visitor.follow(answer);
  return (await getSession(visitor.get("/"))).get("toast");
}

/** Which toast each of several answers brings, sorted. */
const kindsOf = async (answers: Response[]) =>
  (await Promise.all(answers.map(toastOf))).map((toast) => toast?.kind).sort();

async function lists() {
  const issuer = await findIssuer(getDb(), "sha2");
  const root = await findRoot(getDb(), "sha2");
  if (!issuer || !root) throw new Error("no hierarchy");
  const [base, delta] = [await findLatestCrl(getDb(), issuer.id, false), await findLatestCrl(getDb(), issuer.id, true)];
  const rootList = await findLatestCrl(getDb(), root.id, false);
  if (!base || !delta || !rootList) throw new Error("no lists");
  return { issuer, root, base, delta, rootList };
}

/** What `openssl verify -crl_check` says with the lists that are published now. */
async function verifyWithLists(der: Buffer | null): Promise<string> {
  const { issuer, root, base } = await lists();
  const args = [
    "verify",
    "-crl_check",
    "-CAfile",
    file("pem", toPem("CERTIFICATE", root.certificate)),
    "-untrusted",
    file("pem", toPem("CERTIFICATE", issuer.certificate)),
    "-CRLfile",
    file("pem", toPem("X509 CRL", base.der)),
    file("pem", toPem("CERTIFICATE", der ?? Buffer.alloc(0))),
  ];
  try {
    return openssl(args);
  } catch {
    return opensslFailure(args);
  }
}

describe("the revoke page", () => {
  test("[REV-01] read-only information, reasons with a placeholder, limits and defaults", async () => {
    const { id, serialNumber, startDate, expiryDate } = await issue();
    const path = `/home/certificate/revoke/${id}`;
    const { status, html } = await openPage(revokePage, owner, path, { params: { id: String(id) } });
    expect(status).toBe(200);
    for (const expected of [
      "Revocation is irreversible",
      "an automated e-mail confirms it",
      "oftp.acme.example",
      serialNumber ?? "none",
      anna.email,
      anna.telephoneNumber,
      "Select revocation reason",
      'maxLength="230"',
      `min="${startDate?.slice(0, 10)}"`,
      `max="${expiryDate?.slice(0, 10)}"`,
      `id="revoke-revocationDate" value="${new Date().toISOString().slice(0, 10)}"`,
      'step="1"',
      "(UTC)",
      ">Revoke Certificate</button>",
    ])
      expect(html).toContain(expected);
    const options = [...html.matchAll(/<option value="(\d?)">([^<]+)/g)].map(([, value, text]) => `${value} ${text}`);
    expect(options).toEqual([
      " Select revocation reason",
      "0 Unspecified",
      "1 Key Compromised",
      "3 Affiliation Changed",
      "4 Superseded",
    ]);
  });

  test("[REV-02] without scripts the confirmation is a page of its own with the exact question", async () => {
    const { id } = await issue();
    const path = `/home/certificate/revoke/${id}`;
    const fields = form({ revocationReason: "0", revocationDescription: "Not needed" });
    const { status, html } = await openPage(revokePage, owner, path, { params: { id: String(id) }, fields });
    expect(status).toBe(200);
    expect(html).toContain("Are you sure you wish to revoke this certificate? This process cannot be reversed.");
    expect(html).toContain('name="confirmed" value="yes"');
    expect(html).toContain('name="revocationDescription" value="Not needed"');
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test.each([
    [{ revocationReason: "" }, { revocationReason: "This field is required." }],
    [{ revocationReason: "0" }, { revocationDescription: "This field is required." }],
    [{ revocationDescription: "x".repeat(231) }, { revocationDescription: "Entered value is not valid." }],
    [{ revocationDate: "" }, { revocationDate: "This field is required." }],
    [{ revocationDate: "2020-01-01" }, { revocationDate: "Entered value is not valid." }],
    [{ revocationDate: "2099-01-01" }, { revocationDate: "Entered value is not valid." }],
  ])("[REV-01] %j is refused, also when it is confirmed", async (change, errors) => {
    const { id } = await issue();
    for (const fields of [form(change), confirmed(change)])
      expect(await errorsOf(await send(id, fields))).toMatchObject({ status: 422, errors });
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[REV-05][CER-08] without CSR, missing or somebody else's: back to the list, nothing is revoked", async () => {
    const { id } = await issue();
    const other = await issue();
    await setCertificate(other.id, { csr: Buffer.alloc(0) });
    const attempts = [
      open(other.id),
      open(99_999_999),
      open("x"),
      open(id, stranger),
      send(id, confirmed(), stranger),
      send("x", confirmed()),
    ];
    for (const answer of await Promise.all(attempts)) {
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/home/certificates"]);
    }
    expect((await open(id, await anonymous())).headers.get("Location")).toMatch(/^\/login/);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  const statuses: CertificateStatus[] = ["Pending", "Revoked", "Expired", "Cancelled", "Rejected", "Unknown"];
  test.each(statuses)("[CER-09] a certificate that is %s cannot be revoked", async (status) => {
    const { id } = await issue();
    await setCertificate(id, { status });
    const answer = await open(id);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    const refused = await toastOf(await send(id, confirmed()));
    expect(refused?.text).toMatch(
      /^There was an issue while revoking the certificate\. The .* Your request changed nothing\.$/,
    );
    expect((await readCertificate(id)).status).toBe(status);
  });
});

describe("revoking now", () => {
  test("[REV-03][REV-04][CAL-03] openssl finds it good before and revoked after the answer", async () => {
    const { id, der, serialNumber, orderId } = await issue();
    await publishLists("issuing-sha2");
    expect(await verifyWithLists(der)).toContain(": OK\n");

    const answer = await send(id, confirmed({ revocationReason: "4", revocationDescription: "Replaced" }));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    expect(await toastOf(answer)).toEqual({ kind: "ok", text: "The certificate has been revoked successfully." });
    expect(await verifyWithLists(der)).toContain("certificate revoked");

    const row = await readCertificate(id);
    expect(row).toMatchObject({
      status: "Revoked",
      revocationReason: 4,
      revocationDescription: "Replaced",
      revokedBy: anna.id,
    });
    const { base, delta } = await lists();
    for (const list of [base, delta])
      expect(describeCrl(list.der).find(serialNumber ?? "")).toMatchObject({ reason: 4 });
    const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], delta.der);
    expect(text).toMatch(/Delta CRL Indicator: critical/);
    expect(text).toContain("Superseded");
    expect(await auditEventsOf(id)).toContain("certificate.revoked");
    const mails = (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith("certificate-revoked"));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.sentAt).not.toBeNull();
    expect(mails[0]?.text).toContain("Superseded");
  });

  test("[REV-04] the reason Unspecified is expressed by leaving the extension out", async () => {
    const { id, serialNumber } = await issue();
    await send(id, confirmed({ revocationReason: "0", revocationDescription: "Not needed" }));
    const { base } = await lists();
    expect(describeCrl(base.der).find(serialNumber ?? "")).toMatchObject({ reason: 0, invalidityDate: null });
    const text = openssl(["crl", "-inform", "DER", "-noout", "-text"], base.der);
    expect(text.split(`Serial Number: ${serialNumber}`)[1]?.split("Serial Number")[0]).not.toContain("Reason Code");
  });

  test("[REV-04] a moment in the past is the invalidity date", async () => {
    const { id, serialNumber } = await issue();
    const past = new Date(Math.floor(inSeconds(-100).getTime() / 1000) * 1000);
    expect((await send(id, confirmed(at(past)))).status).toBe(303);
    const row = await readCertificate(id);
    expect(row.invalidityDate).toBe(past.toISOString());
    expect(Date.parse(row.revocationDate ?? "")).toBeGreaterThan(past.getTime());
    const entry = describeCrl((await lists()).base.der).find(serialNumber ?? "");
    expect(entry?.invalidityDate).toEqual(past);
  });

  test("[REV-04][PUR-11] a compromised key is blocked for ever, other reasons block nothing", async () => {
    const [compromised, superseded] = [await issue(), await issue()];
    await send(compromised.id, confirmed({ revocationReason: "1" }));
    await send(superseded.id, confirmed({ revocationReason: "4" }));
    expect(await isKeyBlocked(getDb(), compromised.keyIdentity)).toBe(true);
    expect(await isKeyBlocked(getDb(), superseded.keyIdentity)).toBe(false);
  });

  test("[REV-04][CAL-04] waits for another transaction that decides about its key", async () => {
    const { id, keyIdentity } = await issue();
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const deciding = inTransaction(async (trx) => {
      await lockKey(trx, keyIdentity);
      locked();
      await sleep(800);
      return isKeyBlocked(trx, keyIdentity);
    });
    await isLocked;
    const answer = await send(id, confirmed({ revocationReason: "1" }));
    expect([await deciding, answer.status]).toEqual([false, 303]);
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });

  test("[REV-03] is irreversible and guarded against a double submit", async () => {
    const { id, orderId } = await issue();
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(id, confirmed())));
    expect(await kindsOf(answers)).toEqual(["bad", "bad", "bad", "ok"]);
    const first = await readCertificate(id);
    expect(await toastOf(await send(id, confirmed({ revocationReason: "1" })))).toEqual({
      kind: "bad",
      text: "There was an issue while revoking the certificate. The certificate has been revoked. Your request changed nothing.",
    });
    expect(await readCertificate(id)).toMatchObject({ revocationReason: 4, revocationDate: first.revocationDate });
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.revoked")).toHaveLength(1);
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
  });

  test("[REV-03] an administrator revokes a customer's certificate; the customer is told", async () => {
    const { id, orderId } = await issue();
    expect((await send(id, confirmed(), staff)).status).toBe(303);
    expect((await readCertificate(id)).status).toBe("Revoked");
    expect((await mailsOf(orderId)).every(({ recipient }) => recipient === anna.email)).toBe(true);
  });
});

describe("a compromised key that several certificates have", () => {
  /** Certificates of one key: of Anna, of another customer from the other hierarchy, and one that waits for its revocation. */
  async function issueThree() {
    const [admin, berta] = [await createAdmin(), await createUser()];
    const { der } = makeCsr();
    const mine = await issueCertificate(anna, admin, der);
    const theirs = await issueCertificate(berta, admin, der, { hierarchy: "g3" });
    const waiting = await issueCertificate(berta, admin, der);
    const moment = inSeconds(86_400);
    await setCertificate(waiting.id, { status: "RequestRevoke", revocationDate: moment, revocationReason: 4 });
    return { mine, theirs, waiting, berta };
  }

  const expectAllRevoked = async ({ mine, theirs, waiting, berta }: Awaited<ReturnType<typeof issueThree>>) => {
    const issuers = [await findIssuer(getDb(), "sha2"), await findIssuer(getDb(), "g3")];
    const [sha2, g3] = await Promise.all(issuers.map((issuer) => findLatestCrl(getDb(), issuer?.id ?? 0, false)));
    for (const [{ id, orderId, serialNumber }, list, recipient] of [
      [mine, sha2, anna.email],
      [theirs, g3, berta.email],
      [waiting, sha2, berta.email],
    ] as const) {
      expect(await readCertificate(id)).toMatchObject({ status: "Revoked", revocationReason: 1, revokedBy: anna.id });
      expect(describeCrl(list?.der ?? Buffer.alloc(0)).find(serialNumber ?? "")).toMatchObject({ reason: 1 });
      expect((await auditEventsOf(id)).filter((event) => event === "certificate.revoked")).toHaveLength(1);
      const mails = (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey === `certificate-revoked:${id}`);
      expect(mails.map((mail) => mail.recipient)).toEqual([recipient]);
      expect(mails[0]?.text.includes("Laptop stolen")).toBe(id === mine.id);
    }
  };

  test("[REV-03][REV-04] all of them are revoked and listed with the one, and their owners are told", async () => {
    const three = await issueThree();
    const other = await issue();
    const fields = confirmed({ revocationReason: "1", revocationDescription: "Laptop stolen" });
    expect((await send(three.mine.id, fields)).status).toBe(303);
    await expectAllRevoked(three);
    expect((await readCertificate(other.id)).status).toBe("Issued");
  });

  test("[REV-04] also when the revocation was scheduled; another reason concerns one alone", async () => {
    const three = await issueThree();
    const moment = inSeconds(3600);
    const fields = confirmed({ revocationReason: "1", revocationDescription: "Laptop stolen", ...at(moment) });
    expect((await send(three.mine.id, fields)).status).toBe(303);
    expect((await readCertificate(three.theirs.id)).status).toBe("Issued");
    expect(await carryOutDueRevocations(moment)).toBe(3);
    await expectAllRevoked(three);

    const superseded = await issueThree();
    await send(superseded.mine.id, confirmed({ revocationReason: "4" }));
    expect((await readCertificate(superseded.theirs.id)).status).toBe("Issued");
  });
});

describe("succeeded with an error", () => {
  test("[REV-03] lists that cannot be published: revoked, a warning, and published later", async () => {
    const { id, serialNumber } = await issue();
    const { hash } = await getSigner("issuing-sha2");
    setSigner("issuing-sha2", { hash, sign: () => Promise.reject(new Error("the key store is away")) });
    const answer = await send(id, confirmed());
    setSigner("issuing-sha2", null);
    expect(answer.headers.get("Location")).toBe("/home/certificates");
    expect(await toastOf(answer)).toEqual({
      kind: "warn",
      text: "There was an issue while revoking the certificate. The certificate is revoked, but the revocation lists could not be published yet. This is tried again.",
    });
    expect((await readCertificate(id)).status).toBe("Revoked");
    expect(describeCrl((await lists()).base.der).find(serialNumber ?? "")).toBeNull();
    await renewBaseLists();
    expect(describeCrl((await lists()).base.der).find(serialNumber ?? "")).toMatchObject({ reason: 4 });
  });

  test("[REV-03] a confirmation that cannot be sent: revoked, a warning, the mail stays queued", async () => {
    const { id, orderId } = await issue();
    const transport = await import("~/domain/mail/transport.server");
    const broken = vi
      .spyOn(transport, "configuredTransport")
      .mockReturnValue({ send: () => Promise.reject(new Error("down")) });
    const answer = await send(id, confirmed());
    broken.mockRestore();
    expect(await toastOf(answer)).toEqual({
      kind: "warn",
      text: "There was an issue while revoking the certificate. The certificate is revoked, but the confirmation e-mail could not be sent yet. This is tried again.",
    });
    expect((await readCertificate(id)).status).toBe("Revoked");
    const queued = (await mailsOf(orderId)).find(({ dedupeKey }) => dedupeKey === `certificate-revoked:${id}`);
    expect(queued?.sentAt).toBeNull();
  });
});

describe("revoking later", () => {
  test("[REV-04] waits as RequestRevoke, is carried out at its moment once, and is published then", async () => {
    const { id, der, serialNumber, orderId } = await issue();
    await publishLists("issuing-sha2");
    const moment = new Date(Math.floor(inSeconds(3600).getTime() / 1000) * 1000);
    const answer = await send(id, confirmed({ revocationReason: "3", ...at(moment) }));
    const { kind, text } = (await toastOf(answer)) ?? { kind: "", text: "" };
    expect(kind).toBe("ok");
    expect(text).toMatch(/^The certificate will be revoked on \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC\.$/);
    expect(await readCertificate(id)).toMatchObject({ status: "RequestRevoke", revocationDate: moment.toISOString() });
    expect(await carryOutDueRevocations(new Date(moment.getTime() - 1000))).toBe(0);
    expect(await verifyWithLists(der)).toContain(": OK\n");

    const counts = await Promise.all([carryOutDueRevocations(moment), carryOutDueRevocations(moment)]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(await readCertificate(id)).toMatchObject({
      status: "Revoked",
      revocationDate: moment.toISOString(),
      revokedBy: anna.id,
    });
    expect(await verifyWithLists(der)).toContain("certificate revoked");
    const { delta } = await lists();
    expect(describeCrl(delta.der).find(serialNumber ?? "")).toMatchObject({ reason: 3, revocationDate: moment });
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
    expect(await auditEventsOf(id)).toEqual(
      expect.arrayContaining(["certificate.revocation-requested", "certificate.revoked"]),
    );
  });

  const laterBy = (seconds: number) => new Date(Math.floor(inSeconds(seconds).getTime() / 1000) * 1000);

  test("[REV-04][CER-09] can be brought forward, by owner and staff, never put off; the page says so", async () => {
    const { id } = await issue();
    const [first, sooner, soonest] = [laterBy(7200), laterBy(3600), laterBy(1800)];
    await send(id, confirmed(at(first)));
    const { html } = await openPage(revokePage, owner, `/home/certificate/revoke/${id}`, {
      params: { id: String(id) },
    });
    const [day, time] = [first.toISOString().slice(0, 10).split("-").reverse().join("/"), at(first).revocationTime];
    const scheduled = `A revocation is already scheduled for ${day} ${time} UTC and can only be brought forward.`;
    expect(html).toContain(scheduled);
    for (const moment of [first, laterBy(9000)]) {
      const { status, errors } = await errorsOf(await send(id, confirmed(at(moment))));
      expect({ status, errors }).toEqual({ status: 422, errors: { revocationDate: scheduled } });
    }
    expect((await send(id, confirmed({ revocationReason: "3", ...at(sooner) }))).status).toBe(303);
    expect((await send(id, confirmed(at(soonest)), staff)).status).toBe(303);
    expect(await readCertificate(id)).toMatchObject({
      status: "RequestRevoke",
      revocationDate: soonest.toISOString(),
      revocationReason: 4,
    });
    expect((await auditEventsOf(id)).slice(-3)).toEqual([
      "certificate.revocation-requested",
      "certificate.revocation-brought-forward",
      "certificate.revocation-brought-forward",
    ]);
    expect(await carryOutDueRevocations(soonest)).toBe(1);
    expect((await readCertificate(id)).status).toBe("Revoked");
  });

  test("[REV-04][CAL-03] can be carried out at once, once, and is on the lists then", async () => {
    const { id, der, orderId } = await issue();
    await send(id, confirmed(at(laterBy(7200))));
    const answers = await Promise.all(Array.from({ length: 3 }, () => send(id, confirmed({ revocationReason: "1" }))));
    expect(await kindsOf(answers)).toEqual(["bad", "bad", "ok"]);
    expect(await readCertificate(id)).toMatchObject({ status: "Revoked", revocationReason: 1 });
    expect(await verifyWithLists(der)).toContain("certificate revoked");
    expect((await auditEventsOf(id)).slice(-2)).toEqual([
      "certificate.revocation-brought-forward",
      "certificate.revoked",
    ]);
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
    expect(await carryOutDueRevocations(laterBy(7300))).toBe(0);
  });

  test("[REV-04] a key that was reported as compromised stays so", async () => {
    const { id } = await issue();
    await send(id, confirmed({ revocationReason: "1", ...at(laterBy(7200)) }));
    const { errors } = await errorsOf(await send(id, confirmed({ revocationReason: "4" })));
    expect(errors).toEqual({
      revocationReason: "The key was reported as compromised: the reason stays Key Compromised.",
    });
    expect((await send(id, confirmed({ revocationReason: "1" }))).status).toBe(303);
  });

  test("[REV-04] a compromised key is blocked at once", async () => {
    const { id, keyIdentity } = await issue();
    await send(id, confirmed({ revocationReason: "1", ...at(inSeconds(7200)) }));
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });
});
