import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { readPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { publishRenewals } from "~/domain/certificates/partners/following.service.server";
import { remindPartners } from "~/domain/certificates/partners/reminders.service.server";
import { announceEvents } from "~/domain/webhooks/announcing.service.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { DAY } from "~/lib/dates";
import { serverPaths } from "~/lib/server-paths.server";
import * as partnerPage from "~/routes/_public.new-certificate.$token";
import * as partnerFile from "~/routes/_public.new-certificate.$token_.file";
import * as partnersPage from "~/routes/home.certificate-partners.$id";
import * as kitFile from "~/routes/home.certificate-partners.$id_.kit";
import { getDb } from "~db/connection.server";
import {
  deleteEndedPartners,
  findPartnerSettings,
  findPublication,
} from "~db/repositories/certificate-partners.server";
import { updateUser } from "~db/repositories/users.server";
import { apiClientOf } from "../support/api";
import { auditEventsOf, issueCertificate, readCertificate, setCertificate } from "../support/certificates";
import { createCode } from "../support/codes";
import { createColleague, personOf } from "../support/companies";
import { createPerson, erase, placesOf } from "../support/erasure";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { newEmail } from "../support/user-details";
import { setVariable } from "../support/variables";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { deliveriesTo, hookTo, useWebhookReceiver } from "../support/webhook-receiver";

usePortal();
const receiver = useWebhookReceiver();
const { makeCsr } = useOpenssl();

const paramsOf = (id: number) => ({ id: String(id) });
const post = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(partnersPage.action, await who.post(certificatePaths.partners(id), fields), paramsOf(id));
const open = (who: Visitor, id: number, fields?: Record<string, string>) =>
  openPage(partnersPage, who, certificatePaths.partners(id), { params: paramsOf(id), ...(fields && { fields }) });
const add = (who: Visitor, id: number, partners: string) => post(who, id, { intent: "add", partners });
const publish = (who: Visitor, id: number, cutOverOn = "") =>
  post(who, id, { intent: "publish", cutOverOn, confirmed: "yes" });

/** Returns what a POST says on the next page, or at the field of the form. */
async function said(who: Visitor, answer: Response): Promise<string | undefined> {
  if (answer.status !== 303) return Object.values((await errorsOf(answer)).errors)[0];
  who.follow(answer);
  return toastOf(who);
}

const owned = async (order = {}) => {
  const owner = await createUser({ company: "Sender Ltd" });
  const { id } = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
  return { owner, id, visitor: await signedInAs(owner) };
};

/** Returns the token of the link in the newest message to a partner. */
async function tokenFor(email: string): Promise<string> {
  const mail = (await mailsTo(email)).at(-1);
  return /\/new-certificate\/([\w-]{43})/.exec(await textOf(mail))?.[1] ?? "";
}

const openLink = async (token: string, fields?: Record<string, string>) =>
  openPage(partnerPage, await anonymous(), serverPaths.newCertificate(token), {
    params: { token },
    ...(fields && { fields }),
  });
const fileOf = async (token: string, form: string) =>
  run(partnerFile.loader, (await anonymous()).get(serverPaths.newCertificateFile(token, form)), { token });

const rowsOf = (id: number) =>
  getDb().selectFrom("certificatePartners").selectAll().where("certificateId", "=", id).orderBy("id").execute();
const statesOn = (html: string) => textsOf(html, "tbody td .tag");

describe("[CER-06] the partners of a certificate", () => {
  test("are added by address, with names, from a pasted CSV list, once each, and removed", async () => {
    const { id, visitor } = await owned();
    const list = 'email,name\r\nAnna@Partner.example,"Brown, Anna"\nbob@partner.example; Bob\n\nanna@partner.example';
    expect(await said(visitor, await add(visitor, id, list))).toBe("Partners that were added: 2.");
    expect(await said(visitor, await add(visitor, id, "bob@partner.example\ncarl@partner.example"))).toBe(
      "Partners that were added: 1. The certificate had 1 of them already.",
    );
    const { html } = await open(visitor, id);
    expect(pageText(html)).toContain("Brown, Anna");
    expect(pageText(html)).toContain("anna@partner.example");
    expect(statesOn(html)).toEqual(["Not sent", "Not sent", "Not sent"]);
    const [first] = await rowsOf(id);
    const removal = { intent: "remove", partnerId: String(first?.id) };
    expect(await said(visitor, await post(visitor, id, removal))).toBe(
      "Brown, Anna (anna@partner.example) has been removed.",
    );
    expect(await said(visitor, await post(visitor, id, removal))).toBe("There is no such partner any more.");
    expect((await rowsOf(id)).map(({ email }) => email)).toEqual(["bob@partner.example", "carl@partner.example"]);
    expect((await auditEventsOf(id)).slice(-3)).toEqual([
      "certificate.partners-added",
      "certificate.partners-added",
      "certificate.partner-removed",
    ]);
  });

  test("are refused line by line, none is added, and the list stays in the form", async () => {
    const { id, visitor } = await owned();
    const list = `good@partner.example\nno/body\n${"x@partner.example"},${"n".repeat(101)}`;
    const { status, html } = await open(visitor, id, { intent: "add", partners: list });
    expect(status).toBe(422);
    expect(pageText(html)).toContain("Line 2: 'no/body' is neither an email address nor the code of an entity.");
    expect(pageText(html)).toContain("Line 3: a name has at most 100 characters. This one has 101.");
    expect(select(html, '[name="partners"]').text().trim()).toBe(list);
    const many = Array.from({ length: 101 }, (_, index) => `p${index}@partner.example`).join("\n");
    expect(await said(visitor, await add(visitor, id, many))).toBe(
      "A certificate has at most 100 partners. With these it would have 101.",
    );
    expect(await said(visitor, await add(visitor, id, " "))).toBe("This field is required.");
    expect(await rowsOf(id)).toEqual([]);
  });

  test("[SRC-02] are entities of the register whose owner can be reached, and the owner's address is never shown", async () => {
    const { owner, id, visitor } = await owned();
    const other = await createUser({ email: newEmail() });
    const code = await createCode(other, { entityName: "Plant North" });
    expect(await said(visitor, await add(visitor, id, code.code))).toContain("only companies with a code of their own");
    await createCode(owner);
    expect(await said(visitor, await add(visitor, id, "0000"))).toBe(
      "Line 1: there is no entity with the code '0000'.",
    );
    const silent = await createCode(await createUser({ emailVerifiedAt: null }));
    expect(await said(visitor, await add(visitor, id, silent.code))).toContain("cannot be reached by email");
    expect(await said(visitor, await add(visitor, id, `O0177${code.code}00000000`))).toBe(
      "Partners that were added: 1.",
    );
    await publish(visitor, id);
    expect(await mailsTo(other.email)).toHaveLength(1);
    const { html } = await open(visitor, id);
    expect(pageText(html)).toContain("Plant North");
    expect(pageText(html)).toContain(`Entity ${code.code}00`);
    expect(html).not.toContain(other.email);
    const entries = await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("certificateId", "=", id)
      .execute();
    expect(JSON.stringify(entries)).not.toContain(other.email);
  });

  test("are seen by the company and staff, changed by roles that may, and nobody else's business", async () => {
    const { owner, id, visitor } = await owned();
    await add(visitor, id, "seen@partner.example");
    for (const person of [await createColleague(owner, "reader"), await createStaff(["finance"])]) {
      const who = await signedInAs(person);
      const { html } = await open(who, id);
      expect(pageText(html)).toContain("seen@partner.example");
      expect(html).not.toContain('name="partners"');
      expect((await add(who, id, "taken@partner.example")).status).toBe(403);
      expect((await publish(who, id)).status).toBe(403);
    }
    const stranger = await signedInAs(await createUser());
    const led = await run(partnersPage.loader, stranger.get(certificatePaths.partners(id)), paramsOf(id)).catch(
      (thrown: Response) => thrown,
    );
    expect(led.headers.get("Location")).toBe("/home/certificates");
    expect((await add(stranger, id, "taken@partner.example")).headers.get("Location")).toBe("/home/certificates");
    expect(await rowsOf(id)).toHaveLength(1);
  });

  test("[USR-03] are in the data of a person, end with the person's erasure and a year after the certificate", async () => {
    const { id, visitor } = await owned();
    const person = await createPerson();
    await add(visitor, id, `${person.email}\nother@partner.example`);
    const file = await readPersonalData(await personOf(person), person.id);
    expect(JSON.stringify(file)).toContain("Sender Ltd");
    await erase(person);
    expect((await rowsOf(id)).map(({ email }) => email)).toEqual(["other@partner.example"]);
    expect(await placesOf([person.email])).not.toContain("certificate_partners.email");
    await setCertificate(id, { expiryDate: "2020-01-01T00:00:00.000Z" });
    expect(await deleteEndedPartners(getDb(), new Date("2021-01-02T00:00:00Z"))).toBeGreaterThan(0);
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe("[REN-03] a certificate that is published to its partners", () => {
  test("is sent to each after a question, by a message with a link, and the owner sees sent, opened and confirmed", async () => {
    const { id, visitor } = await owned();
    const [anna, bob] = [newEmail(), newEmail()];
    await add(visitor, id, `${anna},Anna\n${bob}`);
    const asked = await open(visitor, id, { intent: "publish", cutOverOn: "" });
    expect(pageText(asked.html)).toContain(`Anna (${anna})`);
    expect(pageText(asked.html)).toContain("to 2 partners?");
    expect(await mailsTo(anna)).toEqual([]);
    const day = new Date(Date.now() + 86_400_000 * 20).toISOString().slice(0, 10);
    expect(await said(visitor, await publish(visitor, id, day))).toBe(
      "The certificate has been published to 2 partners.",
    );
    const [mail] = await mailsTo(anna);
    expect(mail?.text).toContain("Sender Ltd");
    expect(mail?.text).toContain("/no-more-messages/");
    expect(mail?.isContact).toBe(true);
    expect(statesOn((await open(visitor, id)).html)).toEqual(["Sent", "Sent"]);
    expect(await said(visitor, await publish(visitor, id))).toContain("There is nobody to write to");

    const token = await tokenFor(anna);
    const page = await openLink(token);
    expect(page.status).toBe(200);
    expect(pageText(page.html)).toContain("Sender Ltd");
    const state = async () => statesOn((await open(visitor, id)).html);
    expect(await state()).toEqual(["Opened", "Sent"]);
    expect(pageText((await openLink(token, { intent: "imported", question: "" })).html)).toContain("Import confirmed");
    expect(await state()).toEqual(["Imported", "Sent"]);
    expect(pageText((await open(visitor, id)).html)).toContain("1 of 2 have confirmed");
    await openLink(await tokenFor(bob), { intent: "imported", question: "" });
    expect(pageText((await open(visitor, id)).html)).toContain("Safe to switch");
    expect((await auditEventsOf(id)).slice(-4)).toEqual([
      "certificate.published",
      "certificate.partner-answered",
      "certificate.partner-answered",
      "certificate.partners-ready",
    ]);
  });

  test("has the files, the chain, a sheet and what has changed on the page of the partner", async () => {
    const { id, visitor, owner } = await owned();
    const email = newEmail();
    await add(visitor, id, email);
    const next = await issueCertificate({
      customer: owner,
      csr: makeCsr().der,
      order: { previousCertificateId: id, orderType: "Renewal" },
    });
    expect((await rowsOf(next.id)).map((row) => [row.email, row.sentAt])).toEqual([[email, null]]);
    await publish(visitor, next.id);
    const token = await tokenFor(email);
    const { html } = await openLink(token);
    expect(pageText(html)).toContain("Subject, issuer and usage are those of the previous certificate");
    const der = Buffer.from(await (await fileOf(token, "DER")).arrayBuffer());
    expect(der.equals(next.der)).toBe(true);
    const pem = await (await fileOf(token, "PEM")).text();
    expect(pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    const archive = unzipSync(new Uint8Array(await (await fileOf(token, "zip")).arrayBuffer()));
    const names = Object.keys(archive).map((name) => name.replace(/.*\./, ""));
    expect(names.sort()).toEqual(["cer", "p7b", "pdf", "pem"]);
    const sheet = Object.entries(archive).find(([name]) => name.endsWith(".pdf"))?.[1] ?? new Uint8Array();
    expect(strFromU8(sheet.slice(0, 5))).toBe("%PDF-");
    expect(parseCertificate(der).serialNumber).toBeDefined();
    expect((await fileOf(token, "exe").catch((thrown: Response) => thrown)).status).toBe(404);
  });

  test("gets the questions of partners to the owner, ends for who wants no more, and links end with the certificate", async () => {
    const { owner, id, visitor } = await owned();
    const [asks, stops, wrong] = [newEmail(), newEmail(), newEmail()];
    await add(visitor, id, [asks, stops, wrong].join("\n"));
    await publish(visitor, id);
    const empty = await openLink(await tokenFor(asks), { intent: "question", question: " " });
    expect(pageText(empty.html)).toContain("Please type your question.");
    await openLink(await tokenFor(asks), { intent: "question", question: "Which SSID?" });
    expect((await mailsTo(owner.email)).at(-1)?.text).toContain("Which SSID?");
    expect(pageText((await open(visitor, id)).html)).toContain("Which SSID?");
    await openLink(await tokenFor(stops), { intent: "stopped", question: "" });
    const stop = await getDb().selectFrom("contactStops").selectAll().where("email", "=", stops).executeTakeFirst();
    expect(stop).toBeDefined();
    await openLink(await tokenFor(wrong), { intent: "not-ours", question: "" });
    expect((await mailsTo(owner.email)).at(-1)?.subject).toContain("is not for them");
    expect(statesOn((await open(visitor, id)).html)).toEqual(["Question", "Wants no messages", "Not theirs"]);

    const { owner: second, id: other, visitor: sender } = await owned();
    await add(sender, other, stops);
    expect(await said(sender, await publish(sender, other))).toContain("There is nobody to write to");
    expect(second.id).not.toBe(owner.id);

    const token = await tokenFor(asks);
    await setCertificate(id, { status: "Revoked" });
    expect((await openLink(token)).status).toBe(404);
    expect((await openLink(token, { intent: "imported", question: "" })).status).toBe(404);
    expect((await openLink("x".repeat(43))).status).toBe(404);
  });

  test("is refused without a confirmed address and for a wrong day, and writes to nobody more than five times a day", async () => {
    const { id, visitor } = await owned();
    const email = newEmail();
    await add(visitor, id, email);
    expect(await said(visitor, await publish(visitor, id, "2020-01-01"))).toBe(
      "The planned switch cannot be in the past.",
    );
    expect(await said(visitor, await publish(visitor, id, "9999-01-01"))).toContain("before the certificate ends");
    expect(await said(visitor, await publish(visitor, id, "tomorrow"))).toBeDefined();
    const unconfirmed = await createUser();
    const { id: theirs } = await issueCertificate({ customer: unconfirmed, csr: makeCsr().der });
    await updateUser(getDb(), unconfirmed.id, { emailVerifiedAt: null });
    const who = await signedInAs(unconfirmed);
    await add(who, theirs, email);
    expect(await said(who, await publish(who, theirs))).toContain("confirm your own email address");
    setVariable("RATE_LIMITS", "on");
    const outcomes = [];
    for (let count = 0; count < 6; count += 1) {
      const sender = await owned();
      await add(sender.visitor, sender.id, email);
      outcomes.push((await publish(sender.visitor, sender.id)).status);
    }
    expect(outcomes).toEqual([303, 303, 303, 303, 303, 429]);
    expect(await mailsTo(email)).toHaveLength(5);
  });

  test("reminds those who do not answer after 7 and 14 days, and nobody who has answered, wants nothing more or had too many", async () => {
    const { id, visitor } = await owned();
    const [silent, done, stops] = [newEmail(), newEmail(), newEmail()];
    await add(visitor, id, [silent, done, stops].join("\n"));
    await publish(visitor, id);
    const first = await tokenFor(silent);
    await openLink(await tokenFor(done), { intent: "imported", question: "" });
    await openLink(await tokenFor(stops), { intent: "stopped", question: "" });
    const after = (days: number) => new Date(Date.now() + days * DAY + 60_000);
    const counts = async () => Promise.all([silent, done, stops].map(async (email) => (await mailsTo(email)).length));
    await remindPartners(after(6));
    expect(await counts()).toEqual([1, 1, 1]);
    await remindPartners(after(7));
    await remindPartners(after(7));
    expect(await counts()).toEqual([2, 1, 1]);
    const reminder = (await mailsTo(silent)).at(-1);
    expect(reminder?.subject).toBe("Please confirm: a partner of yours has a certificate");
    expect(reminder?.text).toContain("You have not answered our earlier message");
    expect(pageText((await open(visitor, id)).html)).toContain("Reminded on");
    await remindPartners(after(14));
    await remindPartners(after(40));
    expect(await counts()).toEqual([3, 1, 1]);
    for (const token of [first, await tokenFor(silent)]) expect((await openLink(token)).status).toBe(200);
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.partners-reminded")).toHaveLength(2);

    const ended = await owned();
    await add(ended.visitor, ended.id, silent);
    await publish(ended.visitor, ended.id);
    await setCertificate(ended.id, { status: "Revoked" });
    await remindPartners(after(7));
    expect(await counts()).toEqual([4, 1, 1]);
    expect(await rowsOf(ended.id)).toMatchObject([{ reminders: 0, remindedAt: null }]);
  });

  test("[REN-01] is published by itself when it renews one whose company has chosen so, and the choice moves on", async () => {
    const { owner, id, visitor } = await owned();
    await setCertificate(id, { expiryDate: new Date(Date.now() + 10 * DAY) });
    const email = newEmail();
    await add(visitor, id, email);
    const follow = async (switchDays: string) =>
      said(visitor, await post(visitor, id, { intent: "follow", switchDays }));
    expect(await follow("0")).toBe("A whole number from 1 to 90, or nothing.");
    expect(await follow("91")).toBe("A whole number from 1 to 90, or nothing.");
    expect(await follow("5")).toBe("Renewals are published by themselves, with the switch planned after 5 days.");
    expect(await publishRenewals(new Date())).toBe(0); // not the certificate of the choice
    const order = { previousCertificateId: id, orderType: "Renewal" } as const;
    const next = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
    expect(await mailsTo(email)).toEqual([]);
    const now = new Date();
    expect([await publishRenewals(now), await publishRenewals(now)]).toEqual([1, 0]);
    const planned = new Date(now.getTime() + 5 * DAY).toISOString().slice(0, 10);
    expect(await findPublication(getDb(), next.id)).toMatchObject({ publishedBy: owner.id, cutOverOn: planned });
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      "A partner of yours has renewed a certificate",
    ]);
    const toOwner = (await mailsTo(owner.email)).at(-1);
    expect(toOwner?.subject).toContain("was published to your partners");
    expect(toOwner?.text).toContain(email);
    expect(valueOf((await open(visitor, next.id)).html, "switchDays")).toBe("5");
    expect(await findPartnerSettings(getDb(), id)).toBeNull();
    expect(await said(visitor, await post(visitor, next.id, { intent: "follow", switchDays: "" }))).toBe(
      "Renewals wait until somebody publishes them.",
    );
    expect(await findPartnerSettings(getDb(), next.id)).toBeNull();
    expect(await auditEventsOf(id)).toContain("certificate.partners-of-renewals");
  });

  test("[REN-01] whose partners have had too many messages today is not published by itself, and its owner is told", async () => {
    const { owner, id, visitor } = await owned();
    await setCertificate(id, { expiryDate: new Date(Date.now() + 10 * DAY) });
    const email = newEmail();
    await add(visitor, id, email);
    await post(visitor, id, { intent: "follow", switchDays: "5" });
    for (let count = 0; count < 5; count += 1) {
      const sender = await owned();
      await add(sender.visitor, sender.id, email);
      await publish(sender.visitor, sender.id);
    }
    const order = { previousCertificateId: id, orderType: "Renewal" } as const;
    const next = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
    expect(await publishRenewals(new Date())).toBe(0);
    expect(await findPublication(getDb(), next.id)).toBeNull();
    const toOwner = (await mailsTo(owner.email)).at(-1);
    expect(toOwner?.subject).toContain("was not published to your partners");
    expect(toOwner?.text).toContain("these partners, have had too many of these messages today");
    expect(await mailsTo(email)).toHaveLength(5);
  });

  test("[REN-01] is published by itself in the name of whoever gets the messages when the chooser has left, never after the end of the previous one", async () => {
    const { owner, id } = await owned();
    await setCertificate(id, { expiryDate: new Date(Date.now() + 10 * DAY) });
    const chooser = await createColleague(owner, "technical");
    const visitor = await signedInAs(chooser);
    const email = newEmail();
    await add(visitor, id, email);
    await post(visitor, id, { intent: "follow", switchDays: "60" });
    const { companyId } = await readCertificate(id);
    await getDb()
      .deleteFrom("memberships")
      .where("userId", "=", chooser.id)
      .where("companyId", "=", companyId)
      .execute();
    const order = { previousCertificateId: id, orderType: "Renewal" } as const;
    const next = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
    const end = (await readCertificate(id)).expiryDate?.slice(0, 10);
    await publishRenewals(new Date());
    expect(await findPublication(getDb(), next.id)).toMatchObject({ publishedBy: owner.id, cutOverOn: end });
    expect((await mailsTo(email)).at(-1)?.text).toContain(owner.email.split("@")[0]);
  });

  test("has the partners of another certificate of the company, and an archive for those whom the company tells itself", async () => {
    const { owner, id, visitor } = await owned();
    const [kept, wrong] = [newEmail(), newEmail()];
    await add(visitor, id, `${kept},Kept\n${wrong}`);
    await publish(visitor, id);
    await openLink(await tokenFor(wrong), { intent: "not-ours", question: "" });
    const other = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const { html } = await open(visitor, other.id);
    expect(textsOf(html, '[name="from"] option').at(-1)).toMatch(new RegExp(`\\(${id}\\), 2 partners$`));
    const copy = async (from: number) =>
      said(visitor, await post(visitor, other.id, { intent: "copy", from: String(from) }));
    expect(await copy(id)).toBe("Partners that were added: 1.");
    expect(await copy(id)).toBe("Partners that were added: 0. The certificate had 1 of them already.");
    expect((await rowsOf(other.id)).map(({ email, name, sentAt }) => [email, name, sentAt])).toEqual([
      [kept, "Kept", null],
    ]);
    const stranger = await owned();
    await add(stranger.visitor, stranger.id, newEmail());
    expect(await copy(stranger.id)).toBe("This certificate has no partners that can be taken over.");

    const kit = await run(kitFile.loader, visitor.get(certificatePaths.partnerKit(other.id)), paramsOf(other.id));
    const names = Object.keys(unzipSync(new Uint8Array(await kit.arrayBuffer())));
    expect(names.map((name) => name.replace(/.*\./, "")).sort()).toEqual(["cer", "p7b", "pdf", "pem"]);
    expect((await auditEventsOf(other.id)).at(-1)).toBe("certificate.downloaded");
  });

  test("[API-03] is named, published and followed by calls", async () => {
    const { owner, id } = await owned();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const email = newEmail();
    const added = await client.post("Certificates/AddPartners", {
      certificateId: id,
      partners: [`${email},Anna`, "x@y.example"],
    });
    expect(added).toMatchObject({ status: 200, content: { expected: 2, isSafeToSwitch: false, cutOverOn: null } });
    const [, second] = (added.content as { partners: { id: number }[] }).partners;
    await client.post("Certificates/RemovePartner", { certificateId: id, partnerId: second?.id });
    const wrong = await client.post("Certificates/AddPartners", { certificateId: id, partners: ["no/body"] });
    expect(wrong.errors?.partners).toContain("Line 1");
    await client.post("Certificates/PublishToPartners", { certificateId: id, cutOverOn: "" });
    const hook = await hookTo(owner, receiver.url(), { events: ["certificate.partners-ready"] });
    await openLink(await tokenFor(email), { intent: "imported", question: "" });
    await announceEvents(new Date());
    expect((await deliveriesTo(hook.id)).map(({ event }) => event)).toEqual(["certificate.partners-ready"]);
    const state = await client.get(`Certificates/GetPartners?certificateId=${id}`);
    expect(state.content).toMatchObject({
      confirmed: 1,
      expected: 1,
      isSafeToSwitch: true,
      partners: [{ name: "Anna", email, code: null, state: "Imported" }],
    });
    const follow = await client.post("Certificates/SetPartnersOfRenewals", { certificateId: id, switchDays: 14 });
    expect(follow.content).toMatchObject({ switchDays: 14 });
    const far = await client.post("Certificates/SetPartnersOfRenewals", { certificateId: id, switchDays: 400 });
    expect(Object.keys(far.errors ?? {})).toEqual(["switchDays"]);
    const { id: other } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const copied = await client.post("Certificates/CopyPartners", { certificateId: other, from: id });
    expect(copied.content).toMatchObject({ switchDays: null, partners: [{ email, state: "Not sent", reminders: 0 }] });
    const stranger = await apiClientOf((await createUser()).email, TEST_PASSWORD);
    expect((await stranger.get(`Certificates/GetPartners?certificateId=${id}`)).status).toBe(404);
  });
});
