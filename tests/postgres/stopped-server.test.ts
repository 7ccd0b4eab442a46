import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ErrorBody } from "~/domain/shell";
import { clearMemoized } from "~/lib/memoize.server";
import * as details from "~/routes/home.user-management/route";
import { closeDb, getConnection, getDb } from "~db/connection.server";
import { migrateToLatest } from "~db/migrate.server";
import { findUserById } from "~db/repositories/users.server";
import { readProbe } from "~db/repositories/write-probe.server";
import { usePortal } from "../support/portal";
import { startPostgres } from "../support/postgres";
import { customer, pageFields, USER_MANAGEMENT } from "../support/user-details";
import { errorsOf, jsonOf, run, type Visitor } from "../support/visitor";

usePortal();
let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase("portal");
  process.env.DATABASE_URL = `${postgres.url}/portal`;
  await closeDb();
  clearMemoized();
  await migrateToLatest(getConnection());
});
afterAll(async () => {
  await closeDb();
  await postgres.stop();
});

type Fields = Record<string, string | File>;

const send = async (visitor: Visitor, fields: Fields, path = USER_MANAGEMENT) =>
  run(details.action, await visitor.post(path, fields));

/** Starts the server and waits until the portal answers. For 250 ms after a failed attempt, the portal does not try to connect. */
async function startAgain() {
  await postgres.start();
  const answers = () =>
    readProbe(getDb()).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(answers, { timeout: 10_000, interval: 20 });
}

/** Returns the data of the error page about the form that it holds. */
async function keptOf(answer: Response): Promise<Required<ErrorBody>> {
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
  return jsonOf(answer);
}

describe("[GEN-02] PostgreSQL is stopped while somebody fills in a form", () => {
  test("[GEN-02] [USR-03] each answer keeps every field, and the form is stored once the server is back", async () => {
    const { user, visitor } = await customer();
    const typed = {
      ...(await pageFields(visitor)),
      position: 'Head of "EDI" & quality',
      __rvfInternalFormId: "user-management",
    };
    await postgres.shutDown();
    const first = await keptOf(
      await send(visitor, typed, `${USER_MANAGEMENT}?index&_data=routes%2Fhome.user-management`),
    );
    expect(first.message).toContain("Nothing was stored. What you typed is kept on this page.");
    expect(first.kept).toMatchObject({ action: `${USER_MANAGEMENT}?index=`, button: "Send again" });
    const fields = Object.fromEntries(first.kept.fields);
    expect(fields).toEqual({ ...typed, csrf: expect.any(String) as string });
    const second = await keptOf(await send(visitor, fields));
    expect(second.kept.fields).toEqual(first.kept.fields);
    await startAgain();
    expect((await send(visitor, fields)).status).toBe(303);
    expect((await findUserById(getDb(), user.id))?.position).toBe(typed.position);
  });

  test("[GEN-02] [LOG-08] passwords, answers and files are not sent back: the form returns and asks for them", async () => {
    const { user, visitor } = await customer();
    const secrets = { currentPassword: "one secret", newPassword: "two secret", securityAnswer: "three secret" };
    const file = new File(["four secret"], "request.csr");
    const typed = { ...(await pageFields(visitor)), position: "Typed before", __rvfInternalFormId: "user-management" };
    await postgres.shutDown();
    const answer = await keptOf(await send(visitor, { ...typed, ...secrets, file }));
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(answer.message).toContain("Passwords, answers to security questions and files are not kept.");
    expect(answer.kept.button).toBe("Back to the form");
    await startAgain();
    const { status, errors, values } = await errorsOf(await send(visitor, Object.fromEntries(answer.kept.fields)));
    expect([status, errors.form]).toEqual([422, expect.stringMatching(/^Passwords, .* Please enter them again/)]);
    expect(values.position).toBe("Typed before");
    expect((await findUserById(getDb(), user.id))?.position).not.toBe("Typed before");
  });

  test("[GEN-02] a field that no form of the portal has is not sent back", async () => {
    const { visitor } = await customer();
    await postgres.shutDown();
    for (const fields of [
      { "a.__proto__.b": "x" },
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, ""])),
    ])
      expect((await keptOf(await send(visitor, fields))).kept).toBeUndefined();
    await startAgain();
  });
});
