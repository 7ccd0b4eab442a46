import { expect, test } from "vitest";
import { loader as api } from "~/routes/api.$";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { from, logInWith, SAFARI } from "../support/sessions";
import { TEST_ORIGIN } from "../support/variables";
import { run } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

type User = Awaited<ReturnType<typeof createUser>>;

/** An account that was logged in before, from another network. */
const createUsed = (given: Parameters<typeof createUser>[0] = {}) =>
  createUser({ lastLoginAt: new Date("2026-01-05T10:00:00Z"), ...given });

const noticesTo = async ({ email }: User) =>
  (await mailsTo(email)).filter(({ dedupeKey }) => dedupeKey.startsWith("new-login:"));

const newLoginsOf = async (user: User) =>
  (await auditAbout(user)).filter(({ event }) => event === "account.new-login").map(({ message }) => message);

/** Requests an access token as a program does. */
const grant = async ({ email }: User, headers: Record<string, string>) =>
  run(
    api,
    new Request(`${TEST_ORIGIN}/api/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "password", username: email, password: TEST_PASSWORD }),
      headers,
    }),
    { "*": "token" },
  );

test("[LOG-06] the owner is told by mail of a login in a browser where the account was not logged in before", async () => {
  const user = await createUsed();
  await logInWith(user, from("203.0.113.9", SAFARI));
  const [mail] = await noticesTo(user);
  for (const text of ["Safari on iPhone", "203.0.113.9", user.username, "reset your password at once", "UTC"])
    expect(mail?.text).toContain(text);
  expect(await newLoginsOf(user)).toEqual([
    "Logged in from a browser where the account was not logged in before: Safari on iPhone. The owner is told by mail.",
  ]);
});

test("[LOG-06] nobody is told of a login in a known browser, and not of the first login of an account", async () => {
  const fresh = await createUser();
  const browser = await logInWith(fresh, from("203.0.113.9"));
  await logInWith(fresh, from("198.51.100.20"), browser);
  expect(await noticesTo(fresh)).toEqual([]);
  expect(await newLoginsOf(fresh)).toEqual([]);
  await logInWith(fresh, from("203.0.113.9"));
  expect(await noticesTo(fresh)).toHaveLength(1);
});

test("[LOG-06] a browser is new again after a new password", async () => {
  const user = await createUser();
  const browser = await logInWith(user, from("203.0.113.9"));
  await updateUser(getDb(), user.id, { sessionEpoch: 1 });
  await logInWith(user, from("203.0.113.9"), browser);
  expect(await noticesTo(user)).toHaveLength(1);
});

test("[LOG-06] there is one message a day for a browser in one network, and at most ten for an account", async () => {
  const user = await createUsed();
  await logInWith(user, from("203.0.113.9"));
  await logInWith(user, from("203.0.113.9"));
  expect(await noticesTo(user)).toHaveLength(1);
  for (let last = 1; last <= 11; last += 1) await logInWith(user, from(`198.51.100.${last}`));
  expect(await noticesTo(user)).toHaveLength(10);
  const recorded = await newLoginsOf(user);
  expect(recorded).toHaveLength(13);
  expect(recorded.at(-1)).toMatch(/The owner was told of such a login today\.$/);
});

test("[LOG-06] [API-01] the owner is told of a program from a new network, not from a known one", async () => {
  const user = await createUsed();
  expect((await grant(user, from("203.0.113.9", "curl/8.5.0"))).status).toBe(200);
  expect((await grant(user, from("203.0.113.9", "curl/8.5.0"))).status).toBe(200);
  const [mail, ...others] = await noticesTo(user);
  expect(others).toEqual([]);
  expect(mail?.text).toContain("curl/8.5.0");
  expect(await newLoginsOf(user)).toEqual([
    "Logged in from a network where the account was not logged in before: curl/8.5.0. The owner is told by mail.",
  ]);
});

test("[LOG-06] an unconfirmed address gets three messages about security a day; further ones wait", async () => {
  const user = await createUsed({ emailVerifiedAt: null });
  for (let last = 1; last <= 4; last += 1) await logInWith(user, from(`198.51.100.${last}`));
  const waiting = (await noticesTo(user)).map(({ awaitsUserId }) => awaitsUserId);
  expect(waiting).toEqual([null, null, null, user.id]);
});
