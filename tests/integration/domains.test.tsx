import { describe, expect, test } from "vitest";
import { readPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { CHALLENGE_DAYS, WAITING_LIMIT } from "~/domain/companies/domains/challenge";
import { addDomain, getDomainFor, listDomainsFor } from "~/domain/companies/domains/domains.service.server";
import { filePathOf } from "~/domain/companies/domains/proofs.server";
import { addDays } from "~/lib/dates";
import * as staffPage from "~/routes/home.companies.$id/route";
import * as endPage from "~/routes/home.companies.$id_.domains.$domainId";
import * as domainPage from "~/routes/home.company_.domains.$id";
import * as domainsPage from "~/routes/home.company_.domains._index";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { createColleague, personOf } from "../support/companies";
import { add, added, entriesOf, linkTo, LIST, open, openLink, press, pressed, rowOf } from "../support/domain-pages";
import { addTo, confirmByDns, useDomainServers } from "../support/domains";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, summaryOf, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const servers = useDomainServers();

describe("[PUR-03] a domain of a company", () => {
  test("is added, and confirmed over DNS, by pages that need no scripts", async () => {
    const owner = await createUser({ company: "Acme GmbH" });
    const visitor = await signedInAs(owner);
    const answer = await add(visitor, " ACME.Example.COM ");
    const id = Number(/\d+$/.exec(answer.headers.get("Location") ?? "")?.[0]);
    visitor.follow(answer);
    expect(await toastOf(visitor)).toBe("acme.example.com was added. It counts when it is confirmed.");
    const { token } = await rowOf(id);
    const { html } = await open(visitor, id);
    expect(textsOf(html, ".pem")).toEqual([
      "_marque-challenge.acme.example.com",
      token,
      `http://acme.example.com:${servers.port}${filePathOf(token)}`,
      token,
    ]);
    expect(pageText(html)).toContain(
      "If your DNS provider adds example.com to each name, type _marque-challenge.acme only.",
    );
    expect(await pressed(visitor, id, { intent: "check-dns" })).toBe(
      "There is no TXT record at _marque-challenge.acme.example.com.",
    );
    const refused = await openPage(domainPage, visitor, `${LIST}/${id}`, {
      params: { id: String(id) },
      fields: { intent: "check-dns" },
    });
    expect(textsOf(refused.html, "[role=alert] li")).toEqual([
      "There is no TXT record at _marque-challenge.acme.example.com.",
    ]);
    servers.publish("_marque-challenge.acme.example.com", { txt: [token] });
    expect(await pressed(visitor, id, { intent: "check-dns" })).toMatch(
      /^acme\.example\.com is confirmed until \d\d\/\d\d\/\d{4}\.$/,
    );
    const list = await openPage(domainsPage, visitor, LIST);
    expect(textsOf(list.html, "tbody tr:first-child :is(th, td)").slice(0, 3)).toEqual([
      "acme.example.com",
      "Confirmed",
      "DNS record",
    ]);
    expect(await entriesOf(owner.companyId)).toEqual([
      "Added acme.example.com to the domains and mailboxes of Acme GmbH.",
      expect.stringMatching(/^Confirmed acme\.example\.com for Acme GmbH until .*: DNS record\.$/),
    ]);
  });

  test("is confirmed by a file on the web server", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const { id, token } = await addTo(owner, "web.example.com");
    servers.publish("web.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    const text = async () =>
      pageText((await openPage(domainPage, visitor, `${LIST}/${id}`, { params: { id: String(id) } })).html);
    expect(await text()).toContain(": a domain, with everything below it.");
    expect(await pressed(visitor, id, { intent: "check-http" })).toMatch(/^web\.example\.com is confirmed until/);
    expect(await rowOf(id)).toMatchObject({ method: "http", confirmedToken: token });
    expect(await text()).toContain(": a host, without anything below it.");
  });

  test("is named in ASCII, in whichever form it is typed", async () => {
    const visitor = await signedInAs(await createUser());
    expect(await added(visitor, "Bücher.example.com")).toMatch(/domains\/\d+$/);
    expect(await added(visitor, "xn--bcher-kva.example.com")).toBe(
      "Your company has added xn--bcher-kva.example.com already.",
    );
    const { html } = await openPage(domainsPage, visitor, LIST);
    expect(textsOf(html, "tbody th")).toEqual(["xn--bcher-kva.example.combücher.example.com"]);
    // The first letter of the second name is Cyrillic.
    expect(await added(visitor, "\u0430pple.example.com")).toMatch(/mixes letters of different scripts/);
  });

  test.each([
    ["", "This field is required."],
    ["com", "'com' has one part only. A domain has at least two, such as example.com."],
    ["co.uk", /^'co\.uk' covers a whole public suffix/],
    ["github.io", /^'github\.io' covers a whole public suffix/],
    ["localhost.localdomain", /is an internal name/],
    ["10.0.0.1", /^'10\.0\.0\.1' /],
    ["8.8.8.8", "'8.8.8.8' is an IP address. Type the name of a domain or host."],
    ["2001:db8::1", /is an IP address/],
    ["*.example.com", "Type example.com without the wildcard: a domain covers everything below it."],
    ["*.co.uk", /^'co\.uk' covers a whole public suffix/],
    ["https://example.com/", "Type the domain alone, such as example.com, without http://, a port or a path."],
    ["example.com.", /^'example\.com\.' /],
    ["exa mple.com", /^'exa mple\.com' is not a valid DNS name: it has a character other than/],
    ["-a.example.com", /^'-a\.example\.com' /],
    ["gmail.com", /^'gmail\.com' belongs to a mail provider\./],
    ["two@at@example.com", "'two@at@example.com' is not a valid mailbox."],
    ["@example.com", "'@example.com' is not a valid mailbox."],
    [`${"a".repeat(64)}.example.com`, /63/],
    ["x".repeat(321), "Entered value is not valid."],
  ])("'%s' is refused at its field, which keeps what was typed", async (typed, message) => {
    const answer = await errorsOf(await add(await signedInAs(await createUser()), typed));
    expect(answer.errors.domain).toMatch(message);
    expect(answer.values.domain).toBe(typed);
  });

  test("below a private suffix can be confirmed, although the suffix itself cannot", async () => {
    const visitor = await signedInAs(await createUser());
    expect(await added(visitor, "acme.github.io")).toMatch(/domains\/\d+$/);
  });

  test("covers what is below it, which needs no confirmation of its own", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    await confirmByDns(owner, "wide.example.com", servers);
    expect(await added(visitor, "edi.wide.example.com")).toBe(
      "edi.wide.example.com needs no confirmation: wide.example.com is confirmed.",
    );
    expect(await added(visitor, "it@edi.wide.example.com")).toBe(
      "it@edi.wide.example.com needs no confirmation: wide.example.com is confirmed.",
    );
    expect(await added(visitor, "notwide.example.com")).toMatch(/domains\/\d+$/);
  });

  test("waits with others only up to a limit", async () => {
    const owner = await createUser();
    for (let count = 0; count < WAITING_LIMIT; count += 1) await addTo(owner, `waits${count}.example.com`);
    expect(await added(await signedInAs(owner), "toomany.example.com")).toBe(
      `At most ${WAITING_LIMIT} domains and mailboxes can wait for their confirmation. Remove one first.`,
    );
  });

  test("needs values that are new enough, and new ones for another year", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const long = addDays(new Date(), -CHALLENGE_DAYS - 1);
    const id = await addDomain(await personOf(owner), "late.example.com", long);
    const { token } = await rowOf(id);
    servers.publish("_marque-challenge.late.example.com", { txt: [token] });
    expect(await pressed(visitor, id, { intent: "check-dns" })).toBe(
      "The values are older than 30 days. Ask for new ones, and use those.",
    );
    expect(textsOf((await open(visitor, id)).html, "h2")).toContain("Confirm it");
    expect(await pressed(visitor, id, { intent: "renew" })).toBe(
      "There are new values. The former ones cannot be used any more.",
    );
    expect(await pressed(visitor, id, { intent: "check-dns" })).toContain("does not have the expected value");
    servers.publish("_marque-challenge.late.example.com", { txt: [(await rowOf(id)).token] });
    expect(await pressed(visitor, id, { intent: "check-dns" })).toContain("is confirmed until");
    expect(await pressed(visitor, id, { intent: "check-dns" })).toBe(
      "These values have confirmed the domain already. Ask for new ones, and use those.",
    );
    expect(textsOf((await open(visitor, id)).html, "h2")).toContain("Confirm it for another year");
  });

  test("that changes hands is confirmed for the new company only, and both are told", async () => {
    const [former, later] = [await createUser({ company: "Former Ltd" }), await createUser({ company: "Later Ltd" })];
    const formerId = await confirmByDns(former, "sold.example.com", servers);
    const laterId = await confirmByDns(later, "sold.example.com", servers);
    expect(await rowOf(formerId)).toMatchObject({
      endedWhy: "Another company has confirmed it since, so it has changed hands.",
    });
    expect((await getDomainFor(await personOf(later), laterId)).state).toBe("Confirmed");
    expect((await mailsTo(former.email)).map(({ subject }) => subject)).toEqual([
      "The confirmation of sold.example.com has ended",
    ]);
    expect((await mailsTo(later.email)).map(({ subject }) => subject)).toEqual([
      "You have confirmed sold.example.com, which another company had confirmed before",
    ]);
    expect((await mailsTo(former.email))[0]?.text).not.toContain("Later Ltd");
    const list = await openPage(domainsPage, await signedInAs(former), LIST);
    expect(textsOf(list.html, "tbody tr :is(th, td)").filter((text) => /sold|changed hands/.test(text))).toEqual([
      "sold.example.com",
      "Another company has confirmed it since, so it has changed hands.",
    ]);
    expect((await entriesOf(former.companyId)).at(-1)).toBe(
      "The confirmation of sold.example.com for Former Ltd has ended. Another company has confirmed it since, so it has changed hands.",
    );
  });

  test("that changes hands ends what others have confirmed by mail below it, and no data of the new owner name them", async () => {
    const [former, later] = [await createUser({ company: "Below Ltd" }), await createUser()];
    const visitor = await signedInAs(former);
    const ids: number[] = [];
    for (const name of ["www.bought.example.com", "it@bought.example.com", "it@notbought.example.com"]) {
      const id = await addDomain(await personOf(former), name);
      const address = name.includes("@") ? name : `admin@${name}`;
      await press(visitor, id, { intent: "mail", address });
      await openLink(await linkTo(address), {});
      ids.push(id);
    }
    await confirmByDns(later, "bought.example.com", servers);
    const ended = await Promise.all(ids.map(async (id) => (await rowOf(id)).endedWhy));
    const why = "Another company has confirmed the domain above it since, so it may have changed hands.";
    expect(ended).toEqual([why, why, null]);
    const person = await personOf(later);
    const data = JSON.stringify(await readPersonalData(person, person.id));
    expect(data).toContain("bought.example.com");
    expect(data).not.toContain("Below Ltd");
  });

  test("that a company has confirmed as a whole is not lost to another company that has a file on the host", async () => {
    const [owner, host] = [await createUser(), await createUser({ company: "Host Ltd" })];
    const ownerId = await confirmByDns(owner, "whole.example.com", servers);
    const { id, token } = await addTo(host, "whole.example.com");
    const visitor = await signedInAs(host);
    servers.publish("whole.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    expect(await pressed(visitor, id, { intent: "check-http" })).toBe(
      "Another company has confirmed the whole domain, and a file shows only the host. Confirm it by a DNS record or by email.",
    );
    expect(await rowOf(ownerId)).toMatchObject({ endedAt: null });
    await getDb()
      .updateTable("companyDomains")
      .set({ validUntil: addDays(new Date(), -1).toISOString() })
      .where("id", "=", ownerId)
      .execute();
    expect(await pressed(visitor, id, { intent: "check-http" })).toMatch(/^whole\.example\.com is confirmed until/);
  });

  test("keeps what must stay in place on its page, and is confirmed again by a file only after a question", async () => {
    const owner = await createUser({ company: "Narrow Ltd" });
    const visitor = await signedInAs(owner);
    const id = await confirmByDns(owner, "narrow.example.com", servers);
    const { token: first } = await rowOf(id);
    expect(await pressed(visitor, id, { intent: "renew" })).toBe(
      "There are new values. Leave the former ones there until the new ones have confirmed the domain.",
    );
    const { html } = await open(visitor, id);
    const record = "_marque-challenge.narrow.example.com";
    expect(textsOf(html, "h3, h2")).toContain("The DNS record that confirms it");
    expect(textsOf(html, ".pem").slice(0, 2)).toEqual([record, first]);
    const { token } = await rowOf(id);
    servers.publish("narrow.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    const asked = await openPage(domainPage, visitor, `${LIST}/${id}`, {
      params: { id: String(id) },
      fields: { intent: "check-http" },
    });
    expect(pageText(asked.html)).toContain("Are you sure you wish to confirm narrow.example.com by a file?");
    expect(await rowOf(id)).toMatchObject({ method: "dns" });
    expect(await pressed(visitor, id, { intent: "check-http", confirmed: "yes" })).toMatch(/is confirmed until/);
    expect(await rowOf(id)).toMatchObject({ method: "http", endedAt: null });
    expect(textsOf((await open(visitor, id)).html, ".pem").at(1)).toBe(token);
  });

  test("that waits below one that was confirmed meanwhile says that it needs no confirmation", async () => {
    const owner = await createUser();
    const { id } = await addTo(owner, "edi.above.example.com");
    await confirmByDns(owner, "above.example.com", servers);
    const text = "edi.above.example.com needs no confirmation: above.example.com is confirmed.";
    const visitor = await signedInAs(owner);
    expect(pageText((await openPage(domainsPage, visitor, LIST)).html)).toContain(text);
    expect(pageText((await open(visitor, id)).html)).toContain(text);
  });

  test("is confirmed for one company when two confirm it at once", async () => {
    const owners = [await createUser(), await createUser()];
    const rows = await Promise.all(owners.map((owner) => addTo(owner, "both.example.com")));
    servers.publish("_marque-challenge.both.example.com", { txt: rows.map(({ token }) => token) });
    const visitors = await Promise.all(owners.map((owner) => signedInAs(owner)));
    await Promise.all(rows.map(({ id }, index) => press(visitors[index] as Visitor, id, { intent: "check-dns" })));
    const open = await Promise.all(rows.map(({ id }) => rowOf(id)));
    expect(open.filter(({ confirmedAt, endedAt }) => confirmedAt !== null && endedAt === null)).toHaveLength(1);
  });

  test("is removed after a question, and with it its confirmation", async () => {
    const owner = await createUser({ company: "Removing Ltd" });
    const visitor = await signedInAs(owner);
    const id = await confirmByDns(owner, "gone.example.com", servers);
    const question = await openPage(domainPage, visitor, `${LIST}/${id}`, {
      params: { id: String(id) },
      fields: { intent: "remove" },
    });
    expect(pageText(question.html)).toContain("Are you sure you wish to remove gone.example.com from Removing Ltd?");
    expect(await pressed(visitor, id, { intent: "remove", confirmed: "yes" })).toBe("It was removed.");
    expect(await rowOf(id)).toMatchObject({ endedWhy: "The company has removed it." });
    expect(await mailsTo(owner.email)).toEqual([]);
    const { id: waiting } = await addTo(owner, "never.example.com");
    await press(visitor, waiting, { intent: "remove", confirmed: "yes" });
    await expect(rowOf(waiting)).rejects.toThrow();
    expect((await press(visitor, id, { intent: "check-dns" })).status).toBe(404);
  });

  test("is seen by all members, and managed by owners only", async () => {
    const owner = await createUser();
    const { id } = await addTo(owner, "ours.example.com");
    const reader = await signedInAs(await createColleague(owner, "purchaser"));
    const { html } = await openPage(domainsPage, reader, LIST);
    expect(textsOf(html, "tbody th")).toEqual(["ours.example.com"]);
    expect(pageText(html)).toContain("Members with the role Owner add and confirm them.");
    for (const refused of [await add(reader, "mine.example.com"), await press(reader, id, { intent: "check-dns" })])
      expect(refused.headers.get("Location")).toBe("/home/dashboard");
    expect(await listDomainsFor(await personOf(owner))).toHaveLength(1);
    const stranger = await signedInAs(await createUser());
    expect((await press(stranger, id, { intent: "check-dns" })).status).toBe(404);
  });
});

describe("[PUR-03] staff", () => {
  test("see the domains of a company, and end a confirmation with a reason that its owners get", async () => {
    const owner = await createUser({ company: "Ended Ltd" });
    const id = await confirmByDns(owner, "ended.example.com", servers);
    await addTo(owner, "waiting.example.com");
    const companyId = String(owner.companyId);
    const officer = await signedInAs(await createStaff(["registration-officer"]));
    const company = () => openPage(staffPage, officer, `/home/companies/${companyId}`, { params: { id: companyId } });
    const path = `/home/companies/${companyId}/domains/${id}`;
    expect(textsOf((await company()).html, `a[href="${path}"]`)).toEqual(["End"]);
    const params = { id: companyId, domainId: String(id) };
    const empty = await openPage(endPage, officer, path, { params, fields: { reason: " " } });
    expect(summaryOf(empty.html)).toEqual(["Reason: This field is required."]);
    const ended = await run(endPage.action, await officer.post(path, { reason: "The company was sold." }), params);
    officer.follow(ended);
    expect(await toastOf(officer)).toBe("The confirmation of ended.example.com has ended.");
    expect((await mailsTo(owner.email)).at(-1)?.text).toContain("Our staff have ended it: The company was sold.");
    expect(pageText((await company()).html)).toContain("Our staff have ended it: The company was sold.");
    expect((await run(endPage.loader, officer.get(path), params)).status).toBe(404);
  });

  test("without the right see them at most", async () => {
    const owner = await createUser();
    const id = await confirmByDns(owner, "kept.example.com", servers);
    const companyId = String(owner.companyId);
    const auditor = await signedInAs(await createStaff(["auditor"]));
    const { html } = await openPage(staffPage, auditor, `/home/companies/${companyId}`, { params: { id: companyId } });
    expect(pageText(html)).toContain("kept.example.com");
    expect(html).not.toContain(`domains/${id}`);
    const path = `/home/companies/${companyId}/domains/${id}`;
    const sent = await auditor.post(path, { reason: "No" });
    await run(endPage.action, sent, { id: companyId, domainId: String(id) });
    expect(await rowOf(id)).toMatchObject({ endedAt: null });
  });
});

describe("[API-05] calls about domains", () => {
  test("add, check, renew and remove a domain", async () => {
    const owner = await createUser();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const { content } = await client.post<Record<string, string | number>>("Companies/AddDomain", {
      domain: "called.example.com",
    });
    expect(content).toMatchObject({
      name: "called.example.com",
      state: "Waiting",
      recordName: "_marque-challenge.called.example.com",
    });
    const domainId = Number(content.id);
    const check = () => client.post("Companies/CheckDomain", { domainId, method: "dns" });
    expect(await check()).toMatchObject({
      status: 422,
      text: "There is no TXT record at _marque-challenge.called.example.com.",
    });
    servers.publish("_marque-challenge.called.example.com", { txt: [String(content.recordValue)] });
    expect((await check()).content).toMatchObject({ state: "Confirmed", method: "dns", isChallengeMet: true });
    expect((await client.get("Companies/GetDomains")).content).toMatchObject([
      { id: domainId, state: "Confirmed", problem: "" },
    ]);
    const renewed = await client.post<{ recordValue: string }>("Companies/RenewDomainChallenge", { domainId });
    expect(renewed.content.recordValue).not.toBe(content.recordValue);
    const address = "admin@called.example.com";
    expect((await client.post("Companies/SendDomainMail", { domainId, address })).content).toBe(true);
    expect((await client.get(`Companies/GetDomain?domainId=${domainId}`)).content).toMatchObject({ mailedTo: address });
    expect((await client.post("Companies/RemoveDomain", { domainId })).content).toBe(true);
    expect((await client.get("Companies/GetDomains")).content).toEqual([]);
    expect((await client.post("Companies/AddDomain", { domain: "github.io" })).errors).toMatchObject({
      domain: expect.stringContaining("public suffix") as string,
    });
  });

  test("let a file end the company's own confirmation of a whole domain only when they say so", async () => {
    const owner = await createUser();
    const domainId = await confirmByDns(owner, "asked.example.com", servers);
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const { content } = await client.post<{ recordValue: string }>("Companies/RenewDomainChallenge", { domainId });
    servers.publish("asked.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(content.recordValue), content.recordValue);
    const check = (more = {}) => client.post("Companies/CheckDomain", { domainId, method: "http", ...more });
    expect(await check()).toMatchObject({
      status: 422,
      text: "asked.example.com is confirmed with everything below it. A file would leave only the host confirmed.",
    });
    expect((await check({ isHostEnough: true })).content).toMatchObject({ state: "Confirmed", method: "http" });
  });

  test("of staff show and end them", async () => {
    const owner = await createUser();
    const domainId = await confirmByDns(owner, "staffed.example.com", servers);
    const { companyId } = owner;
    const client = await apiClientOf((await createStaff(["approver"])).email, TEST_PASSWORD);
    const { content } = await client.get(`Companies/GetCompany?companyId=${companyId}`);
    expect(content).toMatchObject({ domains: [{ id: domainId, state: "Confirmed" }] });
    const end = { companyId, domainId, reason: "Asked to" };
    expect((await client.post("Companies/EndDomain", end)).content).toBe(true);
    expect((await client.post("Companies/EndDomain", end)).status).toBe(404);
  });
});
