import { describe, expect, test } from "vitest";
import { unlockAccounts } from "~/domain/accounts/administration/unlock.service.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import * as forgot from "~/routes/_public.forgot-password";
import * as login from "~/routes/_public.login";
import * as link from "~/routes/_public.reset-code_.$token.$email";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { ApiClient } from "../support/api";
import { TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { codesFor, createMember, mailsTo, pathOf, requestCode } from "../support/recovery";
import { anonymous, errorsOf, jsonOf, run } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

const INVALID_PASSWORD =
  "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.";
const LOCKED = "This user account is locked. Please contact support.";
const TOO_MANY_TRIES = "Too many attempts";
/** Returns the message of a rate limit without the name of the limit and the waiting time, and any other message unchanged. */
const limited = (message: string | undefined) =>
  message?.startsWith(`${TOO_MANY_TRIES}: `) ? TOO_MANY_TRIES : message;
const INVALID_ANSWER = "The security answer provided does not match with the one stored in your profile.";
const INVALID_CODE = "The reset code is not valid or it has expired.";

let last = 0;
/** Returns a network that no other test uses, so that the tries of others do not count. */
const network = () => ({ "x-marque-address": `192.0.2.${(last += 1)}` });
async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await work(index));
  return answers;
}
/** Returns how often each answer was given. */
function count(answers: (string | undefined)[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const answer of answers) sums[String(answer)] = (sums[String(answer)] ?? 0) + 1;
  return sums;
}

const tryPassword = async (email: string, password: string, headers = network()) => {
  const visitor = await anonymous();
  const response = await run(login.action, await visitor.post("/login", { email, password }, headers));
  return response.status === 303 ? "in" : limited((await errorsOf(response)).errors.form);
};
const tryCode = async (email: string, resetCode: string, headers = network()) => {
  const visitor = await anonymous();
  const path = pathOf(resetCode, email);
  const request = await visitor.post(path, { resetCode, securityAnswer: "Bello" }, headers);
  const response = await run(link.action, request, { token: resetCode, email });
  if (response.status === 303) return "in";
  const body = await jsonOf<{ info?: string; fieldErrors?: { form?: string } }>(response);
  return body.info ?? limited(body.fieldErrors?.form);
};
const ask = async (email: string, headers = network()) => {
  const visitor = await anonymous();
  return run(forgot.action, await visitor.post("/forgot-password", { email }, headers));
};

describe("guessing passwords", () => {
  test("[LOG-03] of 25 tries from 25 networks, 5 are checked, and the fifth says that the account is locked", async () => {
    const user = await createMember();
    const answers = await times(25, (index) => tryPassword(user.email, `guess ${index}`));
    expect(answers).toEqual([...Array<string>(4).fill(INVALID_PASSWORD), ...Array<string>(21).fill(LOCKED)]);
    expect(await tryPassword(user.email, TEST_PASSWORD)).toBe(LOCKED);
    const stored = await findUserById(getDb(), user.id);
    expect(stored?.lockCount).toBe(1);
    expect(Date.parse(stored?.lockedUntil ?? "")).toBeGreaterThan(Date.now() + 14 * 60_000);
  });

  test("[LOG-03] each further 5 tries lock the account for longer; the right password resets the count", async () => {
    const user = await createMember();
    const untilUnlocked = () => updateUser(getDb(), user.id, { lockedUntil: new Date(Date.now() - 1) });
    for (const minutes of [15, 30]) {
      await times(5, () => tryPassword(user.email, "guess"));
      const { lockedUntil } = (await findUserById(getDb(), user.id)) ?? {};
      const left = Date.parse(lockedUntil ?? "") - Date.now();
      expect(left).toBeGreaterThan((minutes - 1) * 60_000);
      expect(left).toBeLessThanOrEqual(minutes * 60_000);
      await untilUnlocked();
    }
    await times(4, () => tryPassword(user.email, "guess"));
    expect(await tryPassword(user.email, TEST_PASSWORD)).toBe("in");
    expect(await findUserById(getDb(), user.id)).toMatchObject({ failedLogins: 0, lockCount: 0 });
  });

  test("[LOG-03] of 20 simultaneous tries, 5 are checked", async () => {
    const user = await createMember();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tryPassword(user.email, `guess ${index}`)),
    );
    expect(count(answers)).toEqual({ [INVALID_PASSWORD]: 4, [LOCKED]: 16 });
    expect(await findUserById(getDb(), user.id)).toMatchObject({ failedLogins: 0, lockCount: 1 });
  });

  test("[LOG-03] one network has 20 tries at one account; other networks are not affected, and the audit trail records it once", async () => {
    const user = await createMember();
    const headers = network();
    const answers = await times(23, (index) => tryPassword(user.email, `guess ${index}`, headers));
    expect(count(answers)).toEqual({ [INVALID_PASSWORD]: 4, [LOCKED]: 16, [TOO_MANY_TRIES]: 3 });
    await updateUser(getDb(), user.id, { lockedUntil: null });
    expect(await tryPassword(user.email, TEST_PASSWORD, headers)).toBe(TOO_MANY_TRIES);
    expect(await tryPassword(user.email, TEST_PASSWORD)).toBe("in");
    const throttled = (await auditAbout(user)).filter(({ event }) => event === "account.throttled");
    expect(throttled.map(({ message }) => message)).toEqual([
      `Refused further attempts: at most 20 logins to one account from one network within 15 minutes, from the network ${headers["x-marque-address"]}.`,
    ]);
  });

  test("[LOG-03] one network has 60 tries for all accounts", async () => {
    const headers = network();
    const answers = await times(62, (index) => tryPassword(`guess-${index}@example-parts.com`, "x", headers));
    expect(answers.slice(0, 60)).not.toContain(TOO_MANY_TRIES);
    expect(answers.slice(60)).toEqual([TOO_MANY_TRIES, TOO_MANY_TRIES]);
    expect(await tryPassword((await createMember()).email, TEST_PASSWORD)).toBe("in");
  });
});

describe("guessing reset codes", () => {
  test("[REC-04] one network has 20 tries for one email; a stranger's wrong codes use up nobody else's", async () => {
    const { email } = await createMember();
    const { code } = await requestCode(email);
    const stranger = network();
    const wrong = await times(22, (index) => tryCode(email, `guess-${index}`, stranger));
    expect(count(wrong)).toEqual({ [INVALID_CODE]: 20, [TOO_MANY_TRIES]: 2 });
    await times(6, (index) => tryCode(email, `guess-${index}`));
    expect(await tryCode(email, code)).toBe("in");
  });

  test("[REC-04] [API-06] codes in JSON calls count with those of the page", async () => {
    const { email } = await createMember();
    const headers = network();
    const body = JSON.stringify({ emailAddress: email, resetCode: "guess", securityAnswer: "Bello" });
    const enter = async () => {
      const json = { ...headers, "Content-Type": "application/json" };
      const call = "UserSecurity/ValidatePasswordResetData";
      return (await new ApiClient().send(call, { method: "POST", body, headers: json })).status;
    };
    expect(count(await times(19, async () => String(await enter())))).toEqual({ 200: 19 });
    expect(await tryCode(email, "guess", headers)).toBe(INVALID_CODE);
    expect(await tryCode(email, "guess", headers)).toBe(TOO_MANY_TRIES);
    expect(await enter()).toBe(429);
  });

  test("[REC-04] a reader of the mailbox has 10 answers a day for all codes; an administrator's unlock resets them", async () => {
    const user = await createMember();
    const answer = async (code: string, securityAnswer: string) => {
      const request = await (
        await anonymous()
      ).post(pathOf(code, user.email), { resetCode: code, securityAnswer }, network());
      const response = await run(link.action, request, { token: code, email: user.email });
      return response.status === 303 ? "in" : limited((await jsonOf<{ info?: string }>(response)).info);
    };
    for (let codes = 0; codes < 2; codes += 1) {
      const { code } = await requestCode(user.email);
      const answers = await times(5, (index) => answer(code, `Rex ${index}`));
      expect(answers).toEqual([...Array<string>(4).fill(INVALID_ANSWER), INVALID_CODE]);
    }
    const { code } = await requestCode(user.email);
    expect(await answer(code, "Bello")).toBe(TOO_MANY_TRIES);
    await unlockAccounts(user.email, systemActor("test"));
    expect(await answer(code, "Bello")).toBe("in");
  });

  test("[REC-04] one network has 60 tries for all emails", async () => {
    const headers = network();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => tryCode(`guess-${index}@example-parts.com`, "guess", headers)),
    );
    expect(count(answers)).toEqual({ [INVALID_CODE]: 60, [TOO_MANY_TRIES]: 4 });
  });
});

describe("requests for codes", () => {
  test("[REC-01] an email gets 5 messages an hour; an unknown one is refused in the same way", async () => {
    const { email } = await createMember();
    for (const address of [email, "unknown@example-parts.com"]) {
      const answers = await times(7, () => ask(address));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 429, 429]);
      expect((await errorsOf(answers[6] as Response)).errors.form).toMatch(
        /^Too many attempts: at most 5 reset codes for one email address within 60 minutes. Please try again in \d+ (minute|second)s?\.$/,
      );
    }
    expect(await mailsTo(email)).toHaveLength(5);
    expect(new Set(await codesFor(email)).size).toBe(5);
  });

  test("[REC-01] one network has 30 requests an hour", async () => {
    const headers = network();
    const answers = await Promise.all(
      Array.from({ length: 33 }, (_, index) => ask(`ask-${index}@example-parts.com`, headers)),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  });
});
