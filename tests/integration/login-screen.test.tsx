import { expect, test } from "vitest";
import * as index from "~/routes/_public._index";
import * as login from "~/routes/_public.login";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();

const words = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test.each([
  ["/", index],
  ["/login", login],
] as const)("[PUB-01] %s shows the login screen: fields, Login, and the two links", async (path, route) => {
  // The harness has no page at the root itself; tests/http asks the running portal for it.
  const { status, html } = await openPage(route, await anonymous(), `/screen${path}`);
  expect(status).toBe(200);
  expect(html).toMatch(/<label for="login-email">Email<\/label>.*<input [^>]*name="email"/);
  // Not type="email", which browsers without scripts would keep imported user names out with.
  expect(/<input [^>]*name="email"[^>]*>/.exec(html)?.[0]).toMatch(/^(?=.*type="text")(?=.*autoComplete="username")/i);
  expect(html).toMatch(
    /<label for="login-password">Password<\/label>.*<input (?=[^>]*name="password")[^>]*type="password"/,
  );
  const form = /<form [^>]*id="login".*?<\/form>/.exec(html)?.[0] ?? "";
  const buttons = [...form.matchAll(/<button type="submit"[^>]*>(.*?)<\/button>/g)];
  expect(buttons.map(([, caption]) => caption)).toEqual(["Login"]); // the only one: Enter presses it
  expect(html).toMatch(/<a [^>]*href="\/register"[^>]*>Register a new account<\/a>/);
  expect(html).toMatch(/<a [^>]*href="\/forgot-password"[^>]*>Forgotten your password\?<\/a>/);
});

test("[PUB-02] the welcome text and the info blocks on codes and certificates", async () => {
  const text = words((await openPage(index, await anonymous(), "/screen")).html);
  for (const part of [
    "New customers can register.",
    "Existing customers can log in with email and password.",
    "Several existing accounts with the same email can be merged into one account.",
    "Identification codes A coding system for companies and sub-entities such as plants, warehouses, departments and file-transfer workstations.",
    "Digital certificates File encryption, proof of origin and integrity checking",
  ])
    expect(text).toContain(part);
});

test("[PUB-01] who is signed in goes from both to the dashboard", async () => {
  const visitor = await signedInAs(await createUser());
  for (const [path, route] of [
    ["/", index],
    ["/login", login],
  ] as const) {
    const answer = await run(route.loader, visitor.get(path));
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/home/dashboard"]);
  }
});
