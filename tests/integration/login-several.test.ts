import { beforeEach, describe, expect, test } from "vitest";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { findUser } from "~/http/guard.server";
import * as login from "~/routes/_public.login";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type Account, createSeveral, logInAs, merge, readUser } from "../support/consolidation";
import { TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { errorsOf, run, signedInAs } from "../support/visitor";

usePortal();

const OTHER = "another good password";
const UNKNOWN =
  "The username you have entered is Invalid. Please re-enter your credentials or register as a new customer.";
const WRONG =
  "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.";
const DISABLED = "This user account has been disabled. Please contact support to get this account re-enabled.";
const LOCKED = "This user account is locked. Please contact support.";

let first: Account;
let second: Account;
const soon = () => new Date(Date.now() + 600_000);

beforeEach(async () => {
  [first, second] = (await createSeveral({}, { passwordHash: await hashPassword(OTHER) })) as [Account, Account];
});

/** Returns the id of the account that was opened, or the message. */
async function tryLogin(name: string, password: string) {
  const { visitor, response } = await logInAs(name, password);
  if (response.status === 422) return (await errorsOf(response)).errors.form;
  return (await findUser(visitor.get("/")))?.id;
}

const change = (user: Account, columns: Parameters<typeof updateUser>[2]) => updateUser(getDb(), user.id, columns);

describe("accounts that share an email", () => {
  test("[LOG-06] the password selects the account", async () => {
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(first.id);
    expect(await tryLogin(first.email, OTHER)).toBe(second.id);
    expect(await tryLogin(first.email, "neither")).toBe(WRONG);
  });

  test("[LOG-06] with one password for both, the open account is chosen, then the one whose user name it is, then the last used", async () => {
    await change(second, { passwordHash: first.passwordHash, lastLoginAt: new Date() });
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(second.id);
    await change(first, { username: first.email });
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(first.id);
    await change(first, { isDisabled: true });
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(second.id);
  });

  test("[LOG-03] a wrong password counts for each of them: the fifth locks all, and guessing is no faster", async () => {
    for (let tries = 0; tries < 4; tries += 1) expect(await tryLogin(first.email, "wrong")).toBe(WRONG);
    for (const { id } of [first, second])
      expect(await readUser(id)).toMatchObject({ failedLogins: 4, lockedUntil: null });
    expect(await tryLogin(first.email, "wrong")).toBe(LOCKED);
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(LOCKED);
    expect(await tryLogin(first.email, OTHER)).toBe(LOCKED);
  });

  test("[LOG-03] a browser is known only for the account that was logged in there", async () => {
    const { visitor, response } = await logInAs(first.email, OTHER);
    visitor.follow(response);
    for (let tries = 0; tries < 5; tries += 1) await tryLogin(first.email, "wrong");
    const enter = async (password: string) => {
      const request = await visitor.post("/login", { email: first.email, password });
      const answer = await run(login.action, request);
      return answer.status === 303 ? "in" : (await errorsOf(answer)).errors.form;
    };
    expect(await enter(TEST_PASSWORD)).toBe(WRONG);
    expect(await enter(OTHER)).toBe("in");
  });

  test("[LOG-03] a right password clears the tries of its own account only", async () => {
    for (let tries = 0; tries < 4; tries += 1) await tryLogin(first.email, "wrong");
    expect(await tryLogin(first.email, OTHER)).toBe(second.id);
    expect((await readUser(second.id)).failedLogins).toBe(0);
    expect((await readUser(first.id)).failedLogins).toBe(4);
  });

  test("[LOG-03] with one locked, the open one's password works and the locked one's is never confirmed", async () => {
    await change(first, { lockedUntil: soon() });
    expect(await tryLogin(first.email, OTHER)).toBe(second.id);
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(WRONG);
    expect((await readUser(second.id)).failedLogins).toBe(1);
    expect((await readUser(first.id)).failedLogins).toBe(0);
    await change(second, { lockedUntil: soon() });
    expect(await tryLogin(first.email, OTHER)).toBe(LOCKED);
  });

  test("[LOG-03] with one disabled, its password says so, and the other's lock is shown too", async () => {
    await change(first, { isDisabled: true });
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(DISABLED);
    expect(await tryLogin(first.email, OTHER)).toBe(second.id);
    expect(await tryLogin(first.email, "wrong")).toBe(WRONG);
    await change(second, { lockedUntil: soon() });
    expect(await tryLogin(first.email, OTHER)).toBe(LOCKED);
    await change(second, { lockedUntil: null, isDisabled: true });
    expect(await tryLogin(first.email, OTHER)).toBe(DISABLED);
  });
});

describe("after a merge", () => {
  test("[CON-03] an old user name leads to the surviving account with that account's password only", async () => {
    await change(second, { username: `old-${second.id}@example-parts.com` });
    expect(await tryLogin(`old-${second.id}@example-parts.com`, OTHER)).toBe(second.id);
    expect((await merge(await signedInAs(first))).status).toBe(303);
    expect(await tryLogin(`old-${second.id}@example-parts.com`, TEST_PASSWORD)).toBe(first.id);
    expect(await tryLogin(`OLD-${second.id}@example-parts.com`, OTHER)).toBe(WRONG);
    expect(await tryLogin(first.email, OTHER)).toBe(WRONG);
    expect((await readUser(first.id)).failedLogins).toBe(2);
    await change(first, { isDisabled: true });
    expect(await tryLogin(`old-${second.id}@example-parts.com`, TEST_PASSWORD)).toBe(DISABLED);
  });

  test("[LOG-01] [CON-03] an imported user name that is no email logs in, and leads to the surviving account after a merge", async () => {
    await change(second, { username: "otto4" });
    expect(await tryLogin(" Otto4 ", OTHER)).toBe(second.id);
    expect(await tryLogin("otto4", TEST_PASSWORD)).toBe(WRONG);
    expect((await merge(await signedInAs(first))).status).toBe(303);
    expect(await tryLogin("otto4", TEST_PASSWORD)).toBe(first.id);
    expect(await tryLogin("otto4", OTHER)).toBe(WRONG);
  });

  test("[CON-03] an email that the surviving account has given up no longer works, though a merged account still has it", async () => {
    await merge(await signedInAs(first));
    await change(first, { email: `new-${first.id}@example-parts.com` });
    expect(await tryLogin(first.email, TEST_PASSWORD)).toBe(UNKNOWN);
    expect(await tryLogin(`new-${first.id}@example-parts.com`, TEST_PASSWORD)).toBe(first.id);
  });
});
