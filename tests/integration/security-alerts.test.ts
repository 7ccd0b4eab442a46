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
import { createAdmin, createUser } from "../support/factories";
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
