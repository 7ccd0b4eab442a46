import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { updateAlerts } from "~/domain/alerts/alerts.service.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { addDays, DAY } from "~/lib/dates";
import * as page from "~/routes/home.jobs";
import * as overview from "~/routes/home.overview";
import { getDb } from "~db/connection.server";
import { after, faultsAt, HOUR, makeSound, MINUTE } from "../support/alerts";
import { apiClientOf } from "../support/api";
import { runCommand } from "../support/command";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { jsonOf, run, signedInAs } from "../support/visitor";

const portal = usePortal();
const now = new Date(Math.floor(Date.now() / 1000) * 1000);

const keyFile = (name: string) => join(portal.dataDir, "ca", `${name}.key.pem`);
const away = new Set<string>();

function loseKey(name: string): void {
  renameSync(keyFile(name), `${keyFile(name)}.away`);
  away.add(name);
}

function returnKey(name: string): void {
  renameSync(`${keyFile(name)}.away`, keyFile(name));
  away.delete(name);
}

const mails = async () =>
  (await getDb().selectFrom("mails").select(["recipient", "subject", "text", "dedupeKey"]).orderBy("id").execute())
    .filter(({ dedupeKey }) => dedupeKey.startsWith("operations-alert:"))
    .map(({ recipient, subject, text }) => ({ recipient, subject, text: text.replace(/\s+/g, " ") }));

const subjects = async () => (await mails()).map(({ subject }) => subject);

/** Runs the job every minute for some minutes. */
async function watch(from: Date, minutes: number): Promise<void> {
  for (let minute = 0; minute <= minutes; minute += 1) await faultsAt(after(from, minute * MINUTE));
}

beforeAll(() => makeSound(after(now, -4 * HOUR)));

beforeEach(async () => {
  for (const table of ["alerts", "jobs", "mails", "userRights"] as const) await getDb().deleteFrom(table).execute();
  await getDb().deleteFrom("settings").where("name", "=", "alerts.last-mail").execute();
  await getDb().updateTable("users").set({ isAdmin: false }).execute();
});

afterEach(() => {
  for (const name of away) returnKey(name);
});

const G3 = "The key of issuing-g3 does not answer";
const SHA2 = "The key of issuing-sha2 does not answer";

describe("messages about alerts", () => {
  test("several that begin together are one message, five minutes after they were first seen", async () => {
    const olga = await createStaff(["operator"]);
    loseKey("issuing-sha2");
    loseKey("issuing-g3");
    await watch(now, 4);
    expect(await mails()).toEqual([]);
    await watch(after(now, 5 * MINUTE), 20);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: olga.email, subject: "Alerts: 2 new" });
    for (const text of [SHA2, G3, "Put the key file back from its safe copy", "'CA keys on a token'", "/home/jobs"])
      expect(mail?.text).toContain(text);
  });

  test("one that lasts is mentioned once more after a day, and one that has ended an hour after its end", async () => {
    await createStaff(["operator"]);
    loseKey("issuing-g3");
    await watch(now, 6);
    expect(await subjects()).toEqual([`Alert: ${G3}`]);
    const tomorrow = after(now, DAY + 5 * MINUTE);
    for (const at of [after(tomorrow, -MINUTE), tomorrow, after(tomorrow, HOUR)]) {
      await publishCrlsAt(at);
      await faultsAt(at);
    }
    expect((await subjects()).slice(1)).toEqual([`Alert still lasts: ${G3}`]);
    returnKey("issuing-g3");
    const end = after(tomorrow, HOUR);
    await faultsAt(after(end, 59 * MINUTE));
    expect(await mails()).toHaveLength(2);
    await watch(after(end, HOUR), 20);
    expect((await subjects()).slice(2)).toEqual([`Alert has ended: ${G3}`]);
    await publishCrlsAt(addDays(tomorrow, 2));
    await faultsAt(addDays(tomorrow, 2));
    expect(await mails()).toHaveLength(3);
  });

  test("one that comes and goes is one alert, and one that lasts less than five minutes is none", async () => {
    await createStaff(["operator"]);
    for (let round = 0; round < 5; round += 1) {
      loseKey("issuing-g3");
      await watch(after(now, round * 10 * MINUTE), 3);
      returnKey("issuing-g3");
      await faultsAt(after(now, (round * 10 + 4) * MINUTE));
    }
    expect(await mails()).toEqual([]);
    expect(await getDb().selectFrom("alerts").selectAll().execute()).toEqual([]);
    const begin = after(now, HOUR);
    for (let round = 0; round < 6; round += 1) {
      loseKey("issuing-g3");
      await watch(after(begin, round * HOUR), 6);
      returnKey("issuing-g3");
      await watch(after(begin, round * HOUR + 50 * MINUTE), 1);
    }
    expect(await subjects()).toEqual([`Alert: ${G3}`]);
  });

  test("those of a quarter of an hour share a message, also when one has ended meanwhile", async () => {
    await createStaff(["operator"]);
    loseKey("issuing-g3");
    await watch(now, 5);
    loseKey("issuing-sha2");
    await watch(after(now, 6 * MINUTE), 13);
    expect(await mails()).toHaveLength(1);
    await faultsAt(after(now, 20 * MINUTE));
    expect((await subjects()).slice(1)).toEqual([`Alert: ${SHA2}`]);
  });

  test("runs at the same time, and by several processes, queue one", async () => {
    await createStaff(["operator"]);
    loseKey("issuing-g3");
    await watch(after(now, -6 * MINUTE), 3);
    await Promise.all([1, 2, 3, 4].map(() => updateAlerts(new Date())));
    expect(await mails()).toHaveLength(1);
    loseKey("issuing-sha2");
    await getDb().deleteFrom("settings").where("name", "=", "alerts.last-mail").execute();
    await faultsAt(after(now, -MINUTE));
    await getDb()
      .updateTable("alerts")
      .set({ heldSince: after(now, -10 * MINUTE) })
      .where("subject", "=", "issuing-sha2")
      .execute();
    await getDb().deleteFrom("jobs").execute();
    const job = () => runCommand(["jobs", "run", "alerts"], portal.env);
    const [one, other] = await Promise.all([job(), job()]);
    expect([one, other].map(({ code, err }) => code + err).sort()[0]).toBe("0");
    expect(await subjects()).toEqual([`Alert: ${G3}`, `Alert: ${SHA2}`]);
  });

  test("a clock that was years ahead delays none", async () => {
    await createStaff(["operator"]);
    loseKey("issuing-g3");
    await watch(addDays(now, 1000), 6);
    await getDb().deleteFrom("mails").execute();
    returnKey("issuing-g3");
    await faultsAt(now); // ends at once what was seen last in years to come
    loseKey("issuing-sha2");
    await watch(after(now, MINUTE), 20);
    const text = (await mails()).map((mail) => mail.text).join(" ");
    expect(text).toContain(`New: ${SHA2}`);
    expect(text).toContain(`Ended: ${G3}`);
  });

  /** Publishes new CRLs, so that nothing else is wrong at this time. */
  async function publishCrlsAt(at: Date): Promise<void> {
    const lost = [...away];
    lost.forEach(returnKey);
    for (const name of ["issuing-sha2", "issuing-g3"] as const) await publishCrls(name, at);
    lost.forEach(loseKey);
  }
});

describe("the recipients of alerts", () => {
  const toldNow = async () => {
    loseKey("issuing-g3");
    await watch(now, 5);
    return (await mails()).map(({ recipient }) => recipient).sort();
  };

  test("are operators and no other staff, when an operator can be reached", async () => {
    const [one, two] = [await createStaff(["operator"]), await createStaff(["operator", "auditor"])];
    await createAdmin();
    await createStaff(["auditor"]);
    await createStaff(["operator"], { emailVerifiedAt: null });
    await createStaff(["operator"], { isDisabled: true });
    await createUser();
    expect(await toldNow()).toEqual([one.email, two.email].sort());
  });

  test("are the administrators when there is no operator", async () => {
    const admin = await createAdmin();
    await createStaff(["operator"], { isDisabled: true });
    await createStaff(["auditor"]);
    expect(await toldNow()).toEqual([admin.email]);
  });

  test("learn of an alert later when there was nobody at its begin", async () => {
    expect(await toldNow()).toEqual([]);
    const admin = await createAdmin();
    await faultsAt(after(now, 10 * MINUTE));
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([admin.email]);
  });
});

describe("alerts on pages, by call and on the command line", () => {
  interface Alert {
    name: string;
    subject: string;
    since: string;
    severity: string;
    text: string;
  }

  /** Makes an alert that has ended, and one that is present. */
  async function makeAlerts() {
    const past = after(new Date(), -3 * HOUR);
    loseKey("issuing-sha2");
    await watch(past, 6);
    returnKey("issuing-sha2");
    loseKey("issuing-g3");
    await faultsAt(after(past, 2 * HOUR));
  }

  test("an operator and an auditor see present and past ones with what to do, and other staff do not", async () => {
    await makeAlerts();
    for (const right of ["operator", "auditor"] as const) {
      const { html, status } = await openPage(page, await signedInAs(await createStaff([right])), "/home/jobs");
      expect(status).toBe(200);
      expect(textsOf(html, "section[aria-labelledby=alerts] .note strong")).toContain(G3);
      expect(pageText(html)).toMatch(/does not answer Critical: seen since/);
      expect(pageText(html)).toContain(
        "Put the key file back from its safe copy, connect the token, or start the signer. See 'CA keys on a",
      );
      expect(textsOf(html, 'section[aria-labelledby=alerts] th[scope="row"]')).toEqual([SHA2]);
    }
    const finance = await signedInAs(await createStaff(["finance"]));
    expect((await run(page.loader, finance.get("/home/jobs"))).status).toBe(303);
  });

  test("the page finds an alert before the job has run, and says when nothing is wrong", async () => {
    const staff = await signedInAs(await createStaff(["operator"]));
    const text = async () => pageText((await openPage(page, staff, "/home/jobs")).html);
    expect(await text()).toContain("Nothing is wrong.");
    loseKey("issuing-g3");
    expect(await text()).toContain(G3);
  });

  test("the overview counts those that have begun, for those who may see them", async () => {
    await makeAlerts();
    await watch(after(new Date(), -6 * MINUTE), 6);
    const tileOf = async (right: "operator" | "finance") => {
      const staff = await signedInAs(await createStaff([right]));
      const answer = await run(overview.loader, staff.get("/home/overview"));
      const { queues } = await jsonOf<{ queues: { title: string; count: number; page: string }[] }>(answer);
      return queues.find(({ title }) => title === "Alerts");
    };
    expect(await tileOf("operator")).toMatchObject({ count: 1, page: "/home/jobs" });
    expect(await tileOf("finance")).toBeUndefined();
  });

  test("the call answers the same, for the same people", async () => {
    await makeAlerts();
    const { email } = await createStaff(["operator"]);
    const { content } = await (
      await apiClientOf(email, TEST_PASSWORD)
    ).get<{ present: Alert[]; past: (Alert & { until: string })[] }>("Operations/GetAlerts");
    expect(content.present).toMatchObject([{ name: "key-unusable", subject: "issuing-g3", severity: "critical" }]);
    expect(content.past).toMatchObject([{ name: "key-unusable", subject: "issuing-sha2", title: SHA2 }]);
    const other = await apiClientOf((await createStaff(["finance"])).email, TEST_PASSWORD);
    expect((await other.get("Operations/GetAlerts")).status).toBe(403);
  });

  test("the command prints them and ends with 1 while something is wrong", async () => {
    await makeAlerts();
    const wrong = await runCommand(["alerts"], portal.env);
    expect(wrong).toMatchObject({ code: 1, err: "" });
    expect(wrong.out).toMatch(
      /^critical: The key of issuing-g3 does not answer, seen since \d{4}-\d\d-\d\d [\d:]+Z\n {2}The key file/m,
    );
    expect(wrong.out).toMatch(/^ended: The key of issuing-sha2 does not answer, from .* to .*Z$/m);
    returnKey("issuing-g3");
    const sound = await runCommand(["alerts"], portal.env);
    expect(sound).toMatchObject({ code: 0, err: "" });
    expect(sound.out).toMatch(/^Nothing is wrong\.\n/);
  });
});
