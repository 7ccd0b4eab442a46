import { expect, test } from "vitest";
import * as index from "~/routes/_public._index";
import * as login from "~/routes/_public.login";
import { createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();

test.each([
  ["/", index],
  ["/login", login],
] as const)("[PUB-01] %s shows the login screen: fields, Login, and the two links", async (path, route) => {
  // The test build has no page at the root route. tests/http requests it from the running portal.
  const { status, html } = await openPage(route, await anonymous(), `/screen${path}`);
  expect(status).toBe(200);
  expect(textsOf(html, 'label[for="login-email"]')).toEqual(["Email"]);
  // Not type="email": with it, browsers without scripts would refuse imported user names.
  const email = select(html, "input#login-email").attr();
  expect(email).toMatchObject({ name: "email", type: "text", autocomplete: "username" });
  expect(textsOf(html, 'label[for="login-password"]')).toEqual(["Password"]);
  expect(select(html, "input#login-password").attr()).toMatchObject({ name: "password", type: "password" });
  expect(textsOf(html, '#login button[type="submit"]')).toEqual(["Login"]); // the only submit button, so Enter presses it
  expect(textsOf(html, 'a[href="/register"]')).toContain("Register a new account");
  expect(textsOf(html, 'a[href="/forgot-password"]')).toContain("Forgotten your password?");
});

test("[PUB-02] the login screen shows the welcome text and the info blocks on codes and certificates", async () => {
  const text = pageText((await openPage(index, await anonymous(), "/screen")).html);
  for (const part of [
    "New customers can register.",
    "Existing customers can log in with email and password.",
    "Several existing accounts with the same email can be merged into one account.",
    "Identification codes A coding system for companies and sub-entities such as plants, warehouses, departments and file-transfer workstations.",
    "Digital certificates File encryption, proof of origin and integrity checking",
  ])
    expect(text).toContain(part);
});

test("[PUB-01] a logged-in user is redirected from both to the dashboard", async () => {
  const visitor = await signedInAs(await createUser());
  for (const [path, route] of [
    ["/", index],
    ["/login", login],
  ] as const) {
    const answer = await run(route.loader, visitor.get(path));
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/home/dashboard"]);
  }
});
