import { describe, expect, test } from "vitest";
import { forbidsFraming } from "~/domain/frame/frame-problem.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as frameProblem from "~/routes/home.frame-problem.$targetSite.$targetUrl";
import { usePartner } from "../e2e/support/partner";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { setVariable, TEST_ORIGIN } from "../support/variables";
import { anonymous, jsonOf, run, signedInAs } from "../support/visitor";

const { partner, env } = usePartner();
usePortal(env);

async function answerFor(targetSite: string, targetUrl: string, by?: { id: number }) {
  const visitor = await signedInAs(by ?? (await createUser()));
  const request = visitor.get(rarePaths.frameProblem(targetSite, targetUrl));
  const answer = await run(frameProblem.loader, request, { targetSite, targetUrl });
  return { status: answer.status, ...(await jsonOf<{ problem?: unknown; message?: string }>(answer)) };
}

describe("a framed form", () => {
  test.each<[Record<string, string>, number, string | null]>([
    [{}, 200, null],
    [{}, 404, null],
    [{}, 503, "failing"],
    [{ "X-Frame-Options": "DENY" }, 200, "forbidden"],
    [{ "Content-Security-Policy": "frame-ancestors 'none'" }, 200, "forbidden"],
    [{ "Content-Security-Policy": `frame-ancestors ${TEST_ORIGIN}`, "X-Frame-Options": "DENY" }, 200, null],
  ])("[FRM-02] of a partner that answers with %j and status %i: %s", async (headers, status, problem) => {
    Object.assign(partner, { headers, status });
    expect(await answerFor("odette", "forms/apply?secret=1")).toEqual({ status: 200, problem });
    expect(partner.asked.at(-1)).toMatchObject({ method: "HEAD", path: "/forms/apply" });
    expect(partner.asked.at(-1)?.headers).not.toHaveProperty("cookie");
  });

  test("[FRM-02] is requested from the two endpoints only", async () => {
    const before = partner.asked.length;
    expect(await answerFor("odette", "//other.example")).toMatchObject({
      status: 400,
      message: "The address of the form is not valid.",
    });
    expect(partner.asked).toHaveLength(before);
  });

  test("[FRM-02] [DSH-03] cannot be used to flood a partner: an account has 60 requests in 15 minutes, an anonymous visitor none", async () => {
    Object.assign(partner, { headers: {}, status: 200 });
    setVariable("RATE_LIMITS", "on");
    const [eager, other] = [await createUser(), await createUser()];
    const before = partner.asked.length;
    for (let asked = 0; asked < 60; asked += 1) await answerFor("odette", "forms", eager);
    expect(await answerFor("odette", "forms", eager)).toMatchObject({
      status: 429,
      message: expect.stringContaining("at most 60 questions to partners about their forms by one account") as string,
    });
    expect(partner.asked).toHaveLength(before + 60);
    expect(await answerFor("odette", "forms", other)).toMatchObject({ status: 200 });
    const path = rarePaths.frameProblem("odette", "forms");
    const { status, headers } = await run(frameProblem.loader, (await anonymous()).get(path), {
      targetSite: "odette",
      targetUrl: "forms",
    });
    expect([status, headers.get("Location")]).toEqual([302, paths.login(path)]);
    expect(partner.asked).toHaveLength(before + 61);
    setVariable("RATE_LIMITS", "off");
  });

  test("[FRM-02] of a partner that does not answer is reported as unreachable", async () => {
    await partner.stop();
    expect(await answerFor("odette", "forms")).toEqual({ status: 200, problem: "unreachable" });
    await partner.start();
  });

  test.each([
    ["frame-ancestors https://portal.example.org", false],
    ["default-src 'none'; frame-ancestors 'self' portal.example.org", false],
    ["frame-ancestors https://*.example.org:*", false],
    ["frame-ancestors https:", false],
    ["frame-ancestors *", false],
    ["frame-ancestors", true],
    ["frame-ancestors 'self'", true],
    ["frame-ancestors http://portal.example.org", true],
    ["frame-ancestors https://portal.example.org:8443", true],
    ["frame-ancestors https://*.portal.example.org", true],
    ["frame-ancestors *, frame-ancestors 'none'", true],
    ["default-src 'none'", false],
  ])("[FRM-02] with the policy '%s' is refused: %s", (policy, isForbidden) => {
    const headers = new Headers({ "Content-Security-Policy": policy });
    expect(forbidsFraming(headers, new URL("https://portal.example.org"))).toBe(isForbidden);
  });
});
