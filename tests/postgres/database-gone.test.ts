import { execFileSync } from "node:child_process";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { lastReadiness } from "~/domain/jobs/readiness.service.server";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { cachePublished } from "~/domain/repository/published.service.server";
import { SEND_LATER } from "~/http/responses.server";
import { addDays } from "~/lib/dates";
import { clearMemoized } from "~/lib/memoize.server";
import * as register from "~/routes/_public.register/route";
import * as dashboard from "~/routes/home.dashboard";
import * as readyz from "~/routes/readyz";
import * as repository from "~/routes/repository.$file";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { lockWaitMs, migrateToLatest } from "~db/migrate.server";
import { inTransaction } from "~db/transaction.server";
import { useOcsp } from "../integration/ocsp-asking";
import { newProgram } from "../support/api";
import { issueCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";
import { type Relay, startRelay } from "../support/relay";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, run, signedInAs } from "../support/visitor";

const SECOND = 1000;

/** A program that ends all other connections to the database whose address it gets. */
const END_CONNECTIONS = `
  import pg from "pg";
  const client = new pg.Client(process.argv[1]);
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
  await client.end();
`;
const portal = usePortal({ DATABASE_TIMEOUT: "1" });
const { makeRequest } = useOcsp();
let relay: Relay;

beforeAll(async () => {
  const address = new URL(portal.env.DATABASE_URL ?? "");
  relay = await startRelay(Number(address.port));
  address.port = String(relay.port);
  process.env.DATABASE_URL = address.href;
  await closeDb();
  clearMemoized();
});
afterAll(async () => {
  relay.open();
  await closeDb();
  await relay.close();
});

/** Runs statements on the database of the portal, without the relay. */
async function aside<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(portal.env.DATABASE_URL);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const isAnybodyWaiting = async (client: pg.Client) =>
  (await client.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .rowCount;

const ready = () => run(readyz.loader, new Request(`${TEST_ORIGIN}/readyz`));
const file = (name: string) => run(repository.loader, new Request(`${TEST_ORIGIN}/repository/${name}`), { file: name });

const bytesOf = async (answer: Response) => {
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

/** Waits until the portal is ready, whatever it found a moment ago. */
async function untilReady(): Promise<void> {
  lastReadiness.clear();
  await vi.waitUntil(async () => (await ready()).status === 200, { timeout: 10 * SECOND, interval: 20 });
}

async function expectUnavailable(response: Response) {
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("5");
  return (await response.json()) as { message?: string; responseText?: string; errorCode?: string };
}

describe("[GEN-02] the database fails", () => {
  test("while a form is being stored: 503, nothing is stored, and the same form succeeds later", async () => {
    const typed = filledRegistration({ __rvfInternalFormId: "register" });
    const send = async () => run(register.action, await (await anonymous()).post("/register", typed));
    const stored = () => getDb().selectFrom("users").select("id").where("email", "=", typed.email).execute();

    const answer = await aside(async (client) => {
      await client.query("begin");
      await client.query("lock table users in exclusive mode");
      const sent = send();
      await vi.waitUntil(() => aside(isAnybodyWaiting), { timeout: 10 * SECOND, interval: 20 });
      // A fast shutdown of the server does the same: "terminating connection due to administrator command".
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await client.query("rollback");
      return sent;
    });
    const { status, errors, values } = await errorsOf(answer);
    expect(status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect(errors.form).toBe(SEND_LATER);
    expect(values).toMatchObject({ email: typed.email, company: typed.company });
    expect(await stored()).toEqual([]);
    expect((await send()).status).toBe(303);
    expect(await stored()).toHaveLength(1);
  });

  test("connections that ended while nobody used them are replaced, before anybody notices", async () => {
    const read = () => getDb().selectFrom("countries").select("iso").limit(1).execute();
    const write = () =>
      inTransaction((trx) => trx.updateTable("users").set({ position: "x" }).where("id", "=", 0).execute());
    for (const work of [read, write]) {
      await read();
      // In another process while this one waits, so that the driver has not seen the end of its connections when it uses one.
      execFileSync(process.execPath, ["--input-type=module", "-e", END_CONNECTIONS, portal.env.DATABASE_URL ?? ""]);
      await work();
    }
  });

  test("a migration gives up when a table stays locked, so that the portal does not wait behind it, and succeeds later", async () => {
    await sql`drop table former_user_details, former_company_details`.execute(getDb());
    await sql`delete from kysely_migration where name = '0018-former-details'`.execute(getDb());
    lastReadiness.clear();
    expect(await (await ready()).text()).toBe("the database has not been updated to this version\n");
    lockWaitMs.replace(100);
    await aside(async (client) => {
      await client.query("begin; lock table users in share mode");
      await expect(migrateToLatest(getConnection())).rejects.toThrow("lock timeout");
      await client.query("rollback");
    });
    expect(await migrateToLatest(getConnection())).toEqual(["0018-former-details"]);
    await untilReady();
  });

  test("pages, calls and /readyz report it, and all work again when it is back", async () => {
    const { user, client } = await newProgram();
    const visitor = await signedInAs(user);
    expect((await ready()).status).toBe(200);
    relay.cut();
    await expectUnavailable(await run(dashboard.loader, visitor.get("/home/dashboard")));
    expect(await expectUnavailable(await client.send("codes/getcodes"))).toMatchObject({
      errorCode: "unavailable",
    });
    await vi.waitUntil(async () => (await ready()).status === 503, { timeout: 5 * SECOND, interval: 50 });
    relay.open();
    await untilReady();
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).status).toBe(200);
  });

  test("a hanging connection is given up, and no older connection is used again", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const open = () => run(dashboard.loader, visitor.get("/home/dashboard"));
    await Promise.all([open(), open(), open()]);
    relay.swallow();
    await expectUnavailable(await open());
    relay.open();
    // What was sent before is lost: the earlier connections still hang.
    await untilReady();
    for (const answer of await Promise.all([open(), open(), open()])) expect(answer.status).toBe(200);
  });

  test("[REP-03] [CAL-02] [CAL-03] CRLs, CA certificates and prepared OCSP answers are served while they are valid", async () => {
    const answerOcsp = ocspResponder();
    const { serialNumber } = await issueCertificate();
    const known = await makeRequest([serialNumber]);
    const unknown = await makeRequest(["1234567890ABCDEF"]);
    const before = await answerOcsp(known);
    await publishCrls("issuing-sha2");
    await cachePublished();

    relay.cut();
    const names = ["root.cer", "root.pem", "issuing-sha2.crl", "issuing-sha2-delta.crl"];
    const served = await Promise.all(names.map(async (name) => bytesOf(await file(name))));
    expect((await answerOcsp(known)).der).toEqual(before.der);
    expect((await answerOcsp(known, { now: addDays(new Date(), 3) })).status).toBe("tryLater");
    expect((await answerOcsp(unknown)).status).toBe("tryLater");
    vi.setSystemTime(addDays(new Date(), 400));
    await expectUnavailable(await file("issuing-sha2.crl"));
    expect((await file("root.cer")).status).toBe(200);
    vi.useRealTimers();
    relay.open();
    await untilReady();
    expect((await answerOcsp(unknown)).status).toBe("successful");
    for (const [index, name] of names.entries()) expect(await bytesOf(await file(name)), name).toEqual(served[index]);
  });
});
