import { beforeEach, describe, expect, test } from "vitest";
import { SIGN_ON_REFUSALS, type SignOnRefusal } from "~/domain/accounts/single-sign-on/refusals";
import { findUser } from "~/http/guard.server";
import * as login from "~/routes/_public.login";
import * as start from "~/routes/_public.login_.sso/route";
import { getDb } from "~db/connection.server";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { IdentityProvider, useIdentityProvider } from "../support/identity-provider";
import { usePortal } from "../support/portal";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { comeBack, goThroughProvider, newClient, refusedWith, signOn } from "../support/sign-on";
import { setVariable } from "../support/variables";
import { anonymous, jsonOf, run } from "../support/visitor";

usePortal();
const provider = useIdentityProvider();

const PERSON = { sub: "stella", email: "stella@example.org", email_verified: true, groups: ["ca-officers"] };

beforeEach(async () => {
  await forgetSecurityEvents();
  provider.person = PERSON;
});

/** Checks that the answer is the page of this refusal, and that the one event about it says why. */
async function expectRefusal(answer: Response, reason: SignOnRefusal): Promise<void> {
  const { status, text, detail } = SIGN_ON_REFUSALS[reason];
  expect(await refusedWith(answer)).toEqual([status, text]);
  const refusals = (await securityEvents()).filter(({ event }) => event === "sign-on.refused");
  expect(refusals.map((event) => event.detail)).toEqual([detail]);
  await forgetSecurityEvents();
}

describe("a mixed-up answer", () => {
  test("the state of another browser opens no session, and the owner of the login can go on", async () => {
    const [owner, other] = [await anonymous(), await anonymous()];
    const back = await goThroughProvider(owner);
    await expectRefusal(await comeBack(other, back), "state");
    expect(await findUser(other.get("/"))).toBeNull();
    await goThroughProvider(other);
    await expectRefusal(await comeBack(other, back), "state");
    expect((await comeBack(owner, back)).status).toBe(303);
  });

  test("an answer counts once, also with the cookie from before", async () => {
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    const { cookie } = visitor;
    expect((await comeBack(visitor, back)).status).toBe(303);
    visitor.cookie = cookie;
    await expectRefusal(await comeBack(visitor, back), "state");
  });

  test("an answer without state, or after ten minutes, is refused", async () => {
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    await expectRefusal(await comeBack(visitor, back.replace(/state=[^&]*&?/, "")), "state");
    await getDb().updateTable("tokens").set({ expiresAt: new Date() }).where("purpose", "=", "sign-on").execute();
    await expectRefusal(await comeBack(visitor, back), "state");
  });

  test("a code that another login has used is refused", async () => {
    const first = await anonymous();
    const used = await goThroughProvider(first);
    await comeBack(first, used);
    const code = new URLSearchParams(used.split("?")[1]).get("code") ?? "";
    const second = await anonymous();
    const back = await goThroughProvider(second);
    await expectRefusal(await comeBack(second, back.replace(/code=[^&]*/, `code=${code}`)), "code");
  });

  test("a code of another browser's login does not fit the secret of this one", async () => {
    const stolen = new URLSearchParams((await goThroughProvider(await anonymous())).split("?")[1]).get("code") ?? "";
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    await expectRefusal(await comeBack(visitor, back.replace(/code=[^&]*/, `code=${stolen}`)), "code");
  });

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>, SignOnRefusal]>([
    ["nonce of another login", (claims) => ({ ...claims, nonce: "another" }), "nonce"],
    ["no nonce", ({ nonce: _, ...claims }) => claims, "token"],
    ["token of another client", (claims) => ({ ...claims, aud: "another-client" }), "audience"],
    ["token for several clients", (claims) => ({ ...claims, aud: ["marque", "x"], azp: "x" }), "audience"],
    ["token of another issuer", (claims) => ({ ...claims, iss: "https://evil.example" }), "issuer"],
    ["token that has expired", (claims) => ({ ...claims, exp: 1_700_000_000 }), "expired"],
    ["token without subject", ({ sub: _, ...claims }) => claims, "token"],
  ])("%s", async (_, alter, reason) => {
    provider.alter = alter;
    const visitor = await anonymous();
    await expectRefusal(await signOn(visitor), reason);
    expect(await findUser(visitor.get("/"))).toBeNull();
  });

  test("a token that the provider did not sign is refused", async () => {
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    provider.signsWrongly = true;
    await expectRefusal(await comeBack(visitor, back), "token");
  });

  test("the answer of another issuer (RFC 9207), and one without the issuer, are refused", async () => {
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    await expectRefusal(await comeBack(visitor, back.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fevil.example")), "issuer");
    const again = await goThroughProvider(visitor);
    await expectRefusal(await comeBack(visitor, again.replace(/&?iss=[^&]*/, "")), "issuer");
  });

  test("a login that was denied at the provider is said so", async () => {
    provider.person = null;
    await expectRefusal(await signOn(await anonymous()), "denied");
  });
});

test("a network has a limited number of steps", async () => {
  setVariable("RATE_LIMITS", "on");
  const visitor = await anonymous();
  const answers = [];
  for (let step = 0; step < 121; step += 1)
    answers.push(await comeBack(visitor, "/login/sso/callback?state=guessed", clientFrom("198.51.100.9")));
  setVariable("RATE_LIMITS", "off");
  expect(new Set(answers.slice(0, -1).map(({ status }) => status))).toEqual(new Set([400]));
  expect([answers.at(-1)?.status, await answers.at(-1)?.text()]).toEqual([
    429,
    expect.stringContaining("120 steps of single sign-on from one network"),
  ]);
});

describe("a provider that cannot be reached", () => {
  test("gives a page that says so, and the password form still works", async () => {
    const visitor = await anonymous();
    const back = await goThroughProvider(visitor);
    provider.isDown = true;
    await expectRefusal(await comeBack(visitor, back), "unreachable");
    const { port } = new URL(provider.issuer);
    setVariable("OIDC_ISSUER", `http://localhost:${port}`);
    await expectRefusal(await run(start.loader, visitor.get("/login/sso", newClient())), "unreachable");
    setVariable("OIDC_ISSUER", provider.issuer);
    const { email } = await createUser();
    const answer = await run(login.action, await visitor.post("/login", { email, password: TEST_PASSWORD }));
    expect(answer.status).toBe(303);
  });

  test("is asked again at the next login", async () => {
    const second = new IdentityProvider();
    const { OIDC_ISSUER = "" } = await second.start();
    second.isDown = true;
    setVariable("OIDC_ISSUER", OIDC_ISSUER);
    await expectRefusal(await run(start.loader, (await anonymous()).get("/login/sso", newClient())), "unreachable");
    second.isDown = false;
    second.person = { ...PERSON, sub: "other" };
    expect((await run(start.loader, (await anonymous()).get("/login/sso"))).status).toBe(302);
    await second.stop();
    setVariable("OIDC_ISSUER", provider.issuer);
  });
});

describe("single sign-on that is off", () => {
  test("has no page and no link", async () => {
    const visitor = await anonymous();
    expect(await jsonOf(await run(login.loader, visitor.get("/login")))).toMatchObject({ signOn: "Example ID" });
    setVariable("OIDC_ISSUER", "");
    setVariable("OIDC_CLIENT_ID", "");
    setVariable("OIDC_CLIENT_SECRET", "");
    expect(await jsonOf(await run(login.loader, visitor.get("/login")))).toMatchObject({ signOn: null });
    expect((await run(start.loader, visitor.get("/login/sso"))).status).toBe(404);
    expect((await comeBack(visitor, "/login/sso/callback?code=a&state=b")).status).toBe(404);
    setVariable("OIDC_ISSUER", provider.issuer);
    setVariable("OIDC_CLIENT_ID", "marque");
    setVariable("OIDC_CLIENT_SECRET", "the portal's secret at the provider");
  });
});
