import { describe, expect, test } from "vitest";
import { administerAccount } from "~/domain/accounts/administration/user-administration.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { findUser } from "~/http/guard.server";
import * as forgot from "~/routes/_public.forgot-password";
import * as login from "~/routes/_public.login";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { auditAbout } from "../support/administration";
import { ApiClient } from "../support/api";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { plainMail } from "../support/mails";
import { usePortal } from "../support/portal";
import { admitted, changePassword, createMember, mailsTo, NEW_PASSWORD } from "../support/recovery";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, run, Visitor } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

const WRONG =
  "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.";
const LOCKED = "This user account is locked. Please contact support.";
const LOCKING = [WRONG, WRONG, WRONG, WRONG, LOCKED];
const DAY = 86_400_000;

let last = 0;
/** Returns a network that no other test uses. */
const network = () => ({ "x-marque-address": `198.51.100.${(last += 1)}` });

async function enter(visitor: Visitor, email: string, password = TEST_PASSWORD, headers = network()) {
  const response = await run(login.action, await visitor.post("/login", { email, password }, headers));
  visitor.follow(response);
  return response.status === 303 ? "in" : (await errorsOf(response)).errors.form;
}

/** A browser in which the account was logged in before. It has the device cookie and no session. */
async function knownBrowser(email: string, password = TEST_PASSWORD): Promise<Visitor> {
  const visitor = await anonymous();
  expect(await enter(visitor, email, password)).toBe("in");
  return logOut(visitor);
}

/** Returns the browser without its session, but with its device cookie. */
async function logOut(visitor: Visitor): Promise<Visitor> {
  const device = visitor.cookie.split("; ").find((cookie) => cookie.startsWith("marque-device="));
  return new Visitor(`${(await anonymous()).cookie}; ${device}`);
}

/** Sends wrong passwords, each from another browser and network. */
async function attack(email: string, count = 5) {
  const answers = [];
  for (let tries = 0; tries < count; tries += 1) answers.push(await enter(await anonymous(), email, `guess ${tries}`));
  return answers;
}

const askForToken = async (username: string, headers: Record<string, string>, password = TEST_PASSWORD) => {
  const body = new URLSearchParams({ grant_type: "password", username, password });
  const answer = await new ApiClient().send("token", { method: "POST", body, headers });
  const { authenticateUserResult: result } = (await answer.json()) as { authenticateUserResult: string };
  return result.split(":")[1];
};

const stored = async ({ id }: { id: number }) => (await findUserById(getDb(), id)) ?? expect.fail("No such account");
const lockMails = async (email: string) => (await mailsTo(email)).filter(({ dedupeKey }) => /locked/.test(dedupeKey));

describe("a lock because of wrong passwords", () => {
  test("[LOG-03] stops unknown browsers and says what holds from then on; a browser that logged in before is not affected", async () => {
    const user = await createUser();
    const known = await knownBrowser(user.email);
    expect(await attack(user.email)).toEqual(LOCKING);
    expect(await enter(await anonymous(), user.email)).toBe(LOCKED);
    expect(await enter(known, user.email)).toBe("in");
    expect((await findUser(known.get("/")))?.id).toBe(user.id);
    expect(await enter(await anonymous(), user.email)).toBe(LOCKED);
  });

  test("[LOG-03] gives a known browser five tries of its own, then locks it like an unknown one; others are not affected", async () => {
    const user = await createUser();
    const [stolen, other] = [await knownBrowser(user.email), await knownBrowser(user.email)];
    await attack(user.email);
    const copies = Array.from({ length: 5 }, () => new Visitor(stolen.cookie));
    const answers = [];
    for (const copy of copies) answers.push(await enter(copy, user.email, "guess"));
    expect(answers).toEqual(LOCKING);
    expect(await enter(stolen, user.email)).toBe(LOCKED);
    expect(await enter(other, user.email)).toBe("in");
    await updateUser(getDb(), user.id, { lockedUntil: null });
    expect(await attack(user.email)).toEqual(LOCKING);
    expect(await enter(stolen, user.email)).toBe(LOCKED);
  });

  test("[LOG-03] also stops unknown browsers after five wrong passwords in a known browser", async () => {
    const user = await createUser();
    const known = await knownBrowser(user.email);
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await enter(known, user.email, "mistyped"));
    expect(answers).toEqual(LOCKING);
    expect(await enter(await anonymous(), user.email)).toBe(LOCKED);
  });

  test("[LOG-03] counts the owner's mistakes in a known browser there only, until the right password", async () => {
    const user = await createUser();
    let known = await knownBrowser(user.email);
    for (let times = 0; times < 3; times += 1) {
      for (let tries = 0; tries < 4; tries += 1) expect(await enter(known, user.email, "mistyped")).toBe(WRONG);
      expect(await enter(known, user.email)).toBe("in");
      known = await logOut(known);
    }
    expect(await stored(user)).toMatchObject({ failedLogins: 0, lockedUntil: null });
  });

  test("[LOG-03] gives no new tries to guessers elsewhere when the owner logs in", async () => {
    const user = await createUser();
    const known = await knownBrowser(user.email);
    await attack(user.email, 4);
    expect(await enter(known, user.email)).toBe("in");
    expect(await attack(user.email, 1)).toEqual([LOCKED]);
  });

  test("[LOG-03] ends after a day, when its wrong passwords are forgotten", async () => {
    const user = await createUser({ failedLogins: 4, lastFailureAt: new Date(Date.now() - DAY - 1000) });
    expect(await attack(user.email, 1)).toEqual([WRONG]);
    expect((await stored(user)).failedLogins).toBe(1);
    await updateUser(getDb(), user.id, { lockCount: 6, lockedUntil: new Date(Date.now() - DAY - 1000) });
    await attack(user.email, 4);
    expect((await stored(user)).lockCount).toBe(1);
  });

  test("[API-06] [LOG-03] for others does not stop a program, which is known by its network", async () => {
    const user = await createUser();
    const office = network();
    expect(await askForToken(user.email, office)).toBe("Success");
    await attack(user.email);
    expect(await askForToken(user.email, network())).toBe("AccountLocked");
    expect(await askForToken(user.email, office)).toBe("Success");
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await askForToken(user.email, office, "guess"));
    expect(answers).toEqual([...Array<string>(4).fill("InvalidPassword"), "AccountLocked"]);
    expect(await askForToken(user.email, office)).toBe("AccountLocked");
  });

  test("[API-06] [LOG-03] does not stop a program's network, known by any login until the password changes", async () => {
    const user = await createMember();
    const office = network();
    expect(await enter(await anonymous(), user.email, TEST_PASSWORD, office)).toBe("in");
    await attack(user.email);
    expect(await enter(await anonymous(), user.email, TEST_PASSWORD, office)).toBe(LOCKED);
    expect(await askForToken(user.email, office)).toBe("Success");
    await changePassword(await admitted(user.email));
    await attack(user.email);
    expect(await askForToken(user.email, office, NEW_PASSWORD)).toBe("AccountLocked");
  });

  test("[LOG-03] does not count tries from a browser's own network against it", async () => {
    const user = await createUser();
    const office = network();
    const known = await knownBrowser(user.email);
    for (let tries = 0; tries < 61; tries += 1)
      await enter(await anonymous(), `nobody-${tries}@example-parts.com`, "x", office);
    expect(await enter(await anonymous(), user.email, TEST_PASSWORD, office)).toMatch(/^Too many attempts: at most 60/);
    expect(await enter(known, user.email, TEST_PASSWORD, office)).toBe("in");
  });
});

test("[REC-01] strangers who request codes of an account do not use up those of a known browser", async () => {
  const user = await createMember();
  const known = await knownBrowser(user.email);
  const ask = async (visitor: Visitor) =>
    (await run(forgot.action, await visitor.post("/forgot-password", { email: user.email }, network()))).status;
  const strangers = [];
  for (let times = 0; times < 6; times += 1) strangers.push(await ask(await anonymous()));
  expect(strangers).toEqual([303, 303, 303, 303, 303, 429]);
  const own = [];
  for (let times = 0; times < 6; times += 1) own.push(await ask(new Visitor(known.cookie)));
  expect(own).toEqual([303, 303, 303, 303, 303, 429]);
});

test("[LOG-03] a known browser is let in any number of times; only wrong passwords count", async () => {
  const user = await createUser();
  const known = await knownBrowser(user.email);
  for (let times = 0; times < 21; times += 1) expect(await enter(new Visitor(known.cookie), user.email)).toBe("in");
});

describe("the device cookie", () => {
  test("[LOG-03] is for the server only, signed, and names nobody", async () => {
    const user = await createUser();
    const request = await (await anonymous()).post("/login", { email: user.email, password: TEST_PASSWORD });
    const set = (await run(login.action, request)).headers.getSetCookie();
    expect(set).toHaveLength(2);
    const [, value = "", attributes] = /^marque-device=([^;]+)(.*)$/.exec(set[1] ?? "") ?? [];
    expect(attributes).toBe(`; Max-Age=${180 * 86_400}; Path=/; HttpOnly; SameSite=Lax`);
    const held = JSON.parse(Buffer.from(decodeURIComponent(value), "base64").toString("utf8")) as object[];
    expect(held).toEqual([
      {
        userId: user.id,
        epoch: 0,
        id: expect.stringMatching(/^[\w-]{22}$/) as string,
        since: expect.any(Number) as number,
      },
    ]);
  });

  test("[LOG-03] is invalid when altered, forged, of another account, too old, or from before a change of password", async () => {
    const [user, other] = [await createMember(), await createMember()];
    const known = await knownBrowser(user.email);
    await attack(user.email);
    const device = /marque-device=([^;]+)/.exec(known.cookie)?.[1] ?? "";
    const { cookie } = await anonymous();
    const forged = Buffer.from(JSON.stringify([{ userId: user.id, epoch: 0, id: "x", since: Date.now() }])).toString(
      "base64",
    );
    for (const bad of [`A${device.slice(1)}`, device.slice(0, -2), `${forged}.AAAA`, forged, "x"])
      expect(await enter(new Visitor(`${cookie}; marque-device=${bad}`), user.email)).toBe(LOCKED);
    expect(await enter(await knownBrowser(other.email), user.email)).toBe(LOCKED);
    await updateUser(getDb(), user.id, { lockedUntil: null });
    await changePassword(await admitted(user.email));
    await attack(user.email);
    expect(await enter(known, user.email, NEW_PASSWORD)).toBe(LOCKED);
  });

  test("[LOG-03] keeps the browser known in which the password is changed, and can be valid for several accounts", async () => {
    const [first, second] = [await createMember({ mustChangePassword: true }), await createMember()];
    const visitor = await anonymous();
    expect(await enter(visitor, first.email)).toBe("in");
    const changed = await changePassword(visitor);
    visitor.follow(changed);
    const known = await logOut(visitor);
    expect(await enter(known, second.email)).toBe("in");
    await attack(first.email);
    await attack(second.email);
    for (const [email, password] of [
      [first.email, NEW_PASSWORD],
      [second.email, TEST_PASSWORD],
    ] as const)
      expect(await enter(await logOut(known), email, password)).toBe("in");
  });
});

describe("the message about a lock is sent", () => {
  test("[LOG-03] to the owner once for a lock, with the user name and what to do", async () => {
    const user = await createUser({ username: `anna.${last}` });
    await attack(user.email, 15);
    const mails = await lockMails(user.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Your account is locked for unknown browsers"]);
    expect(mails[0]?.text).toContain(user.username);
    expect(mails[0]?.text).toContain(`${TEST_ORIGIN}/forgot-password\n`);
    expect((await auditAbout(user)).filter(({ event }) => event === "account.locked")).toMatchObject([
      {
        actorId: null,
        actorName: "login",
        message: expect.stringMatching(
          /^Locked for 15 minutes after 5 wrong passwords, the last one from the network \S+, except where it was logged in before\.$/,
        ) as string,
      },
    ]);
  });

  test("[LOG-03] to all other administrators for an administrator's account, and to none for a customer's", async () => {
    const [olga, otto, closed] = [await createAdmin(), await createAdmin(), await createAdmin({ isDisabled: true })];
    await attack(olga.email, 7);
    expect((await lockMails(olga.email)).map(({ subject }) => subject)).toEqual([
      "Your account is locked for unknown browsers",
    ]);
    const [told, ...more] = await lockMails(otto.email);
    expect(told?.subject).toBe(`The staff account ${olga.username} is locked`);
    expect(told?.text).toContain(`${TEST_ORIGIN}/home/users/${olga.id}\n`);
    expect(more).toEqual([]);
    expect(await lockMails(closed.email)).toEqual([]);
    await attack((await createUser()).email);
    expect(await lockMails(otto.email)).toHaveLength(1);
  });

  test("[LOG-03] at most 3 times a day, however often an account is locked, and once for an unconfirmed address", async () => {
    for (const [given, most] of [
      [{}, 3],
      [{ emailVerifiedAt: null }, 1],
    ] as const) {
      const user = await createUser(given);
      for (let locks = 0; locks < 5; locks += 1) {
        await attack(user.email);
        await updateUser(getDb(), user.id, { lockedUntil: null });
      }
      expect(await lockMails(user.email)).toHaveLength(most);
    }
  });
});

describe("[LOG-03] the message about a lock", () => {
  const buy = async ({ id }: { id: number }, count: number) => {
    const mail = plainMail("Ordered", "Thank you.");
    for (let number = 1; number <= count; number += 1)
      await inTransaction((trx) => queueOwnMail(trx, id, { dedupeKey: `order-confirmation:${id}-${number}`, mail }));
  };

  test.each([
    ["confirmed", {}, 4],
    ["not confirmed", { emailVerifiedAt: null }, 3],
  ] as const)(
    "[LOG-03] [MAI-01] is sent when the day's own messages to an address that is %s are used up",
    async (_, given, sent) => {
      const user = await createUser(given);
      await buy(user, 4);
      await attack(user.email);
      await deliverDueMail();
      const mails = await mailsTo(user.email);
      expect(mails.filter(({ dedupeKey, sentAt }) => /^order/.test(dedupeKey) && sentAt !== null)).toHaveLength(sent);
      expect(await lockMails(user.email)).toMatchObject([
        { subject: "Your account is locked for unknown browsers", sentAt: expect.any(String) as string },
      ]);
    },
  );

  test("[LOG-03] [MAI-01] to an unconfirmed address is sent 3 times a day besides other messages", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    const mail = plainMail("Changed", "Your password was changed.");
    for (let epoch = 1; epoch <= 5; epoch += 1)
      await inTransaction((trx) =>
        queueOwnMail(trx, user.id, { dedupeKey: `password-changed:${user.id}:${epoch}`, mail }),
      );
    await buy(user, 4);
    await deliverDueMail();
    const sent = (await mailsTo(user.email)).filter(({ sentAt }) => sentAt !== null);
    expect(sent.map(({ dedupeKey }) => dedupeKey.split(":")[0])).toEqual([
      ...Array<string>(3).fill("password-changed"),
      ...Array<string>(3).fill("order-confirmation"),
    ]);
  });
});

describe("a lock by an administrator", () => {
  const lock = (id: number) =>
    administerAccount({ action: "lock", id, actor: systemActor("test"), reason: "Stolen laptop" });

  test("[MAN-02] [LOG-03] holds everywhere until an administrator ends it, and ends sessions, tokens and known browsers", async () => {
    const user = await createUser();
    const office = network();
    const [known, open] = [await knownBrowser(user.email), await anonymous()];
    await enter(open, user.email);
    await askForToken(user.email, office);
    await lock(user.id);
    expect(await findUser(open.get("/"))).toBeNull();
    for (const visitor of [known, await anonymous()]) expect(await enter(visitor, user.email)).toBe(LOCKED);
    expect(await askForToken(user.email, office)).toBe("AccountLocked");
    expect((await auditAbout(user)).at(-1)).toMatchObject({
      event: "account.locked",
      message: "Locked the account until an administrator unlocks it: Stolen laptop",
    });
    expect((await lockMails(user.email)).map(({ subject }) => subject)).toEqual(["Your account is locked"]);
    await administerAccount({ action: "unlock", id: user.id, actor: systemActor("test") });
    expect(await enter(await anonymous(), user.email)).toBe("in");
  });

  test("[MAN-02] is ended with all counted tries everywhere", async () => {
    const user = await createUser();
    const known = await knownBrowser(user.email);
    const office = network();
    for (let tries = 0; tries < 21; tries += 1) await enter(await anonymous(), user.email, "guess", office);
    for (let tries = 0; tries < 5; tries += 1) await enter(known, user.email, "guess");
    expect(await enter(await anonymous(), user.email, TEST_PASSWORD, office)).toMatch(/^Too many attempts/);
    expect(await enter(known, user.email)).toBe(LOCKED);
    await administerAccount({ action: "unlock", id: user.id, actor: systemActor("test") });
    await attack(user.email);
    expect(await enter(known, user.email)).toBe("in");
    await administerAccount({ action: "unlock", id: user.id, actor: systemActor("test") });
    expect(await enter(await anonymous(), user.email, TEST_PASSWORD, office)).toBe("in");
  });
});
