import { describe, expect, test } from "vitest";
import { startPasskeyAdd } from "~/domain/accounts/factors/passkeys.service.server";
import { FACTOR_REFUSALS } from "~/domain/accounts/factors/refusals";
import { findUser } from "~/http/guard.server";
import * as factorPage from "~/routes/_public.login_.factor/route";
import * as page from "~/routes/_public.second-factors/route";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import { getDb } from "~db/connection.server";
import { deleteFactor, listFactors } from "~db/repositories/second-factors.server";
import { inTransaction } from "~db/transaction.server";
import { acting } from "../support/acting";
import { auditAbout } from "../support/administration";
import { Authenticator } from "../support/authenticator";
import { createAdmin, createUser } from "../support/factories";
import { enterPassword } from "../support/factors";
import { pageText, select, textsOf } from "../support/page";
import {
  askToAdd,
  askToUse,
  givePasskey,
  LOGIN_FACTOR,
  optionsToAdd,
  optionsToUse,
  postAddition,
  sendAddition,
  sendUse,
} from "../support/passkeys";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { clientFrom, securityEvents } from "../support/security-events";
import { sessionsOf } from "../support/sessions";
import { TEST_ORIGIN } from "../support/variables";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const ELSEWHERE = "https://portal.test.example";

const passkeysOf = ({ id }: { id: number }) => listFactors(getDb(), id);

/** An account with a passkey, and a browser in which the password was right. */
async function waiting() {
  const user = await createUser();
  const authenticator = await givePasskey(user);
  const { visitor } = await enterPassword(user);
  return { user, authenticator, visitor };
}

let last = 0;
/** Returns the client headers of an address that no other request uses. */
const fromElsewhere = () => clientFrom(`198.51.${100 + (last % 100)}.${(last += 1)}`);

/** Expects that a form was refused with these words, and that this is a security event about the account. */
async function expectEvent(
  user: { id: number },
  answer: Response,
  headers: Record<string, string>,
  words: RegExp,
  name = "factor.refused",
) {
  const { status, errors } = await errorsOf(answer);
  expect([status, errors]).toEqual([422, { form: expect.stringMatching(words) as string }]);
  const { detail } = Object.values(FACTOR_REFUSALS).find(({ text }) => text === errors.form) ?? {};
  const event = { event: name, outcome: "failure", userId: user.id, detail };
  const found = (await securityEvents()).filter(({ address }) => address === headers["x-marque-address"]);
  expect(found).toMatchObject([event]);
}

/** Expects that an answer on the second page of the login is refused with these words, and that nobody is logged in. */
async function expectRefused(
  { visitor, user }: { visitor: Visitor; user: { id: number } },
  answer: string,
  words: RegExp,
  event = "factor.refused",
) {
  const headers = fromElsewhere();
  await expectEvent(user, await sendUse(visitor, answer, headers), headers, words, event);
  expect(await findUser(visitor.get("/"))).toBeNull();
}

/** Makes all challenges of an account older by some milliseconds. */
async function ageChallenges({ id }: { id: number }, by: number) {
  const tokens = await getDb().selectFrom("tokens").selectAll().where("userId", "=", id).execute();
  for (const token of tokens.filter(({ purpose }) => purpose.startsWith("passkey-")))
    await getDb()
      .updateTable("tokens")
      .set({ expiresAt: new Date(Date.parse(token.expiresAt) - by) })
      .where("id", "=", token.id)
      .execute();
}

const problemsOf = (html: string) => textsOf(html, "[role=alert] li");

const MINUTE = 60_000;

describe("adding a passkey", () => {
  test("[USR-01] its name, key and counter are stored; the recovery codes of a first factor are shown once", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const options = await optionsToAdd(visitor);
    expect(options).toMatchObject({
      rp: { id: "portal.test", name: "Supply Chain CA" },
      user: { name: user.username },
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    });
    const authenticator = new Authenticator();
    const { html } = await sendAddition(visitor, authenticator.add(options), "Key ring");
    expect(textsOf(html, ".codes li")).toHaveLength(10);
    expect(await passkeysOf(user)).toMatchObject([
      {
        kind: "passkey",
        name: "Key ring",
        credentialId: authenticator.id,
        counter: 1,
        transports: "usb",
        secret: null,
      },
    ]);
    expect((await auditAbout(user)).find(({ event }) => event === "account.factor-added")?.message).toBe(
      "The second factor was added: Passkey: Key ring.",
    );
    expect((await mailsTo(user.email)).at(-1)?.subject).toBe("A second factor of your account was added");
    const again = await optionsToAdd(visitor, "Second key");
    expect(again.excludeCredentials).toMatchObject([{ id: authenticator.id, transports: ["usb"] }]);
    expect(again.user.id).toBe(options.user.id);
  });

  test("[USR-01] its name is checked before the authenticator stores anything", async () => {
    const user = await createUser();
    await givePasskey(user);
    const visitor = await signedInAs(user);
    const session = getDb().updateTable("sessions").set({ provedAt: new Date(), provedBy: "passkey" });
    await session.where("userId", "=", user.id).execute();
    for (const [name, words] of [
      ["", "This field is required."],
      ["x".repeat(61), "Entered value is not valid."],
      ["key RING", "Another factor has this name already."],
    ] as const)
      expect((await errorsOf(await askToAdd(visitor, name))).errors).toEqual({ name: words });
  });

  test.each<
    [what: string, answer: (key: Authenticator, options: Awaited<ReturnType<typeof optionsToAdd>>) => string, RegExp]
  >([
    ["of another origin", (key, options) => key.add(options, { origin: ELSEWHERE }), /made for another site/],
    ["in a frame of another site", (key, options) => key.add(options, { crossOrigin: true }), /made for another site/],
    ["of another site", (key, options) => key.add(options, { rpId: "portal.test.example" }), /made for another site/],
    ["to a challenge of nobody", (key, options) => key.add({ ...options, challenge: "AAAA" }), /does not belong/],
    ["that is no JSON", () => "{", /could not be read/],
    ["that is empty", () => "", /could not be read/],
    ["with other JSON", () => '{"id":1,"response":null}', /could not be read/],
    [
      "with a broken attestation",
      (key, options) => {
        const answer = JSON.parse(key.add(options)) as { response: { attestationObject: string } };
        answer.response.attestationObject = "gICA";
        return JSON.stringify(answer);
      },
      /could not be read/,
    ],
    [
      "with certificates, whose revocation lists would be fetched",
      (key, options) => key.add(options, {}, ["packed", [["x5c", "none"]]]),
      /is not valid/,
    ],
    [
      "with certificates in a token",
      (key, options) => key.add(options, {}, ["android-safetynet", [["ver", "1"]]]),
      /is not valid/,
    ],
  ])("[USR-01] an answer %s is refused, and visible in the security events", async (_what, answer, words) => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    const headers = fromElsewhere();
    const sent = await postAddition(visitor, answer(new Authenticator(), await optionsToAdd(visitor)), headers);
    await expectEvent(user, sent, headers, words);
    expect(await passkeysOf(user)).toEqual([]);
  });

  test("[USR-01] a challenge counts once, for its session, within five minutes", async () => {
    const [user, other] = [await createUser(), await createUser()];
    const [visitor, elsewhere, stranger] = [await signedInAs(user), await signedInAs(user), await signedInAs(other)];
    const first = new Authenticator().add(await optionsToAdd(visitor));
    for (const thief of [elsewhere, stranger])
      expect(problemsOf((await sendAddition(thief, first)).html)[0]).toMatch(
        /does not belong to this login or session/,
      );
    await sendAddition(visitor, first);
    expect(problemsOf((await sendAddition(visitor, first, "Again")).html)[0]).toMatch(/was used already/);
    const late = new Authenticator().add(await optionsToAdd(visitor, "Late"));
    await ageChallenges(user, 5 * MINUTE);
    expect(problemsOf((await sendAddition(visitor, late, "Late")).html)[0]).toMatch(/after more than 5 minutes/);
    expect(await passkeysOf(user)).toHaveLength(1);
    expect(await passkeysOf(other)).toEqual([]);
  });

  test("[USR-01] the passkey of another account cannot be added", async () => {
    const authenticator = await givePasskey(await createUser());
    const user = await createUser();
    const visitor = await signedInAs(user);
    const { html } = await sendAddition(visitor, authenticator.add(await optionsToAdd(visitor)));
    expect(problemsOf(html)).toEqual(["This passkey has been added already."]);
    expect(await passkeysOf(user)).toEqual([]);
  });

  test("[USR-01] needs a fresh proof, and is not for an administrator who acts as the user", async () => {
    const [admin, user] = [await createAdmin(), await createUser()];
    const visitor = await signedInAs(user);
    const answer = new Authenticator().add(await optionsToAdd(visitor));
    await getDb()
      .updateTable("sessions")
      .set({ provedAt: new Date(Date.now() - 11 * MINUTE) })
      .execute();
    for (const fields of [{ intent: "passkey-options" }, { intent: "passkey-add", answer }]) {
      const asked = await run(page.action, await visitor.post("/second-factors", { ...fields, name: "Key ring" }));
      expect(asked.headers.get("Location")).toMatch(/^\/second-factors\/confirm\?redirectTo=/);
    }
    expect(await passkeysOf(user)).toEqual([]);
    const acts = (await acting(admin, user)).visitor;
    expect((await askToAdd(acts, "Key ring")).status).toBe(403);
    const actor = await findUser(acts.get("/"));
    await expect(actor && startPasskeyAdd(actor)).rejects.toThrow(/second factors/);
  });
});

describe("a passkey on the second page of the login", () => {
  test("[LOG-01] logs in, is recorded with its counter and last use, and is named in the audit trail", async () => {
    const { user, authenticator, visitor } = await waiting();
    const options = await optionsToUse(visitor);
    expect(options).toMatchObject({ rpId: "portal.test", userVerification: "preferred" });
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.id, transports: ["usb"] }]);
    const done = await sendUse(visitor, authenticator.use(options));
    visitor.follow(done);
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    expect((await findUser(visitor.get("/")))?.id).toBe(user.id);
    expect((await sessionsOf(user)).at(-1)).toMatchObject({ provedBy: "passkey" });
    expect((await passkeysOf(user))[0]).toMatchObject({ counter: 2, lastUsedAt: expect.any(String) as string });
    expect((await auditAbout(user)).at(-1)?.message).toBe("Logged in with a passkey as second factor.");
  });

  test("[LOG-01] a passkey without a counter works every time", async () => {
    const user = await createUser();
    const authenticator = await givePasskey(user, new Authenticator(undefined, 0, false));
    for (let times = 0; times < 2; times += 1) {
      const { visitor } = await enterPassword(user);
      expect((await sendUse(visitor, authenticator.use(await optionsToUse(visitor)))).status).toBe(303);
    }
  });

  test("[LOG-01] the page without scripts has the field for codes and no button that does nothing", async () => {
    const { visitor } = await waiting();
    const { html } = await openPage(factorPage, visitor, LOGIN_FACTOR);
    expect(pageText(html)).not.toContain("Use a passkey");
    expect(select(html, 'input[name="code"]')).toHaveLength(1);
  });

  test("[LOG-01] an answer counts once", async () => {
    const { user, authenticator, visitor } = await waiting();
    const answer = authenticator.use(await optionsToUse(visitor));
    expect((await sendUse(visitor, answer)).status).toBe(303);
    const again = await enterPassword(user);
    await expectRefused({ visitor: again.visitor, user }, answer, /does not belong to this login or session/);
    const second = authenticator.use(await optionsToUse(again.visitor));
    const both = await Promise.all([sendUse(again.visitor, second), sendUse(again.visitor, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  test("[LOG-01] an answer that was refused once is used up", async () => {
    const { user, authenticator, visitor } = await waiting();
    const options = await optionsToUse(visitor);
    await expectRefused({ visitor, user }, authenticator.use(options, { origin: ELSEWHERE }), /made for another site/);
    await expectRefused({ visitor, user }, authenticator.use(options), /was used already/);
  });

  test("[LOG-01] a copy shows by its counter: it is refused, and the owner gets one message", async () => {
    const { user, authenticator, visitor } = await waiting();
    const copy = authenticator.copy();
    const own = await enterPassword(user);
    expect((await sendUse(own.visitor, authenticator.use(await optionsToUse(own.visitor)))).status).toBe(303);
    const COPY = /its counter did not grow, so it may be a copy/;
    await expectRefused({ visitor, user }, copy.use(await optionsToUse(visitor)), COPY, "factor.copied");
    copy.counter -= 1;
    await expectRefused({ visitor, user }, copy.use(await optionsToUse(visitor)), COPY, "factor.copied");
    const mails = (await mailsTo(user.email)).filter(({ subject }) => subject === "A passkey was refused");
    expect(mails).toMatchObject([{ text: expect.stringContaining("remove this passkey") as string }]);
    expect((await passkeysOf(user))[0]?.counter).toBe(2);
  });

  test("[LOG-01] an answer made on another site or in its frame is refused", async () => {
    const { user, authenticator, visitor } = await waiting();
    for (const place of [{ origin: ELSEWHERE }, { rpId: "portal.test.example" }, { crossOrigin: true }])
      await expectRefused({ visitor, user }, authenticator.use(await optionsToUse(visitor), place), /for another site/);
  });

  test("[LOG-01] the passkey of another account, an unknown and a removed one are refused with the same words", async () => {
    const { user, authenticator, visitor } = await waiting();
    const foreign = await givePasskey(await createUser());
    for (const key of [foreign, new Authenticator()])
      await expectRefused({ visitor, user }, key.use(await optionsToUse(visitor)), /not one of your account/);
    const answer = authenticator.use(await optionsToUse(visitor));
    const [factor] = await passkeysOf(user);
    await inTransaction((trx) => deleteFactor(trx, { id: factor?.id ?? 0, userId: user.id }));
    await expectRefused({ visitor, user }, answer, /not one of your account/);
  });

  test("[LOG-01] the challenge of another login, account or session is refused", async () => {
    const { user, authenticator, visitor } = await waiting();
    const elsewhere = await enterPassword(user);
    const stranger = await createUser();
    await givePasskey(stranger);
    const other = await enterPassword(stranger);
    const inSession = await signedInAs(user);
    const asked = await run(
      confirmPage.action,
      await inSession.post("/second-factors/confirm", { intent: "passkey-options" }),
    );
    const { options } = await jsonOf<{ options: Awaited<ReturnType<typeof optionsToUse>> }>(asked);
    for (const foreign of [options, await optionsToUse(elsewhere.visitor), await optionsToUse(other.visitor)])
      await expectRefused({ visitor, user }, authenticator.use(foreign), /does not belong to this login or session/);
  });

  test("[LOG-01] an answer after more than five minutes is refused", async () => {
    const { user, authenticator, visitor } = await waiting();
    const answer = authenticator.use(await optionsToUse(visitor));
    await ageChallenges(user, 5 * MINUTE);
    await expectRefused({ visitor, user }, answer, /after more than 5 minutes/);
  });

  test("[LOG-01] a wrong signature is refused, and so is text that is no answer", async () => {
    const { user, authenticator, visitor } = await waiting();
    const forged = new Authenticator(authenticator.id, 5);
    await expectRefused({ visitor, user }, forged.use(await optionsToUse(visitor)), /is not valid/);
    const good = JSON.parse(authenticator.use(await optionsToUse(visitor))) as { response: Record<string, string> };
    const withPart = (part: Record<string, unknown>) =>
      JSON.stringify({ ...good, response: { ...good.response, ...part } });
    const clientData = (data: unknown) => Buffer.from(JSON.stringify(data)).toString("base64url");
    for (const text of [
      "",
      "null",
      "[]",
      "{}",
      "not JSON",
      withPart({ clientDataJSON: "????" }),
      withPart({ clientDataJSON: clientData({ challenge: 5 }) }),
      withPart({ signature: null }),
      "x".repeat(100_000),
    ])
      await expectRefused({ visitor, user }, text, /could not be read/);
    await expectRefused({ visitor, user }, withPart({ authenticatorData: "AAAA" }), /for another site/);
  });

  test("[LOG-01] an account without a passkey gets no challenge", async () => {
    const { user, visitor } = await waiting();
    const [factor] = await passkeysOf(user);
    await inTransaction((trx) => deleteFactor(trx, { id: factor?.id ?? 0, userId: user.id }));
    expect((await errorsOf(await askToUse(visitor))).errors).toEqual({
      form: "Your account has no passkey. Please use a code.",
    });
  });
});

test("[LOG-01] a passkey confirms for ten minutes who is at the browser, in the session that asked only", async () => {
  const user = await createUser();
  const authenticator = await givePasskey(user);
  const [visitor, elsewhere] = [await signedInAs(user), await signedInAs(user)];
  const post = async (browser: Visitor, fields: Record<string, string>) =>
    run(confirmPage.action, await browser.post("/second-factors/confirm", fields));
  const asked = await post(visitor, { intent: "passkey-options" });
  const { options } = await jsonOf<{ options: Awaited<ReturnType<typeof optionsToUse>> }>(asked);
  const stolen = await post(elsewhere, { intent: "passkey", answer: authenticator.use(options) });
  expect((await errorsOf(stolen)).errors.form).toMatch(/does not belong to this login or session/);
  const done = await post(visitor, { intent: "passkey", answer: authenticator.use(options) });
  expect(done.status).toBe(303);
  const proofs = (await sessionsOf(user)).map(({ provedBy }) => provedBy);
  expect(proofs.filter((proof) => proof === "passkey")).toHaveLength(2);
  expect((await auditAbout(user)).at(-1)?.message).toBe("Confirmed with a passkey who is at the browser or program.");
  expect(TEST_ORIGIN).toContain(options.rpId);
});
