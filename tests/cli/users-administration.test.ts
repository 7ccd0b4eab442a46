import { expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import { getDb } from "~db/connection.server";
import { auditAbout, storedUser } from "../support/administration";
import { runCommand } from "../support/command";
import { createAdmin, createUser } from "../support/factories";
import { giveApp } from "../support/factors";
import { usePortal } from "../support/portal";
import { signedInAs } from "../support/visitor";

const portal = usePortal();

/** Somebody runs the commands with sudo, and is the operator unless one is named. */
const users = (...args: string[]) => runCommand(["users", ...args], { ...portal.env, SUDO_USER: "hanna" });
const done = (line: string) => ({ code: 0, out: `${line}\n`, err: "" });
const failed = (message: string) => ({ code: 1, out: "", err: `portal: ${message}\n` });

test("[MAN-02] operators disable and enable accounts and grant and withdraw rights with audit entries, as administrators do", async () => {
  const user = await createUser();
  const visitor = await signedInAs(user);
  expect(await users("grant", user.email.toUpperCase(), "Admin")).toEqual(done(`Granted Admin to ${user.username}`));
  expect(await storedUser(user)).toMatchObject({ isAdmin: true });
  expect(await users("grant", user.email, "Admin")).toEqual(failed("The account has the right Admin already."));
  expect(await users("withdraw", user.email, "Applicant")).toEqual(done(`Withdrew Applicant from ${user.username}`));
  expect(await users("disable", user.email, "--reason", " ")).toEqual(failed("--reason must not be empty."));
  expect(await users("disable", user.email)).toMatchObject({ code: 1 });
  expect(await users("withdraw", user.email, "Admin")).toEqual(failed("This is the last administrator."));
  await createAdmin();
  expect(await users("disable", user.email, "--reason", "Left")).toEqual(done(`Disabled ${user.username}`));
  expect(await findUser(visitor.get("/"))).toBeNull();
  expect(await users("enable", user.email)).toEqual(done(`Enabled ${user.username}`));
  expect(await storedUser(user)).toMatchObject({ isDisabled: false, isApplicant: false, isAdmin: true });
  expect((await auditAbout(user)).map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual([
    "command line (hanna): Granted the right Admin.",
    "command line (hanna): Withdrew the right Applicant.",
    "command line (hanna): Disabled the account: Left",
    "command line (hanna): Enabled the account.",
  ]);
});

test("[LOG-10] operators end all sessions of an account, with their name in the audit trail", async () => {
  const user = await createUser();
  const visitor = await signedInAs(user);
  expect(await users("end-sessions", user.username)).toMatchObject({ code: 1 });
  expect(await users("end-sessions", user.username, "--operator", " ")).toEqual(
    failed("--operator must not be empty."),
  );
  expect(await findUser(visitor.get("/"))).not.toBeNull();
  expect(await users("end-sessions", user.username, "--operator", "Petra Holt")).toEqual(
    done(`Ended all sessions of ${user.username}`),
  );
  expect(await findUser(visitor.get("/"))).toBeNull();
  expect((await auditAbout(user)).map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual([
    "command line (Petra Holt): Ended all sessions of the account.",
  ]);
});

test("operators allow the password of staff for a day beside single sign-on, with their name and reason", async () => {
  const user = await createAdmin();
  const reason = ["--reason", "The provider is down"];
  expect(await users("allow-password", user.email, ...reason)).toMatchObject({ code: 1 });
  expect(await users("allow-password", user.email, "--operator", " ", ...reason)).toEqual(
    failed("--operator must not be empty."),
  );
  const { code, out } = await users("allow-password", user.email, "--operator", "Petra Holt", ...reason);
  const { passwordAllowedUntil } = await storedUser(user);
  expect([code, out]).toEqual([0, `Allowed the password of ${user.username} until ${passwordAllowedUntil}\n`]);
  expect((await auditAbout(user)).map(({ actorName, event }) => [actorName, event])).toEqual([
    ["command line (Petra Holt)", "account.password-allowed"],
  ]);
});

test("[MAN-02] an unknown account, a wrong right and an email of several accounts are refused", async () => {
  expect(await users("enable", "nobody@example.org")).toEqual(failed("There is no account 'nobody@example.org'."));
  const email = "shared@example.org";
  const [one, two] = [
    await createUser({ email, username: "shared-1" }),
    await createUser({ email, username: "shared-2" }),
  ];
  expect(await users("grant", email, "Admin")).toEqual(
    failed(`Several accounts share the email '${email}'. Give a user name: shared-1, shared-2`),
  );
  expect(await users("grant", "shared-2", "Owner")).toMatchObject({ code: 1 });
  expect(await users("grant", "shared-2", "Admin")).toEqual(done("Granted Admin to shared-2"));
  expect([(await storedUser(one)).isAdmin, (await storedUser(two)).isAdmin]).toEqual([false, true]);
});

test("operators grant and withdraw a right of staff by its name, and the audit trail has the operator's name", async () => {
  const { email, username, ...user } = await createUser();
  const right = "Registration officer";
  expect(await users("grant", email, right, "--operator", "ian")).toEqual(done(`Granted ${right} to ${username}`));
  expect((await users("list")).out).toMatch(new RegExp(`${username}.*Applicant, ${right}`));
  expect(await users("withdraw", email, "registration-officer")).toEqual(done(`Withdrew ${right} from ${username}`));
  expect((await auditAbout(user)).map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual([
    `command line (ian): Granted the right ${right}.`,
    `command line (hanna): Withdrew the right ${right}.`,
  ]);
});

test("operators reset the second factors of an account as the last resort, with their name and the reason in the audit trail", async () => {
  const user = await createUser();
  const given = ["--operator", "Petra Holt", "--reason", "Lost the phone; came in person"];
  expect(await users("reset-factor", user.email, ...given)).toEqual(failed("The account has no second factor."));
  await giveApp(user);
  const visitor = await signedInAs({ ...user, proof: "totp" });
  expect(await users("reset-factor", user.email, ...given.slice(0, 2))).toMatchObject({ code: 1 });
  expect(await users("reset-factor", user.email, ...given.slice(2))).toMatchObject({ code: 1 });
  expect(await findUser(visitor.get("/"))).not.toBeNull();
  expect(await users("reset-factor", user.email, ...given)).toEqual(
    done(`Reset the second factors of ${user.username}`),
  );
  expect(await findUser(visitor.get("/"))).toBeNull();
  expect(await getDb().selectFrom("recoveryCodes").selectAll().where("userId", "=", user.id).execute()).toEqual([]);
  const entry = (await auditAbout(user)).at(-1);
  expect(`${entry?.actorName}: ${entry?.message}`).toBe(
    "command line (Petra Holt): Reset the second factors: Lost the phone; came in person",
  );
});
