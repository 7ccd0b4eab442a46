import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sendSecurityAlerts } from "~/domain/security-events/alerts.service.server";
import { type SecurityEventName } from "~/domain/security-events/events";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { removeOldEvents } from "~/domain/security-events/upkeep.server";
import { addDays } from "~/lib/dates";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { run, signedInAs } from "../support/visitor";

const folder = mkdtempSync(join(tmpdir(), "marque-security-"));
const file = join(folder, "security.jsonl");
afterAll(() => rmSync(folder, { recursive: true }));

usePortal({ SECURITY_LOG: file });

const alerts = async () =>
  (await getDb().selectFrom("mails").select(["recipient", "subject", "text"]).orderBy("id").execute()).filter(
    ({ subject }) => subject.startsWith("Security alert"),
  );

beforeEach(async () => {
  await forgetSecurityEvents();
  await getDb().deleteFrom("mails").execute();
  await getDb().deleteFrom("settings").where("name", "=", "security-alerts.reported").execute();
  await getDb().deleteFrom("userRights").execute();
  await getDb().updateTable("users").set({ isAdmin: false }).execute();
});

const client = (address: string) => ({ address, userAgent: "Test browser" });
const storeAt = (at: Date, event: SecurityEventName, address: string) =>
  inTransaction((trx) => recordSecurityEvent(trx, { event, client: client(address), detail: "Something." }, at));

async function grantAdmin() {
  const [olga, anna] = [await createAdmin(), await createUser()];
  const visitor = await signedInAs(olga);
  const fields = { intent: "grant-admin", confirmed: "yes" };
  const path = `/home/users/${anna.id}`;
  await run(userPage.action, await visitor.post(path, fields, clientFrom("192.0.2.44")), { id: String(anna.id) });
  return { olga, anna };
}

describe("alerts", () => {
  test("a granted right is reported to every administrator once, with who did it and from where", async () => {
    const { olga, anna } = await grantAdmin();
    await sendSecurityAlerts(new Date());
    await sendSecurityAlerts(new Date());
    const sent = await alerts();
    expect(sent.map(({ recipient }) => recipient).sort()).toEqual([olga.email, anna.email].sort());
    for (const text of ["Granted the right Admin.", anna.email, olga.email, "192.0.2.44"])
      expect(sent[0]?.text).toContain(text);
  });

  const grantAt = (at: Date, userId: number, right: string) =>
    inTransaction((trx) => {
      const about = { userId, actorName: "olga@example.org", client: client("192.0.2.46") };
      const detail = `Granted the right ${right}.`;
      return recordSecurityEvent(trx, { event: "account.right-granted", ...about, detail }, at);
    });

  test("a flood of harmless grants shares one message and hides no grave one, which comes first", async () => {
    await createAdmin();
    const { id } = await createUser();
    const now = new Date();
    for (let count = 0; count < 102; count += 1) await grantAt(now, id, "Applicant");
    await grantAt(now, id, "Finance");
    await sendSecurityAlerts(now);
    const sent = await alerts();
    expect(sent).toHaveLength(2);
    expect(sent[0]?.text).toContain("Granted the right Finance.");
    expect(sent[1]?.text).toContain("Granted the right Applicant. This happened 102 times.");
  });

  test("more grave events than one reading finds are all reported, once, by runs at the same time and later ones", async () => {
    await createAdmin();
    const { id } = await createUser();
    const now = new Date();
    for (let count = 0; count < 520; count += 1) await grantAt(now, id, "Approver");
    await Promise.all([sendSecurityAlerts(now), sendSecurityAlerts(now)]);
    await getDb().deleteFrom("mails").where("subject", "like", "%right granted").execute(); // as old messages are removed
    await sendSecurityAlerts(new Date(now.getTime() + 60_000));
    expect(await alerts()).toEqual([]);
    // Stored after the runs, with an earlier time.
    await grantAt(new Date(now.getTime() - 60_000), id, "Finance");
    for (const minutes of [2, 30]) await sendSecurityAlerts(new Date(now.getTime() + minutes * 60_000));
    expect(await alerts()).toHaveLength(1);
  });

  test("an event is reported however long the job did not run", async () => {
    const admin = await createAdmin();
    const now = new Date();
    await sendSecurityAlerts(now);
    await grantAt(new Date(now.getTime() + 60_000), admin.id, "Approver");
    await sendSecurityAlerts(addDays(now, 2));
    expect(await alerts()).toHaveLength(1);
  });

  test("nobody is told what happened before their appointment; links lead to what the reader may open", async () => {
    const [auditor, rita, late] = [
      await createStaff(["auditor"]),
      await createStaff(["user-administrator"]),
      await createStaff(["user-administrator"]),
    ];
    const now = new Date(Date.now() + 60_000);
    const grantedAt = new Date(now.getTime() + 60_000);
    await getDb().updateTable("userRights").set({ grantedAt }).where("userId", "=", late.id).execute();
    await grantAt(now, auditor.id, "Approver");
    await sendSecurityAlerts(new Date(now.getTime() + 120_000));
    const textTo = new Map((await alerts()).map(({ recipient, text }) => [recipient, text]));
    expect([...textTo.keys()].sort()).toEqual([auditor.email, rita.email].sort());
    expect(textTo.get(auditor.email)).toContain("/home/security-events");
    expect(textTo.get(rita.email)).toContain(`/home/users/${auditor.id}`);
    expect(textTo.get(rita.email)).not.toContain("/home/security-events");
  });

  test("a reset of second factors is reported to every administrator", async () => {
    const olga = await createAdmin();
    await storeAt(new Date(), "account.factors-reset", "192.0.2.45");
    await sendSecurityAlerts(new Date());
    expect(await alerts()).toMatchObject([{ recipient: olga.email, subject: "Security alert: second factors reset" }]);
  });

  test("a burst of refusals from one network is reported once in an hour", async () => {
    await createAdmin();
    const now = new Date("2026-11-23T10:30:00Z");
    for (let count = 0; count < 99; count += 1) await storeAt(now, "login.failed", "192.0.2.50");
    await sendSecurityAlerts(now);
    expect(await alerts()).toEqual([]);
    await storeAt(now, "access.refused", "192.0.2.50");
    for (const minutes of [0, 5]) await sendSecurityAlerts(new Date(now.getTime() + minutes * 60_000));
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(alert?.text).toMatch(/192\.0\.2\.50/);
    expect(alert?.text).toContain("100 within 10 minutes");
  });
});

test("events are kept for 90 days", async () => {
  const now = new Date("2026-11-23T10:30:00Z");
  await storeAt(addDays(now, -91), "login.failed", "192.0.2.1");
  await storeAt(addDays(now, -89), "login.failed", "192.0.2.2");
  expect(await removeOldEvents(now)).toBe(1);
  expect(await securityEvents()).toMatchObject([{ address: "192.0.2.2" }]);
});

describe("the lines for a SIEM", () => {
  const lines = () =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test("have the event in the fields of ECS, in a file that only its owner can read", async () => {
    const { olga, anna } = await grantAdmin();
    expect(lines().at(-1)).toMatchObject({
      "event.action": "account.right-granted",
      "event.outcome": "success",
      "user.id": String(anna.id),
      "user.name": olga.email,
      "source.ip": "192.0.2.44",
      "user_agent.original": "Test browser",
      "url.path": `/home/users/${anna.id}`,
      message: "Granted the right Admin.",
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("go to a new file after the old one was renamed", async () => {
    renameSync(file, `${file}.1`);
    await storeAt(new Date(), "login.failed", "192.0.2.3");
    expect(lines()).toMatchObject([{ "event.action": "login.failed", "source.ip": "192.0.2.3" }]);
  });

  test("are not written for a change that is rolled back", async () => {
    const before = lines().length;
    const failing = inTransaction(async (trx) => {
      await recordSecurityEvent(trx, { event: "account.locked", client: client("192.0.2.4"), detail: "Locked." });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(lines()).toHaveLength(before);
    expect(await securityEvents()).toEqual([]);
  });
});
