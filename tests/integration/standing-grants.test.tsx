import { writeFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { readCsr } from "~/ca/csr/read.server";
import { prepareLinted } from "~/ca/lint/prepared.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import {
  askForFactors,
  askForSignature,
  askForStandingGrants,
  sendStandingGrant,
} from "~/domain/authorities/signer-client.server";
import {
  acceptedFactorsOf,
  passkeyOptions,
  passkeysAmong,
  whenAsked,
} from "~/domain/authorities/signer-people.service.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { getGrantPage, grantCertificates, startGrant } from "~/domain/certificates/issuing/granting.service.server";
import { requestFrom } from "~/domain/certificates/issuing/issuance-request.server";
import { approveOrder } from "~/domain/certificates/issuing/issuance.service.server";
import { askForStanding, endOwnStanding } from "~/domain/certificates/standing/asking.service.server";
import { approveStanding, checkStanding } from "~/domain/certificates/standing/decisions.service.server";
import { keepStanding } from "~/domain/certificates/standing/nightly.service.server";
import { grantedCount, scopeOf } from "~/domain/certificates/standing/scope.server";
import { accountPaths } from "~/lib/account-paths";
import { addYears } from "~/lib/dates";
import { staffPaths } from "~/lib/staff-paths";
import * as staffPage from "~/routes/home.standing-authorisations.$id";
import * as confirmPage from "~/routes/home.standing-authorisations.$id_.confirm/route";
import * as staffList from "~/routes/home.standing-authorisations._index";
import { JOURNAL_START, sealLine } from "~/signer/journal-entry.server";
import { type StandingScope } from "~/signer/protocol";
import { standingStatement } from "~/signer/statement.server";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { findStanding } from "~db/repositories/standing-authorisations.server";
import { acmeClientOf, newAcmeKey } from "../support/acme";
import { newClientKey, typeOf } from "../support/acme-client";
import { newProgram } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import { type Authenticator } from "../support/authenticator";
import { checksDone, readCertificate, setCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { personOf } from "../support/companies";
import { createAdmin, createStaff } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { givePasskey } from "../support/passkeys";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { addApp, type Approver, CHECKED, offerPasskeyOf, optionsIn } from "../support/signer-people";
import { confirmDomainOf, orderUnder, STANDING_FORM } from "../support/standing";
import { setVariables, TEST_ORIGIN } from "../support/variables";
import { jsonOf, run, signedInAs } from "../support/visitor";

useSigners();
const portal = usePortal();
const { makeCsr } = useOpenssl();

let signer: ReturnType<typeof signerIn>;
let child: Awaited<ReturnType<typeof startSigner>>;
let anna: Approver;
let annasKey: Authenticator;
let count = 0;

const consoleEnv = () => ({ ...portal.env, ...signer.env });
const operator = (...args: string[]) => runCommand(["signer", ...args, "--operator", "Olga"], consoleEnv());

/** Gives the signer a passkey of an approver, as an operator does. */
async function accepted(person: Approver, key: Authenticator): Promise<string> {
  const number = await offerPasskeyOf(person, key);
  expect(await operator("accept", number, "--yes")).toMatchObject({ code: 0, err: "" });
  return number;
}

beforeAll(async () => {
  const user = await createStaff(["approver", "registration-officer"]);
  signer = signerIn(portal.dataDir, { SIGNER_GRANTS: "required", PUBLIC_URL: TEST_ORIGIN });
  const env = { ...portal.env, SIGNER_DIR: signer.directory };
  expect(await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], env)).toMatchObject({ code: 0 });
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, SIGNER_GRANTS: "required", CA_PASSPHRASE: "" });
  annasKey = await givePasskey(user);
  anna = { user, visitor: await signedInAs({ ...user, proof: "passkey" }) };
  await accepted(anna, annasKey);
});

afterEach(async () => {
  if (child.exitCode !== null || child.signalCode !== null) child = await startSigner(signer.env);
});

const annaNow = () => personOf(anna.user);

/** Confirms every certificate that waits for Anna, by itself. */
async function confirmCertificates(): Promise<void> {
  const { waiting, fingerprint } = await getGrantPage(await annaNow());
  const shown = { ids: waiting.map(({ id }) => id), fingerprint };
  const passkey = annasKey.use(await startGrant(await annaNow(), shown), CHECKED);
  await grantCertificates(await annaNow(), shown, { passkey });
  await finishInterruptedIssuing();
}

/** A program of a company with a standing authorisation that the contact has agreed to. */
async function newStanding(given: Partial<typeof STANDING_FORM> = {}) {
  const { user, client } = await newProgram();
  const domain = `grant${(count += 1)}.example.org`;
  await confirmDomainOf(user, domain);
  const csrOf = () => {
    const host = `host${(count += 1)}.${domain}`;
    return makeCsr({ subject: `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`, san: [`DNS:${host}`] }).pem;
  };
  const { content } = await complete(client, orderBody(csrOf()));
  const basis = (await findCertificateByOrder(getDb(), content.orderId))?.id ?? 0;
  await setCertificate(basis, checksDone());
  await expect(approveOrder(basis, await annaNow())).rejects.toThrow("when you have confirmed it to the signer");
  await confirmCertificates();
  const form = { ...STANDING_FORM, ...given };
  const id = await askForStanding(await personOf(user), { ...form, usage: [...form.usage], basis });
  await checkStanding(await personOf(await createAdmin()), id, "Called back through the switchboard");
  return { user, client, domain, csrOf, id };
}

const at = (id: number) => ({ id: String(id) });
const post = async ({ visitor }: Approver, id: number, fields: Record<string, string>) =>
  run(confirmPage.action, await visitor.post(staffPaths.confirmStanding(id), fields), at(id));

async function shownTo({ visitor }: Approver, id: number) {
  const data = await run(confirmPage.loader, visitor.get(staffPaths.confirmStanding(id)), at(id));
  return jsonOf<{ fingerprint: string; scope: StandingScope }>(data);
}

/** Confirms a standing authorisation on its page with a passkey. */
async function confirm(person: Approver, key: Authenticator, id: number): Promise<Response> {
  const { fingerprint } = await shownTo(person, id);
  const options = await optionsIn(post(person, id, { intent: "passkey-options", fingerprint }));
  return post(person, id, { intent: "passkey", answer: key.use(options, CHECKED), fingerprint });
}

/** Returns a company with a standing authorisation that Anna has approved and confirmed. */
async function newConfirmed(given: Partial<typeof STANDING_FORM> = {}) {
  const made = await newStanding(given);
  await approveStanding(await annaNow(), made.id);
  expect((await confirm(anna, annasKey, made.id)).status).toBe(303);
  return made;
}

const staffText = async (id: number) =>
  pageText((await openPage(staffPage, anna.visitor, staffPaths.standingAuthorisation(id), { params: at(id) })).html);

const linesOf = (id: number) => signer.lines().filter((line) => "standing" in line && line.standing === id);

/** What Anna's passkey answers when it is asked to confirm this scope. */
async function answerFor(scope: StandingScope, now = new Date()) {
  const asked = standingStatement(anna.user.username, scope);
  const options = await passkeyOptions(asked, passkeysAmong(await acceptedFactorsOf(anna.user)), now);
  const answer = { passkey: annasKey.use(options, CHECKED) };
  return { person: anna.user.username, askedAt: whenAsked(asked, answer, now), answer };
}

async function scopeNow(id: number): Promise<StandingScope> {
  const row = await findStanding(getDb(), id);
  if (!row) throw new Error("There is no such standing authorisation.");
  return scopeOf(getDb(), row, new Date());
}

interface Wanted {
  subject?: Record<string, string>;
  names?: string[];
  usage?: Partial<Record<(typeof STANDING_FORM.usage)[number], boolean>>;
  years?: number;
  /** The CA that the certificate names, and the one whose key is asked to sign. */
  issuer?: "issuing-sha2" | "issuing-g3";
  key?: "issuing-sha2" | "issuing-g3";
}

/** Asks the signer as somebody does who controls the web process: for any certificate, on the grant of a standing authorisation. */
async function signFor(id: number, domain: string, wanted: Wanted = {}): Promise<Uint8Array> {
  const { issuer = "issuing-sha2", key = issuer, years = 1, names = [] } = wanted;
  const now = new Date();
  const read = readCsr(makeCsr().der);
  if (!read.ok) throw new Error(read.message);
  const content = {
    subject: {
      organisation: "Example Parts Ltd",
      country: "GB",
      commonName: `x${(count += 1)}.${domain}`,
      ...wanted.subject,
    },
    ssid: null,
    requestedNames: names.map((value) => ({ type: "dns" as const, value })),
    spkiDer: read.csr.spkiDer,
    usage: { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: false, ...wanted.usage },
    notAfter: addYears(now, years),
  };
  const { prepared } = prepareLinted(requestFrom(content, await getAuthority(getDb(), issuer), now));
  return askForSignature(key, prepared.tbs, id);
}

describe("[MAN-03] a standing authorisation whose approver confirms it to the signer", () => {
  test("[MAN-03] is confirmed on the page after its approval, and issues from then on what waited and what is ordered", async () => {
    const { client, csrOf, id } = await newStanding({ ceilingCertificates: 3 });
    const approve = await anna.visitor.post(staffPaths.standingAuthorisation(id), { intent: "approve" });
    const approved = await run(staffPage.action, approve, at(id));
    expect([approved.status, approved.headers.get("Location")]).toEqual([303, staffPaths.confirmStanding(id)]);
    expect(await staffText(id)).toContain("Nobody has confirmed it to the signer: certificates within it wait.");
    const list = pageText((await openPage(staffList, anna.visitor, staffPaths.standing)).html);
    expect(list).toContain(`standing authorisation ${id}`);

    const waits = await orderUnder(client, id, csrOf());
    expect(waits.content).toMatchObject({ isWithin: true, isIssued: false });
    expect(waits.content.reasons.join()).toContain("does not count at the signer now");
    expect(await finishInterruptedIssuing()).toBe(0);

    const page = await openPage(confirmPage, anna.visitor, staffPaths.confirmStanding(id), { params: at(id) });
    expect(pageText(page.html)).toMatch(/Certificates at most 3/);
    expect((await confirm(anna, annasKey, id)).status).toBe(303);
    expect(await finishInterruptedIssuing()).toBe(1);
    expect((await readCertificate(waits.content.certificateId)).status).toBe("Issued");
    expect((await orderUnder(client, id, csrOf())).content).toMatchObject({ isIssued: true, reasons: [] });

    const lines = linesOf(id);
    expect(lines).toHaveLength(2);
    for (const { authority } of lines)
      expect(authority).toMatch(new RegExp(`^standing grant [0-9a-f]{64} of ${anna.user.username} by the passkey `));
    expect(await staffText(id)).toContain("Certificates signed on that: 2 of at most 3.");
    const granted = getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("event", "=", "company.standing-granted");
    expect((await granted.execute()).at(-1)?.message).toContain(`Confirmed standing authorisation ${id} of`);
    const { out } = await runCommand(["signer", "standing"], consoleEnv());
    expect(out).toMatch(new RegExp(`^${id} .*2 of 3`, "m"));
  });

  test("[MAN-03] is confirmed with the code of an app, and a wrong code is refused at its field", async () => {
    const { client, csrOf, id } = await newStanding();
    const user = await createStaff(["approver"]);
    const ben = { user, visitor: await signedInAs(user) };
    const app = await addApp(consoleEnv(), user.username);
    await approveStanding(await personOf(user), id);
    const { fingerprint } = await shownTo(ben, id);
    const send = (fields: Record<string, string>) =>
      openPage(confirmPage, ben.visitor, staffPaths.confirmStanding(id), { params: at(id), fields });
    expect(pageText((await send({ fingerprint, code: "000000" })).html)).toContain("The code is wrong.");
    const code = app.code(); // one code for both, because three in a row can be too far ahead at the end of a time step
    const changed = pageText((await send({ fingerprint: "0".repeat(64), code })).html);
    expect(changed).toContain("What is confirmed has changed since you opened the page.");
    expect((await post(ben, id, { fingerprint, code })).status).toBe(303);
    expect((await orderUnder(client, id, csrOf())).content.isIssued).toBe(true);
    expect(linesOf(id)[0]?.authority).toContain(`of ${user.username} by the app `);
  });

  test("[MAN-03] is withdrawn at the signer when it ends, by the job when the signer was away", async () => {
    const [first, second] = [await newConfirmed(), await newConfirmed()];
    await endOwnStanding(await personOf(first.user), first.id, "Replaced");
    await expect(signFor(first.id, first.domain)).rejects.toThrow("was withdrawn.");
    expect(signer.allLines().at(-1)).toMatchObject({ kind: "standing-withdrawn", standing: first.id });

    await stopSigner(child);
    await endOwnStanding(await personOf(second.user), second.id, "Replaced");
    child = await startSigner(signer.env);
    expect((await askForStandingGrants()).map(({ scope }) => scope.authorisation)).toContain(second.id);
    expect(await keepStanding(new Date())).toContain("1 withdrawn at the signer");
    await expect(signFor(second.id, second.domain)).rejects.toThrow("was withdrawn.");
  });

  test("[MAN-03] is confirmed again by another approver when the factor was removed, and the count goes on", async () => {
    const { client, csrOf, domain, id } = await newConfirmed({ ceilingCertificates: 2 });
    expect((await orderUnder(client, id, csrOf())).content.isIssued).toBe(true);
    const number = (await askForFactors()).find(({ person }) => person === anna.user.username)?.id ?? "";
    expect(await operator("remove", number, "--yes")).toMatchObject({ code: 0, err: "" });
    await expect(signFor(id, domain)).rejects.toThrow("with a factor that has been removed since.");
    expect(await staffText(id)).toContain("with a factor that has been removed since.");

    const user = await createStaff(["approver"]);
    const key = await givePasskey(user);
    const cora = { user, visitor: await signedInAs({ ...user, proof: "passkey" }) };
    await accepted(cora, key);
    expect((await confirm(cora, key, id)).status).toBe(303);
    expect((await orderUnder(client, id, csrOf())).content.isIssued).toBe(true);
    await expect(signFor(id, domain)).rejects.toThrow("covers 2 certificates, and so many were signed.");
    await accepted(anna, annasKey);
  });

  test("[API-03] is needed before an ACME client orders under it, and the client is told who must act", async () => {
    const { user, domain, id } = await newStanding({ ceilingCertificates: 3 });
    await approveStanding(await annaNow(), id);
    const acme = acmeClientOf(await newClientKey());
    await acme.register(await newAcmeKey({ user, standing: id }));
    const name = `www.${domain}`;
    const newCsr = () => makeCsr({ subject: "", san: [`DNS:${name}`] }).der;
    const order = await acme.order(name);
    const url = order.headers.get("Location") ?? "";
    const csr = newCsr();
    const refused = await acme.finalize(order, csr);
    expect([refused.status, typeOf(refused)]).toEqual([403, "userActionRequired"]);
    expect(refused.body.detail).toContain("An approver of our staff must confirm it there");
    expect(refused.body.instance).toBe(TEST_ORIGIN + accountPaths.standingAuthorisation(id));
    expect((await acme.post(url)).body.status).toBe("ready");
    expect((await confirm(anna, annasKey, id)).status).toBe(303);
    expect((await acme.finalize(order, csr)).body.status).toBe("valid");

    await stopSigner(child);
    const later = await acme.order(name);
    const waits = await acme.finalize(later, newCsr());
    expect(waits.body).toMatchObject({ status: "processing" });
    expect(waits.body.error).toBeUndefined();
    child = await startSigner(signer.env);
    const number = (await askForFactors()).find(({ person }) => person === anna.user.username)?.id ?? "";
    expect(await operator("remove", number, "--yes")).toMatchObject({ code: 0, err: "" });
    const told = {
      type: expect.stringContaining("userActionRequired") as string,
      instance: expect.any(String) as string,
    };
    const detail = expect.stringContaining("is issued when our staff have confirmed it there.") as string;
    const asked = await acme.post(later.headers.get("Location") ?? "");
    expect(asked.body).toMatchObject({ status: "processing", error: { ...told, detail } });
    expect(typeOf(await acme.order(name))).toBe("userActionRequired");
    await accepted(anna, annasKey);
    expect((await confirm(anna, annasKey, id)).status).toBe(303);
    expect(await finishInterruptedIssuing()).toBe(1);
    expect((await acme.post(later.headers.get("Location") ?? "")).body.status).toBe("valid");
  });

  test("[MAN-03] counts certificates at the signer: those that an amount pays for, for one year each", () => {
    const perYear = 28_800;
    expect(grantedCount({ ceilingCertificates: 7, ceilingCents: 100 }, perYear)).toBe(7);
    expect(grantedCount({ ceilingCertificates: null, ceilingCents: 100_000 }, perYear)).toBe(3);
    expect(grantedCount({ ceilingCertificates: null, ceilingCents: 100 }, perYear)).toBe(1);
    expect(grantedCount({ ceilingCertificates: null, ceilingCents: 100 }, 0)).toBe(10_000);
  });
});

describe("[CAL-04] whoever controls the web process", () => {
  test.each<[string, Wanted, string]>([
    ["a name outside", { names: ["www.other.example.net"] }, "'www.other.example.net' is not below a granted domain."],
    ["another organisation", { subject: { organisation: "Another Ltd" } }, "its organisation is 'Another Ltd'"],
    ["another country", { subject: { country: "DE" } }, "its country is 'DE'"],
    [
      "another unit",
      { subject: { organisationUnit: "Sales" } },
      "its organisation unit is 'Sales', and the grant has none",
    ],
    [
      "a common name without a host",
      { subject: { commonName: "Gateway" } },
      "neither a host name nor the organisation",
    ],
    ["another OFTP ID", { subject: { deviceSerialNumber: "O0177ZZZZ000000" } }, "none of the granted OFTP IDs"],
    ["another usage", { usage: { hasFileSigning: true } }, "its key usages are not those of granted usages"],
    ["a longer life", { years: 4 }, "it would be valid for longer than 2 years"],
    ["another issuer", { issuer: "issuing-g3", key: "issuing-sha2" }, "is not that of the CA"],
  ])("[CAL-04] gets no certificate on a standing grant for %s", async (_, wanted, problem) => {
    const { domain, id } = await newConfirmed({ usage: ["hasSecureSession"] as never });
    await expect(signFor(id, domain, wanted)).rejects.toThrow(problem);
    expect(linesOf(id)).toHaveLength(0);
    await signFor(id, domain); // the same without that is signed
    expect(linesOf(id)).toHaveLength(1);
  });

  test("[CAL-04] gets no more than the ceiling, also with many requests at once and after a new start of the signer", async () => {
    const { domain, id } = await newConfirmed({ ceilingCertificates: 2 });
    await signFor(id, domain);
    await stopSigner(child, "SIGKILL");
    child = await startSigner(signer.env);
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => signFor(id, domain)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(signFor(id, domain)).rejects.toThrow("covers 2 certificates, and so many were signed.");
    expect(linesOf(id)).toHaveLength(2);
  });

  test("[CAL-04] gets nothing on a grant that was changed by a byte, of another CA, or for too long", async () => {
    const { domain, id } = await newConfirmed();
    const scope = await scopeNow(id);
    const answer = await answerFor(scope);
    const changed = { ...scope, organisation: scope.organisation.replace("Ltd", "Ltx") };
    await expect(sendStandingGrant({ ...answer, scope: changed })).rejects.toThrow("has confirmed something else");
    const longer = { ...scope, endsAt: addYears(new Date(), 2).toISOString() };
    await expect(sendStandingGrant({ ...(await answerFor(longer)), scope: longer })).rejects.toThrow("for 400 days");
    const other = { ...scope, issuers: ["issuing-g3"] };
    await sendStandingGrant({ ...(await answerFor(other)), scope: other });
    await expect(signFor(id, domain)).rejects.toThrow("its CA 'issuing-sha2' is none of the granted ones.");
    expect(await staffText(id)).toContain("Another CA issues now");
    expect((await confirm(anna, annasKey, id)).status).toBe(303);
  });

  test("[CAL-04] gets nothing after the end, nor for a standing authorisation that nobody has confirmed", async () => {
    const { domain, id } = await newConfirmed();
    await expect(signFor(id + 1000, domain)).rejects.toThrow(
      `Nobody has granted the standing authorisation ${id + 1000}`,
    );
    const short = { ...(await scopeNow(id)), endsAt: new Date(Date.now() + 1500).toISOString() };
    await sendStandingGrant({ ...(await answerFor(short)), scope: short });
    const refusal = () => signFor(id, domain).then(() => "signed", String);
    await expect.poll(refusal, { timeout: 10_000 }).toContain(`ended at ${short.endsAt}`);
    expect((await confirm(anna, annasKey, id)).status).toBe(303);
  });
});

test("[CAL-04] audit verify compares the standing grants with the standing authorisations and their orders", async () => {
  const env = { ...portal.env, CA_PASSPHRASE: "", SIGNER_SOCKET: signer.env.SIGNER_SOCKET };
  const { client, csrOf, id } = await newConfirmed();
  const ordered = await orderUnder(client, id, csrOf());
  const before = await runCommand(["audit", "verify"], env);
  const { serialNumber } = await readCertificate(ordered.content.certificateId);
  expect(before.out + before.err).not.toContain(serialNumber);
  await stopSigner(child);
  let head = JOURNAL_START;
  const anew = signer.allLines().map(({ number: _, time, previous: __, hash: ___, ...content }) => {
    const isOwn = content.kind === "standing-grant" && content.scope.authorisation === id;
    const scope = isOwn ? { ...content.scope, domains: [], certificates: 5 } : null;
    const sealed = sealLine(head, scope ? ({ ...content, scope } as never) : content, new Date(time));
    head = sealed.head;
    return sealed.line;
  });
  writeFileSync(signer.journal, `${anew.join("\n")}\n`);
  child = await startSigner(signer.env);
  const { code, out, err } = await runCommand(["audit", "verify"], env);
  expect(code).toBe(1);
  expect(out + err).toContain(`The certificate ${serialNumber} of 'issuing-sha2' was signed on the grant of standing`);
  expect(out + err).toContain(`of standing authorisation ${id} is in the signer's journal, but says something else`);
});
