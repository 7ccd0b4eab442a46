import { describe, expect, test } from "vitest";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { sendExpiryReminders } from "~/domain/certificates/catalogue/reminder.service.server";
import { storeRevoked } from "~/domain/certificates/revocation/storage.server";
import { oftpIdentifier } from "~/domain/codes/code-types";
import { certificatePaths } from "~/lib/certificate-paths";
import { addDays } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as stopPage from "~/routes/_public.stop-following.$token";
import * as certificatePage from "~/routes/home.certificate-details.$id/route";
import * as codePage from "~/routes/home.codes_.code-details/route";
import * as entityPage from "~/routes/home.entity-certificates.$id";
import * as entityFile from "~/routes/home.entity-certificates.$id_.file";
import * as followedPage from "~/routes/home.entity-certificates._index";
import * as searchPage from "~/routes/home.search-codes/route";
import { getDb } from "~db/connection.server";
import { deleteEndedPublications } from "~db/repositories/entity-certificates.server";
import { inTransaction } from "~db/transaction.server";
import { apiClientOf } from "../support/api";
import {
  auditEventsOf,
  issueCertificate,
  readCertificate,
  setCertificate,
  storeRevocation,
} from "../support/certificates";
import { ENTITY, pageOf } from "../support/code-details";
import { createCode } from "../support/codes";
import { createColleague, personOf } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const paramsOf = (id: number) => ({ id: String(id) });
const open = (who: Visitor, id: number, fields?: Record<string, string>) =>
  openPage(entityPage, who, certificatePaths.entity(id), { params: paramsOf(id), ...(fields && { fields }) });
const post = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(entityPage.action, await who.post(certificatePaths.entity(id), fields), paramsOf(id));
const publish = (who: Visitor, id: number, ...certificates: number[]) =>
  post(who, id, { intent: "publish", others: certificates.join(", ") });
const end = (who: Visitor, id: number, certificate: number) =>
  post(who, id, { intent: "end", certificateId: String(certificate) });
const search = (who: Visitor, code: string) => openPage(searchPage, who, `${paths.searchCodes}?code=${code}`);

/** Returns what a POST says on the next page, or at the field of the form. */
async function said(who: Visitor, answer: Response): Promise<string | undefined> {
  if (answer.status !== 303) return Object.values((await errorsOf(answer)).errors)[0];
  who.follow(answer);
  return toastOf(who);
}

/** Returns an owner with an entity, and a certificate that carries its OFTP ID. */
async function owned(given: Parameters<typeof createCode>[1] = {}) {
  const owner = await createUser({ company: "Sender Ltd" });
  const code = await createCode(owner, { entityName: "Plant North", ...given });
  const ssid = oftpIdentifier(code);
  const certificate = await issueCertificate({ customer: owner, csr: makeCsr().der, order: { ssid } });
  return { owner, code, certificate, visitor: await signedInAs(owner) };
}

/** Returns a member of another company that has a code, who may search. */
async function newSearcher() {
  const user = await createUser({ company: "Receiver Ltd" });
  await createCode(user);
  return { user, visitor: await signedInAs(user) };
}

describe("[SRC-02] [COD-03] certificates of an entity in the register", () => {
  test("are published by the company, found by those who may search, downloaded, and ended", async () => {
    const { code, certificate, visitor } = await owned();
    const { visitor: searcher } = await newSearcher();
    expect(textsOf((await search(searcher, code.code)).html, "tbody td a")).toEqual([]);
    const form = await open(visitor, code.id);
    expect(select(form.html, 'input[name="certificateIds"]').attr("value")).toBe(String(certificate.id));
    expect(select(form.html, 'input[name="certificateIds"]').attr("checked")).toBeDefined();
    const sent = await post(visitor, code.id, { intent: "publish", certificateIds: String(certificate.id) });
    expect(await said(visitor, sent)).toBe("Certificates that were published: 1.");
    const [link] = textsOf((await search(searcher, code.code)).html, "tbody td a");
    expect(link).toMatch(new RegExp(`^Certificate ${certificate.commonName}, valid until `));
    const { html } = await open(searcher, code.id);
    expect(pageText(html)).toContain("Plant North");
    expect(pageText(html).replaceAll(/[\s:]/g, "")).toContain(certificate.thumbprintSha256);
    expect(textsOf(html, ".card .tag")).toContain("Current");
    expect(textsOf(html, "main button")).toEqual(["Tell me when it changes"]);
    for (const { form: name, first } of [
      { form: "PEM", first: "-----BEGIN CERTIFICATE-----" },
      { form: "DER", first: "0" },
      { form: "PKCS#7", first: "0" },
    ]) {
      const request = searcher.get(certificatePaths.entityFile(code.id, certificate.id, name));
      const file = await run(entityFile.loader, request, paramsOf(code.id));
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.toString("latin1").startsWith(first)).toBe(true);
      if (name === "DER")
        expect(parseCertificate(bytes).serialNumber).toBe(parseCertificate(certificate.der).serialNumber);
    }
    expect((await auditEventsOf(certificate.id)).at(-1)).toBe("code.certificate-published");
    expect(await said(visitor, await end(visitor, code.id, certificate.id))).toContain(
      "is not published at this entity any more",
    );
    expect((await auditEventsOf(certificate.id)).at(-1)).toBe("code.certificate-ended");
    expect(await said(visitor, await end(visitor, code.id, certificate.id))).toBe(
      "The certificate is not published at this entity any more.",
    );
    expect(textsOf((await search(searcher, code.code)).html, "tbody td a")).toEqual([]);
    const gone = searcher.get(certificatePaths.entityFile(code.id, certificate.id, "PEM"));
    expect((await run(entityFile.loader, gone, paramsOf(code.id))).status).toBe(404);
  });

  test("are shown only while they can be used and the code is registered", async () => {
    const { code, certificate, visitor } = await owned();
    const { visitor: searcher } = await newSearcher();
    await publish(visitor, code.id, certificate.id);
    const isShown = async () => textsOf((await open(searcher, code.id)).html, ".card .tag").includes("Current");
    const isFile = async () => {
      const request = searcher.get(certificatePaths.entityFile(code.id, certificate.id, "DER"));
      return (await run(entityFile.loader, request, paramsOf(code.id))).status === 200;
    };
    expect([await isShown(), await isFile()]).toEqual([true, true]);
    const changes = [
      { status: "RequestRevoke" as const },
      { status: "Expired" as const },
      { expiryDate: addDays(new Date(), -1) },
    ];
    for (const change of changes) {
      await setCertificate(certificate.id, change);
      expect([await isShown(), await isFile()]).toEqual([false, false]);
      await setCertificate(certificate.id, { status: "Issued", expiryDate: certificate.expiryDate });
    }
    await getDb().updateTable("codes").set({ status: "Cancelled" }).where("id", "=", code.id).execute();
    expect([await isShown(), await isFile()]).toEqual([false, false]);
    expect(pageText((await open(searcher, code.id)).html)).toContain("The code is Cancelled");
    await getDb().updateTable("codes").set({ status: "Registered" }).where("id", "=", code.id).execute();
    expect(await isShown()).toBe(true);
    await storeRevocation(certificate);
    expect([await isShown(), await isFile()]).toEqual([false, false]);
  });

  test("a renewal takes the place of a published certificate by itself, and the old one is listed as previous", async () => {
    const { owner, code, certificate, visitor } = await owned();
    await publish(visitor, code.id, certificate.id);
    const order = { orderType: "Renewal" as const, previousCertificateId: certificate.id, ssid: oftpIdentifier(code) };
    const renewed = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
    expect(textsOf((await open(visitor, code.id)).html, ".card .tag").filter((text) => text !== "Registered")).toEqual([
      "Current",
      "Previous, still valid",
    ]);
    expect(await auditEventsOf(renewed.id)).toContain("code.certificate-followed");
    await storeRevocation(certificate);
    expect(textsOf((await open(visitor, code.id)).html, ".card .tag").filter((text) => text !== "Registered")).toEqual([
      "Current",
    ]);
    expect(await deleteEndedPublications(getDb(), addDays(new Date(), 4000))).toBeGreaterThan(0);
  });

  test("others, ended ones and readers cannot publish, and nothing is published when one is wrong", async () => {
    const { owner, code, certificate, visitor } = await owned();
    const foreign = await issueCertificate({ csr: makeCsr().der });
    const { visitor: searcher } = await newSearcher();
    expect((await publish(searcher, code.id, certificate.id)).status).toBe(404);
    const reader = await signedInAs(await createColleague(await personOf(owner), "technical"));
    expect(await said(reader, await publish(reader, code.id, certificate.id))).toContain(
      "You need the role Owner or Purchaser",
    );
    expect(select((await open(reader, code.id)).html, "form[method=post] input[name=others]").length).toBe(0);
    expect(await said(visitor, await publish(visitor, code.id, certificate.id, foreign.id))).toBe(
      `Your company has no certificate ${foreign.id}.`,
    );
    expect(await said(visitor, await publish(visitor, code.id))).toBe("Select a certificate first.");
    expect(await said(visitor, await post(visitor, code.id, { intent: "publish", others: "abc" }))).toContain(
      "Type the numbers",
    );
    await setCertificate(certificate.id, { status: "Expired" });
    expect(await said(visitor, await publish(visitor, code.id, certificate.id))).toContain("has expired");
    expect(await getDb().selectFrom("entityCertificates").selectAll().where("codeId", "=", code.id).execute()).toEqual(
      [],
    );
    await setCertificate(certificate.id, { status: "Issued" });
    await getDb().updateTable("codes").set({ status: "Expired" }).where("id", "=", code.id).execute();
    expect(await said(visitor, await publish(visitor, code.id, certificate.id))).toContain("The code is Expired");
    const without = await signedInAs(await createUser());
    expect(
      (await run(entityPage.loader, without.get(certificatePaths.entity(code.id)), paramsOf(code.id))).status,
    ).toBe(303);
  });

  test("[CER-06] the page of the code names the certificates with its OFTP ID, and that of the certificate the entity", async () => {
    const { owner, code, certificate, visitor } = await owned();
    await issueCertificate({ customer: owner, csr: makeCsr().der });
    const url = paths.codeDetails({ code: code.id });
    const { html } = await openPage(codePage, visitor, url);
    expect(textsOf(html, ".card ul a")).toEqual([certificate.commonName]);
    const own = await openPage(certificatePage, visitor, paths.certificateDetails(certificate.id), {
      params: paramsOf(certificate.id),
    });
    expect(pageText(own.html)).toContain(`${code.code}00, Plant North`);
    await setCertificate(certificate.id, { ssid: oftpIdentifier(code).toLowerCase() });
    expect(textsOf((await openPage(codePage, visitor, url)).html, ".card ul a")).toEqual([certificate.commonName]);
    await getDb().updateTable("codes").set({ status: "Cancelled" }).where("id", "=", code.id).execute();
    expect(pageText((await openPage(codePage, visitor, url)).html)).toContain(
      "The code is Cancelled, but these certificates still carry the OFTP ID",
    );
    const staff = await signedInAs(await createAdmin());
    expect(textsOf((await open(staff, code.id)).html, ".card ul a")).toEqual([certificate.commonName]);
  });

  test("[API-01] by calls, for the company and for those who search", async () => {
    const { owner, code, certificate } = await owned({ codeType: "OFTP" });
    const company = await apiClientOf(owner.username, TEST_PASSWORD);
    const { user } = await newSearcher();
    const other = await apiClientOf(user.username, TEST_PASSWORD);
    type Entity = {
      oftpId: string;
      certificates: { certificateId: number; state: string }[];
      certificatesWithOftpId: number[];
    };
    const body = { codeId: code.id, certificateIds: [certificate.id] };
    const answer = await company.post<Entity>("codes/PublishEntityCertificates", body);
    expect(answer.content).toMatchObject({ oftpId: oftpIdentifier(code), certificatesWithOftpId: [certificate.id] });
    const seen = await other.get<Entity>("codes/GetEntityCertificates", { codeId: String(code.id) });
    expect(seen.content.certificates).toMatchObject([{ certificateId: certificate.id, state: "Current" }]);
    expect(seen.content.certificatesWithOftpId).toEqual([]);
    expect((await other.post("codes/PublishEntityCertificates", body)).status).toBe(404);
    const last = { codeId: code.id, certificateId: certificate.id };
    expect((await company.post<Entity>("codes/EndEntityCertificate", last)).content.certificates).toEqual([]);
  });
});

describe("[SRC-02] who follows an entity", () => {
  const titlesTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
  const follow = (who: Visitor, id: number, intent = "follow") => post(who, id, { intent });
  const FOLLOWED = "Certificates of an entity that you follow have changed";

  test("is told of each change once: published, renewed, ended, revoked, and the end of the code", async () => {
    const { owner, code, certificate, visitor } = await owned();
    const { user, visitor: searcher } = await newSearcher();
    await follow(searcher, code.id);
    await follow(searcher, code.id);
    const told = async () => (await mailsTo(user.email)).filter(({ subject }) => subject === FOLLOWED);
    await publish(visitor, code.id, certificate.id);
    await publish(visitor, code.id, certificate.id);
    expect(await told()).toHaveLength(1);
    expect(await textOf((await told())[0])).toContain("has published a certificate in the register");
    const order = { orderType: "Renewal" as const, previousCertificateId: certificate.id, ssid: oftpIdentifier(code) };
    const renewed = await issueCertificate({ customer: owner, csr: makeCsr().der, order });
    expect(await textOf((await told())[1])).toContain("publishes a new certificate in the place of the one");
    await end(visitor, code.id, certificate.id);
    expect(await textOf((await told())[2])).toContain("does not publish this certificate in the register any more");
    const now = new Date();
    const revocation = {
      revocationDate: now,
      invalidityDate: null,
      revocationReason: 4,
      revocationDescription: null,
      revokedBy: null,
    };
    await inTransaction((trx) => storeRevoked(trx, renewed, revocation, systemActor("tests"), now));
    expect(await textOf((await told())[3])).toContain("was revoked");
    expect(await told()).toHaveLength(4);
    await follow(searcher, code.id, "unfollow");
    await publish(visitor, code.id, certificate.id);
    expect(await told()).toHaveLength(4);
  });

  test("sees what is followed in a list, and ends it there", async () => {
    const { code } = await owned();
    const { visitor } = await newSearcher();
    await follow(visitor, code.id);
    const { html } = await openPage(followedPage, visitor, certificatePaths.followed);
    expect(textsOf(html, "tbody th a, tbody td a")).toEqual([`${code.code}00`]);
    const sent = await visitor.post(certificatePaths.followed, { codeId: String(code.id) });
    expect(await said(visitor, await run(followedPage.action, sent))).toBe(
      "You get no more messages about this entity.",
    );
    expect(pageText((await openPage(followedPage, visitor, certificatePaths.followed)).html)).toContain(
      "You follow no entity",
    );
  });

  test("stops the messages without a login by the link in each, by the button of a mail program, too, and a wrong link does nothing", async () => {
    const { code, certificate, visitor } = await owned();
    const { user, visitor: searcher } = await newSearcher();
    const nobody = await anonymous();
    const lastLink = async () => {
      const mail = (await mailsTo(user.email)).at(-1);
      const token = /\/stop-following\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
      expect(mail?.stopUrl).toBe(TEST_ORIGIN + serverPaths.stopFollowing(token));
      return token;
    };
    const open = (token: string) => openPage(stopPage, nobody, serverPaths.stopFollowing(token), { params: { token } });
    await follow(searcher, code.id);
    await publish(visitor, code.id, certificate.id);
    const token = await lastLink();
    expect(pageText((await open(token)).html)).toContain(
      `${code.code}00, ${code.entityName} change, because you asked`,
    );
    for (const wrong of ["none", `${token.replace(/^\d+/, "999")}`, token.slice(0, -1), `${token}x`])
      expect((await open(wrong)).status).toBe(404);
    const sent = await nobody.post(serverPaths.stopFollowing(token), {});
    expect((await run(stopPage.action, sent, { token })).status).toBe(200);
    expect(pageText((await open(token)).html)).toContain("These messages are stopped");
    await end(visitor, code.id, certificate.id);
    expect((await titlesTo(user.email)).filter((title) => title === FOLLOWED)).toHaveLength(1);

    await follow(searcher, code.id);
    await publish(visitor, code.id, certificate.id);
    const again = await lastLink();
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const click = new Request(TEST_ORIGIN + serverPaths.stopFollowing(again), { method: "POST", body });
    expect((await run(stopPage.action, click, { token: again })).status).toBe(200);
    expect(pageText((await openPage(followedPage, searcher, certificatePaths.followed)).html)).toContain(
      "You follow no entity",
    );
  });

  test("is told nothing without the right to search: no member any more, or no code", async () => {
    const { code, certificate, visitor } = await owned();
    const { user, visitor: searcher } = await newSearcher();
    await follow(searcher, code.id);
    await getDb()
      .updateTable("codes")
      .set({ companyId: code.companyId })
      .where("companyId", "=", user.companyId)
      .execute();
    await publish(visitor, code.id, certificate.id);
    expect(await titlesTo(user.email)).not.toContain(FOLLOWED);
    const staff = await createAdmin();
    await follow(await signedInAs(staff), code.id);
    await end(visitor, code.id, certificate.id);
    expect(await titlesTo(staff.email)).toContain(FOLLOWED);
  });
});

describe("[COD-06] [MAI-01] a code that ends and its certificates", () => {
  test("the owner is told which certificates carry the OFTP ID, nothing is revoked, and a reminder names the code", async () => {
    const { owner, code, certificate, visitor } = await owned();
    const soon = addDays(new Date(), 20);
    await setCertificate(certificate.id, { expiryDate: soon });
    const url = paths.codeDetails({ code: code.id });
    const before = await pageOf(visitor, url);
    const fields = { ...ENTITY, status: "Cancelled", confirmed: "yes", version: before.values.version ?? "" };
    expect((await run(codePage.action, await visitor.post(url, fields))).status).toBe(303);
    const mails = await mailsTo(owner.email);
    const mail = mails.find(({ subject }) => subject === "An ID code of yours is cancelled, and certificates carry it");
    expect(await textOf(mail)).toContain(`Certificate ${certificate.id}`);
    expect((await readCertificate(certificate.id)).status).toBe("Issued");
    await sendExpiryReminders(new Date());
    const reminder = (await mailsTo(owner.email)).find(({ dedupeKey }) =>
      dedupeKey.startsWith(`expiry-reminder:${certificate.id}`),
    );
    expect((await textOf(reminder)).replaceAll(/\s+/g, " ")).toContain(
      "which is Cancelled. Renew the certificate only if",
    );
  });
});
