import { beforeEach, describe, expect, test } from "vitest";
import { checkDomain, getDomainFor, renewChallenge } from "~/domain/companies/domains/domains.service.server";
import { keepDomains } from "~/domain/companies/domains/nightly.service.server";
import { filePathOf } from "~/domain/companies/domains/proofs.server";
import { addDays, addYears } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { createColleague, personOf } from "../support/companies";
import { addTo, confirmByDns, useDomainServers } from "../support/domains";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";

usePortal();
const servers = useDomainServers();

const NOW = new Date();
const night = (days: number) => addDays(NOW, days);

beforeEach(async () => {
  await getDb().deleteFrom("companyDomains").execute();
});

const rowOf = (id: number) =>
  getDb().selectFrom("companyDomains").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const subjectsTo = async ({ email }: { email: string }) => (await mailsTo(email)).map(({ subject }) => subject);

describe("[PUR-03] every night, confirmed domains are checked again", () => {
  test("and stay confirmed while the record is there", async () => {
    const owner = await createUser();
    const id = await confirmByDns(owner, "stays.example.com", servers);
    expect(await keepDomains(night(1))).toBe("1 confirmed again, 0 failed, 0 ended, 0 reminded of");
    expect(await keepDomains(night(1))).toBe("0 confirmed again, 0 failed, 0 ended, 0 reminded of");
    expect(await rowOf(id)).toMatchObject({ failedNights: 0, endedAt: null });
    expect(await subjectsTo(owner)).toEqual([]);
  });

  test("and end after three nights in a row without it, which owners are told at the first night and at the end", async () => {
    const owner = await createUser({ company: "Lost Ltd" });
    const reader = await createColleague(owner, "reader");
    const id = await confirmByDns(owner, "lost.example.com", servers);
    servers.publish("_marque-challenge.lost.example.com", {});
    expect(await keepDomains(night(1))).toBe("0 confirmed again, 1 failed, 0 ended, 0 reminded of");
    expect(await subjectsTo(owner)).toEqual(["lost.example.com could not be confirmed again"]);
    await keepDomains(night(2));
    expect(await rowOf(id)).toMatchObject({ failedNights: 2, endedAt: null });
    expect(await keepDomains(night(3))).toBe("0 confirmed again, 0 failed, 1 ended, 0 reminded of");
    expect(await rowOf(id)).toMatchObject({
      endedWhy:
        "The nightly check failed 3 times in a row. There is no TXT record at _marque-challenge.lost.example.com.",
    });
    expect(await subjectsTo(owner)).toEqual([
      "lost.example.com could not be confirmed again",
      "The confirmation of lost.example.com has ended",
    ]);
    expect(await subjectsTo(reader)).toEqual([]);
    const entry = getDb().selectFrom("auditEntries").select(["actorName", "message"]).orderBy("id", "desc");
    expect(await entry.executeTakeFirst()).toMatchObject({
      actorName: "domains",
      message: expect.stringMatching(/^The confirmation of lost\.example\.com for Lost Ltd has ended\./) as string,
    });
  });

  test("and end when the zone of the domain is broken, while the servers answer for other names", async () => {
    const id = await confirmByDns(await createUser(), "abandoned.example.com", servers);
    for (const server of [servers.first, servers.second]) server.broken.add("abandoned.example.com");
    expect(await keepDomains(night(1))).toBe("0 confirmed again, 1 failed, 0 ended, 0 reminded of");
    await keepDomains(night(2));
    expect(await keepDomains(night(3))).toBe("0 confirmed again, 0 failed, 1 ended, 0 reminded of");
    expect((await rowOf(id)).endedWhy).toContain("gave no answer for _marque-challenge.abandoned.example.com");
    for (const server of [servers.first, servers.second]) server.broken.clear();
  });

  test("and a night with the record makes up for the failed ones before", async () => {
    const id = await confirmByDns(await createUser(), "flaky.example.com", servers);
    const { token } = await rowOf(id);
    servers.publish("_marque-challenge.flaky.example.com", {});
    await keepDomains(night(1));
    await keepDomains(night(2));
    servers.publish("_marque-challenge.flaky.example.com", { txt: [token] });
    expect(await rowOf(id)).toMatchObject({ problem: expect.stringContaining("There is no TXT record") as string });
    await keepDomains(night(3));
    expect(await rowOf(id)).toMatchObject({ failedNights: 0, problem: null });
    servers.publish("_marque-challenge.flaky.example.com", {});
    await keepDomains(night(4));
    expect(await rowOf(id)).toMatchObject({ failedNights: 1, endedAt: null });
  });

  test("by the file that confirmed them, or by new values that the company has put there", async () => {
    const owner = await createUser();
    const { id, token } = await addTo(owner, "file.example.com");
    servers.publish("file.example.com", { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    await checkDomain(await personOf(owner), { id, method: "http" });
    expect(await keepDomains(night(1))).toMatch(/^1 confirmed again/);
    await renewChallenge(await personOf(owner), id);
    const { challenge } = await getDomainFor(await personOf(owner), id);
    servers.web.serveText(filePathOf(challenge.file?.content ?? ""), challenge.file?.content ?? "");
    expect(await keepDomains(night(2))).toMatch(/^1 confirmed again/);
  });

  test("and a night on which the portal's own DNS servers do not answer counts for nothing", async () => {
    const id = await confirmByDns(await createUser(), "unasked.example.com", servers);
    servers.second.isSilent = true;
    await expect(keepDomains(night(1))).rejects.toThrow(
      "None of 1 domains could be checked: the portal reaches no DNS server or no web server.",
    );
    expect(await rowOf(id)).toMatchObject({ failedNights: 0, endedAt: null });
  }, 20_000);
});

test("[PUR-03] a night on which no web server is reached counts for nothing, unless another one is reached", async () => {
  const owner = await createUser();
  const ids: number[] = [];
  for (const name of ["one.example.com", "two.example.com"]) {
    const { id, token } = await addTo(owner, name);
    servers.publish(name, { a: ["127.0.0.1"] });
    servers.web.serveText(filePathOf(token), token);
    await checkDomain(await personOf(owner), { id, method: "http" });
    servers.publish(name, { a: ["127.0.0.3"] }); // where nobody listens
    ids.push(id);
  }
  const nights = async () => Promise.all(ids.map(async (id) => (await rowOf(id)).failedNights));
  await expect(keepDomains(night(1))).rejects.toThrow("None of 2 domains could be checked");
  expect(await nights()).toEqual([0, 0]);
  servers.publish("two.example.com", { a: ["127.0.0.1"] });
  expect(await keepDomains(night(2))).toBe("1 confirmed again, 1 failed, 0 ended, 0 reminded of");
  expect(await nights()).toEqual([1, 0]);
});

describe("[PUR-03] a confirmation counts for a year", () => {
  test("and owners are reminded 30 and 7 days before its end, once each, and told when it has ended", async () => {
    const owner = await createUser();
    const id = await confirmByDns(owner, "yearly.example.com", servers);
    const end = addYears(NOW, 1);
    const before = (days: number) => addDays(end, -days);
    await keepDomains(before(31));
    expect(await subjectsTo(owner)).toEqual([]);
    for (const days of [29.5, 20, 6.5, 3]) await keepDomains(before(days));
    const reminders = await subjectsTo(owner);
    expect(reminders).toEqual([
      "The confirmation of yearly.example.com ends in 30 days",
      "The confirmation of yearly.example.com ends in 7 days",
    ]);
    expect(await keepDomains(addDays(end, 1))).toBe("0 confirmed again, 0 failed, 1 ended, 0 reminded of");
    expect(await rowOf(id)).toMatchObject({ endedWhy: "It was not confirmed again within a year." });
    expect((await subjectsTo(owner)).at(-1)).toBe("The confirmation of yearly.example.com has ended");
  });
});
