import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { askForFactors, askForSignature, sendGrant } from "~/domain/authorities/signer-client.server";
import { finishInterruptedIssuing } from "~/domain/certificates/issuing/finishing.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as queue from "~/routes/home.certificate-queue._index";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import * as confirmPage from "~/routes/home.certificate-queue.confirm/route";
import * as signerPage from "~/routes/home.signer._index/route";
import { JOURNAL_START, sealLine } from "~/signer/journal-entry.server";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { Authenticator } from "../support/authenticator";
import { type App } from "../support/authenticator-app";
import { checksDone, createCertificateOrder, readCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { givePasskey } from "../support/passkeys";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { postToSigner, signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { addApp, type Approver, CHECKED, offerPasskeyOf, optionsIn } from "../support/signer-people";
import { setVariables, TEST_ORIGIN } from "../support/variables";
import { jsonOf, run, signedInAs } from "../support/visitor";

useSigners();
const portal = usePortal();
const { makeCsr } = useOpenssl();

let signer: ReturnType<typeof signerIn>;
let child: Awaited<ReturnType<typeof startSigner>>;
let customer: Awaited<ReturnType<typeof createUser>>;
let anna: Approver;
let ben: Approver;
let annasKey: Authenticator;
let bensApp: App;

const operator = (...args: string[]) => runCommand(["signer", ...args], consoleEnv());

const createApprover = () => createStaff(["approver", "registration-officer"]);

const consoleEnv = () => ({ ...portal.env, ...signer.env });

/** Returns a code of a new app of Ben: an app has only three within 30 seconds. */
async function codeOfNewApp(): Promise<string> {
  bensApp = await addApp(consoleEnv(), ben.user.username);
  return bensApp.code();
}

const post = (
  page: { action: Parameters<typeof run>[0] },
  { visitor }: Approver,
  path: string,
  fields: Record<string, string>,
  id = "",
) => visitor.post(path, fields).then((request) => run(page.action, request, { id }));

const stateOf = async (number: string) => (await askForFactors()).find(({ id }) => id === number)?.state;

beforeAll(async () => {
  customer = await createUser();
  const [first, second] = [await createApprover(), await createApprover()];
  signer = signerIn(portal.dataDir, { SIGNER_GRANTS: "required", PUBLIC_URL: TEST_ORIGIN });
  const env = { ...portal.env, SIGNER_DIR: signer.directory };
  expect(await runCommand(["signer", "adopt", "--operator", "Olga", "--yes"], env)).toMatchObject({ code: 0 });
  child = await startSigner(signer.env);
  setVariables({ SIGNER_SOCKET: signer.env.SIGNER_SOCKET, SIGNER_GRANTS: "required", CA_PASSPHRASE: "" });
  annasKey = await givePasskey(first);
  anna = { user: first, visitor: await signedInAs({ ...first, proof: "passkey" }) };
  ben = { user: second, visitor: await signedInAs(second) };
});

async function restart(env: Record<string, string> = {}): Promise<void> {
  await stopSigner(child);
  child = await startSigner({ ...signer.env, ...env });
}

const newOrder = () => createCertificateOrder(customer, makeCsr().der, checksDone());

/** Presses Approve and the button of the question. Returns the id of the order. */
async function approve({ visitor }: Approver): Promise<number> {
  const { id } = await newOrder();
  const fields = { intent: "approve", confirmed: "yes" };
  const path = paths.certificateQueueOrder(id);
  const answer = await run(orderPage.action, await visitor.post(path, fields), { id: String(id) });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, staffPaths.confirmToSigner]);
  return id;
}

/** Opens the page that lists what is to be confirmed. Returns its text, and the fields that its forms send. */
async function shownTo({ visitor }: Approver) {
  const { html } = await openPage(confirmPage, visitor, staffPaths.confirmToSigner);
  const data = await run(confirmPage.loader, visitor.get(staffPaths.confirmToSigner));
  const { waiting, fingerprint } = await jsonOf<{ waiting: { id: number }[]; fingerprint: string }>(data);
  return { text: pageText(html), fields: { ids: waiting.map(({ id }) => id).join(","), fingerprint } };
}

const confirmPath = staffPaths.confirmToSigner;

/** Confirms everything that the page lists with a code. Returns the HTML of the answer. */
async function confirmByCode(person: Approver, code: string): Promise<string> {
  const { fields } = await shownTo(person);
  const { html } = await openPage(confirmPage, person.visitor, confirmPath, { fields: { ...fields, code } });
  return pageText(html);
}

async function optionsToConfirm(person: Approver, fields: Record<string, string>) {
  const request = await person.visitor.post(confirmPath, { intent: "passkey-options", ...fields });
  return optionsIn(run(confirmPage.action, request));
}

/** Confirms everything that the page lists with a passkey. Returns the text of the answer. */
async function confirmByPasskey(person: Approver, key: Authenticator, place = CHECKED): Promise<string> {
  const { fields } = await shownTo(person);
  const answer = key.use(await optionsToConfirm(person, fields), place);
  const sent = { intent: "passkey", answer, ...fields };
  return pageText((await openPage(confirmPage, person.visitor, confirmPath, { fields: sent })).html);
}

const statusOf = async (id: number) => (await readCertificate(id)).status;
const digestOf = async (id: number) => {
  const { tbsCertificate } = await readCertificate(id);
  return createHash("sha256")
    .update(tbsCertificate ?? "")
    .digest("hex");
};

afterEach(async () => {
  if (child.exitCode !== null || child.signalCode !== null) await restart();
});

describe("[USR-01] who confirms certificates to the signer", () => {
  test("an operator adds an authenticator app on the console of the signer, where nobody else learns its secret", async () => {
    bensApp = await addApp(consoleEnv(), ben.user.username);
    const { html } = await openPage(signerPage, ben.visitor, staffPaths.signer);
    expect(pageText(html)).toMatch(
      new RegExp(`${ben.user.username} Authenticator app Authenticator app [0-9a-f-]+ Accepted`),
    );
    expect(signer.allLines().at(-1)).toMatchObject({
      kind: "factor-accepted",
      person: ben.user.username,
      by: "operator Olga",
    });
    expect(JSON.stringify(signer.allLines())).not.toContain(bensApp.secret);
  });

  test("a passkey counts when an operator has accepted it on the console, and no confirmation on the portal can add one", async () => {
    const number = await offerPasskeyOf(anna, annasKey);
    expect(number).toMatch(/^([0-9a-f]{4}-){4}[0-9a-f]{4}$/);
    expect(await stateOf(number)).toBe("waiting");
    expect((await auditAbout(anna.user)).map(({ event }) => event)).toContain("signer.passkey-offered");
    const acceptance = { operator: "Olga", person: ben.user.username, askedAt: new Date().toISOString() };
    const sent = JSON.stringify({ ...acceptance, answer: { code: bensApp.code() } });
    const path = `/factors/${number}/accept`;
    expect(await postToSigner(signer.env.SIGNER_SOCKET, path, sent)).toMatchObject({ status: 404 });
    const alone = await operator("accept", number, "--operator", anna.user.username.toUpperCase(), "--yes");
    expect(alone).toMatchObject({ code: 1, err: expect.stringContaining("the consent of somebody else") as string });
    expect(await stateOf(number)).toBe("waiting");
    const accepted = await operator("accept", number, "--operator", "Olga", "--yes");
    expect(accepted).toMatchObject({ code: 0, err: "" });
    expect(await stateOf(number)).toBe("accepted");
    expect(signer.allLines().at(-1)).toMatchObject({ kind: "factor-accepted", factor: number, by: "operator Olga" });
  });
});

describe("[MAN-03] an approved order", () => {
  test("waits until its approver has confirmed the certificate to the signer with a passkey, and is issued then", async () => {
    const id = await approve(anna);
    expect(await statusOf(id)).toBe("Pending");
    expect(await finishInterruptedIssuing()).toBe(0); // the job neither issues it nor fails
    const { html } = await openPage(queue, anna.visitor, paths.certificateQueue);
    expect(pageText(html)).toContain("1 order that you approved waits.");
    const shown = await shownTo(anna);
    expect(shown.text.replace(/[^0-9a-f]/gi, "").toLowerCase()).toContain(await digestOf(id));
    expect(await confirmByPasskey(anna, annasKey)).toContain("1 certificate has been issued");
    expect(await statusOf(id)).toBe("Issued");
    const { serialNumber } = await readCertificate(id);
    const line = signer.lines().find((one) => one.serial === serialNumber);
    expect(line?.authority).toMatch(new RegExp(`^grant [0-9a-f]{64} of ${anna.user.username} by the passkey `));
    expect((await auditAbout(customer)).map(({ event }) => event)).toContain("certificate.granted");
  });

  test("is confirmed with the code of an app, several in one go, and the code counts once", async () => {
    const [one, two] = [await newOrder(), await newOrder()];
    const path = `${staffPaths.approveOrders}?id=${one.id}&id=${two.id}`;
    const fields = { id: `${one.id},${two.id}`, confirmed: "yes" };
    const bulk = await openPage(bulkPage, ben.visitor, path, { fields });
    expect(pageText(bulk.html)).toContain("Approved orders that wait for your confirmation to the signer");
    const code = bensApp.code();
    expect(await confirmByCode(ben, code)).toContain("2 certificates have been issued");
    await approve(ben);
    expect(await confirmByCode(ben, code)).toContain("This code has been used.");
    expect(await confirmByCode(ben, await codeOfNewApp())).toContain("1 certificate has been issued");
  });

  test("[CAL-04] is confirmed by a program with the code of its person's app", async () => {
    const id = await approve(ben);
    const client = await apiClientOf(ben.user.email, TEST_PASSWORD);
    const certificates = [{ certificateId: id, sha256: await digestOf(id) }];
    expect((await client.get("certificates/GetCertificatesToConfirm")).content).toMatchObject(certificates);
    const wrong = [{ certificateId: id, sha256: "0".repeat(64) }];
    const confirm = (body: object) => client.post("certificates/ConfirmCertificates", body);
    expect(await confirm({ certificates: wrong, code: "123456" })).toMatchObject({ code: "certificate.grant-changed" });
    const { content } = await confirm({ certificates, code: await codeOfNewApp() });
    expect(content).toMatchObject([{ certificateId: id, error: "", code: "" }]);
    expect(await statusOf(id)).toBe("Issued");
  });

  test("is not confirmed by somebody else, nor when the list has changed since it was shown", async () => {
    const id = await approve(anna);
    expect((await shownTo(ben)).text).toContain("No order that you have approved waits");
    const { fields } = await shownTo(anna);
    const path = paths.certificateQueueOrder(id);
    const undo = await anna.visitor.post(path, { intent: "undo", confirmed: "yes" });
    expect((await run(orderPage.action, undo, { id: String(id) })).status).toBe(303);
    const again = await anna.visitor.post(path, { intent: "approve", confirmed: "yes" });
    expect((await run(orderPage.action, again, { id: String(id) })).status).toBe(303);
    const answer = await openPage(confirmPage, anna.visitor, confirmPath, { fields: { ...fields, code: "123456" } });
    expect(pageText(answer.html)).toContain("The list has changed since you opened it.");
    expect(await confirmByPasskey(anna, annasKey)).toContain("1 certificate has been issued");
  });

  test("takes no other order with it, whose approval needs a fresh proof: a forged form approves nothing", async () => {
    await approve(anna);
    const { id: other } = await newOrder();
    const { fields } = await shownTo(anna);
    const answer = annasKey.use(await optionsToConfirm(anna, fields), CHECKED);
    const forged = { intent: "passkey", answer, ...fields, ids: `${fields.ids},${other}` };
    const { html } = await openPage(confirmPage, anna.visitor, confirmPath, { fields: forged });
    expect(pageText(html)).toContain("1 certificate has been issued.");
    expect((await readCertificate(other)).tbsCertificate).toBeNull();
  });

  test("is not issued on a passkey of a device that has not checked who uses it, on another site, or on a copy", async () => {
    await approve(anna);
    expect(await confirmByPasskey(anna, annasKey, { isVerified: false })).toContain(
      "The device must check who uses it",
    );
    const other = { ...CHECKED, origin: "https://elsewhere.example" };
    expect(await confirmByPasskey(anna, annasKey, other)).toContain("on a page of another site");
    const copy = annasKey.copy();
    copy.counter = 0;
    expect(await confirmByPasskey(anna, copy)).toContain("it may be a copy");
    expect(await confirmByPasskey(anna, annasKey)).toContain("1 certificate has been issued");
  });

  test("survives the end of the signer after its confirmation: the job completes it", async () => {
    const id = await approve(anna);
    const { fields } = await shownTo(anna);
    const options = await optionsToConfirm(anna, fields);
    const askedAt = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const passkey = annasKey.use(options, CHECKED);
    await sendGrant({ person: anna.user.username, askedAt, digests: [await digestOf(id)], answer: { passkey } });
    await stopSigner(child, "SIGKILL");
    child = await startSigner(signer.env);
    expect(await finishInterruptedIssuing()).toBe(1);
    expect(await statusOf(id)).toBe("Issued");
  });
});

test("[USR-01] an approver removes a passkey or an app of anybody from the signer, after a question", async () => {
  const number = (await askForFactors()).find(({ kind }) => kind === "app")?.id ?? "";
  const ask = { intent: "ask-remove", factor: number };
  const { html } = await openPage(signerPage, anna.visitor, staffPaths.signer, { fields: ask });
  expect(pageText(html)).toContain(`remove Authenticator app of ${ben.user.username} from the signer?`);
  expect((await askForFactors()).map(({ id }) => id)).toContain(number);
  await post(signerPage, anna, staffPaths.signer, { intent: "remove", factor: number });
  expect((await askForFactors()).map(({ id }) => id)).not.toContain(number);
  expect((await auditAbout(anna.user)).map(({ event }) => event)).toContain("signer.factor-removed");
  expect(signer.allLines().at(-1)).toMatchObject({ kind: "factor-removed", by: `the portal: ${anna.user.username}` });
});

describe("[CAL-04] whoever controls the web process", () => {
  const tbsOf = async (id: number) => (await readCertificate(id)).tbsCertificate ?? Buffer.alloc(0);
  const sign = (tbs: Uint8Array) => askForSignature("issuing-sha2", tbs);

  test("gets no certificate that nobody granted, and none that differs by a byte from a granted one", async () => {
    const id = await approve(anna);
    const tbs = await tbsOf(id);
    await expect(sign(tbs)).rejects.toMatchObject({
      code: "signer-no-grant",
      message: "Nobody has granted this certificate to the signer.",
    });
    expect(await confirmByPasskey(anna, annasKey)).toContain("1 certificate has been issued");
    const changed = Buffer.from(tbs);
    const at = changed.indexOf(Buffer.from("gateway")) >= 0 ? changed.indexOf(Buffer.from("gateway")) : tbs.length - 3;
    changed[at] = (changed[at] ?? 0) ^ 0x01;
    await expect(sign(changed)).rejects.toThrow();
    const lines = signer.lines().length;
    expect(await sign(tbs)).toEqual(await sign(tbs)); // the same bytes get the same answer, and no second line
    expect(signer.lines()).toHaveLength(lines);
  });

  test("gets nothing on a grant for something else, of yesterday, or for a passkey of their own", async () => {
    const id = await approve(anna);
    const [digest, person] = [await digestOf(id), anna.user.username];
    const { fields } = await shownTo(anna);
    const askedAt = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const passkey = annasKey.use(await optionsToConfirm(anna, fields), CHECKED);
    const other = { person, askedAt, digests: ["0".repeat(64)], answer: { passkey } };
    await expect(sendGrant(other)).rejects.toThrow("The passkey has confirmed something else.");
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await expect(sendGrant({ person, askedAt: yesterday, digests: [digest], answer: { passkey } })).rejects.toThrow(
      "Please try again.",
    );
    await expect(
      sendGrant({ person: ben.user.username, askedAt, digests: [digest], answer: { passkey } }),
    ).rejects.toThrow(`The signer does not accept this passkey for ${ben.user.username}.`);
    const own = new Authenticator();
    const answer = { passkey: own.use(await optionsToConfirm(anna, fields), CHECKED) };
    await expect(sendGrant({ person, askedAt, digests: [digest], answer })).rejects.toThrow(
      "does not accept this passkey",
    );
    expect(await confirmByPasskey(anna, annasKey)).toContain("1 certificate has been issued");
  });

  test("gets nothing on a grant by a factor that was removed since, until another factor grants it", async () => {
    const id = await approve(ben);
    const asked = { person: ben.user.username, askedAt: new Date().toISOString(), digests: [await digestOf(id)] };
    await sendGrant({ ...asked, answer: { code: await codeOfNewApp() } });
    const number = (await askForFactors()).find(({ kind }) => kind === "app")?.id ?? "";
    expect(await operator("remove", number, "--operator", "Olga", "--yes")).toMatchObject({ code: 0, err: "" });
    await expect(sign(await tbsOf(id))).rejects.toThrow("with a factor that has been removed since.");
    expect(await confirmByCode(ben, await codeOfNewApp())).toContain("1 certificate has been issued");
  });

  test("cannot guess codes: after ten wrong ones no code of the app counts, also after a new start of the signer", async () => {
    await approve(ben);
    const rightCode = await codeOfNewApp();
    for (const slip of ["12345", "1234567", "12345o"])
      expect(await confirmByCode(ben, slip)).toContain("The code must have six digits.");
    const asked = { person: ben.user.username, digests: ["1".repeat(64)], answer: { code: "000000" } };
    const guess = () => sendGrant({ ...asked, askedAt: new Date().toISOString() });
    const guesses = await Promise.allSettled(Array.from({ length: 30 }, guess)); // at once, so that none waits for another
    const reasons = guesses.map((one) => (one.status === "rejected" ? String(one.reason) : "granted"));
    expect(reasons.filter((reason) => reason.includes("The code is wrong."))).toHaveLength(10);
    expect(reasons.filter((reason) => reason.includes("After 10 wrong codes"))).toHaveLength(20);
    await restart();
    expect(await confirmByCode(ben, rightCode)).toContain("After 10 wrong codes, no code of this app counts.");
    const { html } = await openPage(signerPage, ben.visitor, staffPaths.signer);
    expect(pageText(html)).toContain("Locked: too many wrong codes");
    expect(await confirmByCode(ben, await codeOfNewApp())).toContain("1 certificate has been issued");
  });
});

test("[CAL-04] the signer goes on after a request whose path is no address, or leads out of its folder", async () => {
  const socket = signer.env.SIGNER_SOCKET;
  expect(await postToSigner(socket, "//[")).toMatchObject({ status: 404 });
  const key = encodeURIComponent("/../../../x");
  expect(await postToSigner(socket, `/requests/issuing-sha2-2077?key=${key}`)).toMatchObject({ status: 400 });
  expect((await askForFactors()).length).toBeGreaterThan(0);
});

test("[CAL-04] audit verify finds a certificate whose grant does not cover it, also in a journal that was written anew", async () => {
  const env = { ...portal.env, CA_PASSPHRASE: "", SIGNER_SOCKET: signer.env.SIGNER_SOCKET };
  expect(await runCommand(["audit", "verify"], env)).toMatchObject({ code: 0, err: "" });
  await stopSigner(child);
  let head = JOURNAL_START;
  const anew = signer.allLines().map(({ number: _, time, previous: __, hash: ___, ...content }) => {
    const changed =
      content.kind === "grant" ? { ...content, digests: content.digests.map(() => "0".repeat(64)) } : content;
    const sealed = sealLine(head, changed, new Date(time));
    head = sealed.head;
    return sealed.line;
  });
  writeFileSync(signer.journal, `${anew.join("\n")}\n`);
  child = await startSigner(signer.env);
  const { code, err, out } = await runCommand(["audit", "verify"], env);
  expect(code).toBe(1);
  expect(out + err).toMatch(
    /The certificate [0-9A-F]+ of 'issuing-sha2' was signed on a grant that does not cover it\./,
  );
});
