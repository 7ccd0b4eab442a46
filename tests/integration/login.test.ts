import { describe, expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import { safeRedirect } from "~/http/redirects";
import * as index from "~/routes/_public._index";
import * as login from "~/routes/_public.login";
import * as dashboard from "~/routes/home.dashboard";
import * as details from "~/routes/home.user-management/route";
import * as logout from "~/routes/logout";
import { getDb } from "~db/connection.server";
import { findUserById, updateUser } from "~db/repositories/users.server";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { toldAfter } from "../support/recovery";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, errorsOf, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

const attempt = async (email: string, password: string, more: Record<string, string> = {}) => {
  const visitor = await anonymous();
  const response = await run(login.action, await visitor.post("/login", { email, password, ...more }));
  return { visitor, response };
};

const failure = async (email: string, password: string) =>
  (await errorsOf((await attempt(email, password)).response)).errors.form;

describe("login", () => {
  test("[LOG-06] records the last login and opens the dashboard", async () => {
    const user = await createUser();
    const { visitor, response } = await attempt(user.email.toUpperCase(), TEST_PASSWORD);
    expect(response.headers.get("Location")).toBe("/home/dashboard");
    visitor.follow(response);
    expect((await findUser(visitor.get("/")))?.id).toBe(user.id);
    expect((await findUserById(getDb(), user.id))?.lastLoginAt).not.toBeNull();
  });

  test("[PUB-01] works by the form of the root route", () => {
    expect(index.action).toBe(login.action);
  });

  test("[LOG-01] has messages for missing, too long and invalid values", async () => {
    expect((await errorsOf((await attempt(" ", " ")).response)).errors).toEqual({
      email: "This field is required.",
      password: "This field is required.",
    });
    for (const [email, password, errors] of [
      ["nobody", "x", { email: "Email address is not valid." }],
      ["nobody", "x".repeat(51), { password: "Entered value is not valid." }],
      ["no body@", "x".repeat(51), { email: "Email address is not valid.", password: "Entered value is not valid." }],
      ["anna<b></b>@example-parts.com", "x", { email: "Email address is not valid." }],
      ["x".repeat(201), "x", { email: "Entered value is not valid." }],
    ] as const)
      expect(await errorsOf((await attempt(email, password)).response)).toMatchObject({ status: 422, errors });
    expect((await errorsOf((await attempt(`${"x".repeat(196)}@x.de`, "x")).response)).errors.email).toBe(
      "Entered value is not valid.",
    );
  });

  test("[LOG-01] accepts a user name of up to 200 characters that is no email address", async () => {
    for (const username of ["otto4", "אוטו", "otto < 4 🚗", "o".repeat(199), "o".repeat(200)]) {
      const user = await createUser({ username });
      const { visitor, response } = await attempt(username, TEST_PASSWORD);
      expect([username, response.status]).toEqual([username, 303]);
      visitor.follow(response);
      expect((await findUser(visitor.get("/")))?.id).toBe(user.id);
      expect(await failure(username, "wrong")).toBe(
        "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.",
      );
    }
  });

  test("[LOG-02] has the exact messages of an unknown user name and a wrong password", async () => {
    expect(await failure("nobody@example-parts.com", "x")).toBe(
      "The username you have entered is Invalid. Please re-enter your credentials or register as a new customer.",
    );
    const user = await createUser();
    expect(await failure(user.email, "wrong")).toBe(
      "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.",
    );
  });

  test("[LOG-03] locks the account after five wrong passwords, also against the right one; a disabled account is told so", async () => {
    const user = await createUser();
    for (let count = 0; count < 5; count += 1) await failure(user.email, "wrong");
    expect(await failure(user.email, TEST_PASSWORD)).toBe("This user account is locked. Please contact support.");
    const disabled = await createUser({ isDisabled: true });
    expect(await failure(disabled.email, TEST_PASSWORD)).toBe(
      "This user account has been disabled. Please contact support to get this account re-enabled.",
    );
  });

  test("[LOG-07] opens the page requested before, and only one inside the portal", async () => {
    const anyone = await anonymous();
    const sent = await run(dashboard.loader, anyone.get("/home/dashboard?tab=1"));
    expect(sent.headers.get("Location")).toBe("/login?redirectTo=%2Fhome%2Fdashboard%3Ftab%3D1");
    const user = await createUser();
    const { response } = await attempt(user.email, TEST_PASSWORD, { redirectTo: "/home/certificates?page=2" });
    expect(response.headers.get("Location")).toBe("/home/certificates?page=2");
    for (const target of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/\tevil",
      "/..//evil.example/x",
      "/.//evil.example",
      "/%2e%2e//evil.example",
      "/home/..//evil.example",
      "",
    ])
      expect(safeRedirect(target)).toBe("/home/dashboard");
  });

  test("[LOG-07] sends a user with missing details to complete registration from every page under home", async () => {
    const visitor = await signedInAs(await createUser({ detailsMissing: true }));
    expect((await run(dashboard.loader, visitor.get("/home/dashboard"))).headers.get("Location")).toBe(
      "/complete-registration",
    );
  });
});

describe("the session", () => {
  test("[LOG-08] ends by Log out, a POST that leads to the login", async () => {
    const visitor = await signedInAs(await createUser());
    const response = await run(logout.action, await visitor.post("/logout"));
    expect(response.headers.get("Location")).toBe("/login");
    const copy = new Visitor(visitor.cookie);
    visitor.follow(response);
    expect(await findUser(visitor.get("/"))).toBeNull();
    expect(await findUser(copy.get("/"))).toBeNull();
  });

  test("[LOG-08] [LOG-10] ends at the next request when its epoch was raised or its user disabled, and leads to the root route", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await updateUser(getDb(), user.id, { sessionEpoch: 1 });
    const response = await run(dashboard.loader, visitor.get("/home/dashboard"));
    expect(response.headers.get("Location")).toBe("/");
    expect(await toldAfter(response)).toBe("You have been logged out.");
    const other = await signedInAs({ id: user.id, sessionEpoch: 1 });
    await updateUser(getDb(), user.id, { isDisabled: true });
    expect(await findUser(other.get("/"))).toBeNull();
  });

  test("[LOG-08] tells a form that is sent after its end that nothing was saved", async () => {
    const told = "You have been logged out. What you typed was not saved.";
    const user = await createUser();
    const [visitor, closed] = [await signedInAs(user), await signedInAs(user)];
    const form = await visitor.post("/home/user-management", { firstName: "Berta" });
    await updateUser(getDb(), user.id, { sessionEpoch: 1 });
    const response = await run(details.action, form);
    const back = "redirectTo=%2Fhome%2Fuser-management";
    expect(response.headers.get("Location")).toBe(`/?${back}`);
    expect(await toldAfter(response)).toBe(told);

    // Logged out in another window: the browser has no session any more.
    closed.follow(await run(logout.action, await closed.post("/logout")));
    const late = await run(details.action, await closed.post("/home/user-management", { firstName: "Berta" }));
    expect(late.headers.get("Location")).toBe(`/login?${back}`);
    expect(await toldAfter(late)).toBe(told);
    const opened = await run(details.loader, closed.get("/home/user-management"));
    expect(await toldAfter(opened)).toBeUndefined();
  });

  test("[LOG-08] cannot be forged or altered in its cookie", async () => {
    const { cookie } = await signedInAs(await createUser());
    const [name = "", value = ""] = cookie.split("=");
    const forged = Buffer.from(
      JSON.stringify({ userId: 1, epoch: 0, startedAt: Date.now(), seenAt: Date.now() }),
    ).toString("base64");
    for (const changed of [`${name}=${forged}`, `${name}=${forged}.x`, `${name}=A${value}`])
      expect(await findUser(new Visitor(changed).get("/"))).toBeNull();
  });

  test("[DSH-03] ignores a form without its CSRF token or from another site", async () => {
    const visitor = await signedInAs(await createUser());
    const other = await signedInAs(await createUser());
    const foreign = await other.post("/logout");
    const token = new URLSearchParams(await foreign.text()).get("csrf") ?? "";
    for (const csrf of ["", "x", token])
      expect((await run(logout.action, await visitor.post("/logout", { csrf }))).status).toBe(403);
    const fromElsewhere = await visitor.post("/logout", {}, { Origin: "https://evil.example" });
    expect((await run(logout.action, fromElsewhere)).status).toBe(403);
    const own = await visitor.post("/logout", {}, { Origin: TEST_ORIGIN });
    expect((await run(logout.action, own)).status).toBe(303);
  });
});
