import { withZod } from "@remix-validated-form/with-zod";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CODE_FORM } from "~/components/codes/code-form";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { type Shell } from "~/domain/shell";
import { findUser } from "~/http/guard.server";
import { loadShell } from "~/http/shell.server";
import { paths } from "~/lib/paths";
import * as login from "~/routes/_public.login";
import * as register from "~/routes/_public.register/route";
import * as details from "~/routes/home.codes_.code-details/route";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { visit } from "../components/portal";
import { storedUser } from "../support/administration";
import { ENTITY, open } from "../support/code-details";
import { createCode } from "../support/codes";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toldAfter } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { CONTACT } from "./purchase-journey";

const contact = purchase.contact;

usePortal();

const SEND_AGAIN =
  "This form was opened before you last logged in or out. Nothing was changed. Please check what it says and send it again.";

/** Returns the CSRF token of a page that the same user opened in an earlier session. */
const earlierToken = async (user: { id: number }): Promise<string> => {
  const sent = await (await signedInAs(user)).post("/");
  return new URLSearchParams(await sent.text()).get("csrf") ?? "";
};

/** Returns a user who has logged in again, and the CSRF token of the pages from before. */
async function loggedInAgain() {
  const user = await createUser();
  return { user, visitor: await signedInAs(user), csrf: await earlierToken(user) };
}

const USER_FORM = { __rvfInternalFormId: "user-management" };
const PATH = "/home/user-management";

const sendDetails = async (visitor: Visitor, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const request = await visitor.post(PATH, fields, headers);
  for (const [name, value] of Object.entries(headers)) if (value === "") request.headers.delete(name);
  return run(userManagement.action, request);
};

describe("a form that was opened before another login", () => {
  test("[LOG-08] [COD-03] of a code is not saved, and its page comes back as typed", async () => {
    const { user, visitor, csrf } = await loggedInAgain();
    const { id } = await createCode(user);
    const path = paths.codeDetails({ code: id });
    const stored = await (await open(visitor, path)).text();
    const fields = { ...ENTITY, entityName: "Plant Süd" } as Record<string, string>;
    const { html } = await openPage(details, visitor, path, {
      fields: { ...fields, csrf, __rvfInternalFormId: CODE_FORM },
    });
    expect(textsOf(html, "li")).toContain(SEND_AGAIN);
    expect(valueOf(html, "entityName")).toBe("Plant Süd");
    expect(html).not.toContain(csrf);
    expect(await (await open(visitor, path)).text()).toBe(stored);
  });

  test("[LOG-08] [PUR-01] of a wizard's step is not saved, and its page comes back as typed", async () => {
    const { visitor, csrf } = await loggedInAgain();
    const begun = await run(contact.loader, visitor.get(paths.certificatePurchase("contact-details")));
    const { html } = await openPage(contact, visitor, begun.headers.get("Location") ?? "", {
      fields: { ...CONTACT, csrf, __rvfInternalFormId: STEP_FORMS.contact },
    });
    expect(textsOf(html, "li")).toContain(SEND_AGAIN);
    for (const field of ["name", "email"] as const) expect(valueOf(html, field)).toBe(CONTACT[field]);
  });

  test("[LOG-08] [DSH-03] is refused with 403, without the passwords and the token that were sent", async () => {
    const { user, visitor, csrf } = await loggedInAgain();
    const typed = { ...USER_FORM, firstName: "Berta", currentPassword: "one that was typed", securityAnswer: "Rex" };
    const { status, errors, values } = await errorsOf(await sendDetails(visitor, { ...typed, csrf }));
    expect([status, errors]).toEqual([403, { form: SEND_AGAIN }]);
    expect(values).toEqual({ ...USER_FORM, firstName: "Berta" });
    expect((await storedUser(user)).firstName).toBe(user.firstName);
  });

  test("[LOG-08] [DSH-03] is shown again only when the browser says that a page of the portal sent it", async () => {
    const { visitor, csrf } = await loggedInAgain();
    const typed = { ...USER_FORM, firstName: "Berta", csrf };
    const codeFor = async (headers: Record<string, string>) => {
      const response = await sendDetails(visitor, typed, headers);
      expect(response.status).toBe(403);
      return (await jsonOf<{ code?: string }>(response)).code;
    };
    expect(await codeFor({ Origin: "https://evil.example" })).toBe("form.origin");
    expect(await codeFor({ Origin: "null" })).toBe("form.origin");
    expect(await codeFor({ Origin: "", "Sec-Fetch-Site": "cross-site" })).toBe("form.origin");
    expect(await codeFor({ Origin: "" })).toBe("form.csrf");
    for (const site of ["same-site", "none"])
      expect(await codeFor({ Origin: "", "Sec-Fetch-Site": site })).toBe("form.csrf");
    const own = await errorsOf(await sendDetails(visitor, typed, { Origin: "", "Sec-Fetch-Site": "same-origin" }));
    expect(own.errors).toEqual({ form: SEND_AGAIN });
  });

  test("[DSH-03] with buttons only, of another user, or of a browser without cookies gets a page that says so", async () => {
    const { visitor, csrf } = await loggedInAgain();
    const codeFor = async (fields: Record<string, string>) =>
      (await jsonOf<{ code?: string }>(await sendDetails(visitor, { firstName: "Berta", ...fields }))).code;
    expect(await codeFor({ csrf })).toBe("form.csrf");
    expect(await codeFor({ ...USER_FORM, csrf: await earlierToken(await createUser()) })).toBe("form.csrf");
    for (const none of ["", "x"]) expect(await codeFor({ ...USER_FORM, csrf: none })).toBe("form.csrf");
    const fields = { __rvfInternalFormId: "register", firstName: "Berta", csrf };
    const without = await run(register.action, await new Visitor("").post("/register", fields));
    expect((await jsonOf<{ code?: string }>(without)).code).toBe("form.csrf");
  });

  test("[LOG-01] [LOG-08] in two tabs: a login form from before a login in the other tab logs in", async () => {
    const [first, second] = [await createUser(), await createUser()];
    const other = await anonymous();
    const csrf = new URLSearchParams(await (await other.post("/login")).text()).get("csrf") ?? "";
    const visitor = await signedInAs(first);
    const fields = { __rvfInternalFormId: "login", email: second.email, password: TEST_PASSWORD, csrf };
    const response = await run(login.action, await visitor.post("/login", fields));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    visitor.follow(response);
    expect(await findUser(visitor.get("/"))).toMatchObject({ id: second.id });
    const wrong = await errorsOf(
      await run(login.action, await visitor.post("/login", { ...fields, password: "wrong" })),
    );
    expect(wrong).toMatchObject({ status: 422, values: { email: second.email } });
    const foreign = await visitor.post("/login", fields, { Origin: "https://evil.example" });
    expect((await run(login.action, foreign)).status).toBe(403);
  });

  test("[REG-03] [REG-04] in two tabs: a registration from before a login comes back as typed and is accepted when sent again", async () => {
    const csrf = new URLSearchParams(await (await (await anonymous()).post("/register")).text()).get("csrf") ?? "";
    const visitor = await signedInAs(await createUser());
    const fields = filledRegistration({ __rvfInternalFormId: "register" });
    const { status, errors, values } = await errorsOf(
      await run(register.action, await visitor.post("/register", { ...fields, csrf })),
    );
    expect([status, errors]).toEqual([403, { form: SEND_AGAIN }]);
    expect(values).toMatchObject({ firstName: fields.firstName, email: fields.email });
    expect(values).not.toHaveProperty("password");
    const again = await run(register.action, await visitor.post("/register", fields));
    expect(again.headers.get("Location")).toBe("/complete-registration");
    visitor.follow(again);
    expect(await findUser(visitor.get("/"))).toMatchObject({ email: fields.email });
    const twice = await run(register.action, await visitor.post("/register", { ...fields, csrf }));
    expect(twice.headers.get("Location")).toBe("/complete-registration");
  });

  test("[REG-03] [LOG-08] of an anonymous visitor comes back when an account was logged out in the meantime", async () => {
    const earlier = new URLSearchParams(await (await (await anonymous()).post("/register")).text()).get("csrf") ?? "";
    const fields = { __rvfInternalFormId: "register", firstName: "Berta", csrf: earlier };
    const { errors, values } = await errorsOf(
      await run(register.action, await (await anonymous()).post("/register", fields)),
    );
    expect([errors, values.firstName]).toEqual([{ form: SEND_AGAIN }, "Berta"]);
  });
});

describe("a form that is sent after the session has ended", () => {
  const typed = { ...USER_FORM, firstName: "Berta", currentPassword: "one that was typed", securityAnswer: "Rex" };

  /** Sends the form with a session that ends meanwhile. Returns where the browser goes after the next login. */
  async function sendTooLate(user: { id: number; sessionEpoch: number }, fields: Record<string, string> = typed) {
    const visitor = await signedInAs(user);
    const sent = await visitor.post(PATH, fields);
    await updateUser(getDb(), user.id, { sessionEpoch: 1 });
    const response = await run(userManagement.action, sent);
    const target = new URL(response.headers.get("Location") ?? "", "http://portal.test").searchParams.get("redirectTo");
    return { target: target ?? "", told: await toldAfter(response) };
  }

  const shellAt = async (visitor: Visitor, path: string) => jsonOf<Shell>(await loadShell(visitor.get(path)));

  test("[LOG-08] sets no cookie when it is filled in again, because one would undo the message of another loader", async () => {
    const user = await createUser();
    const { target } = await sendTooLate(user);
    const visitor = await signedInAs({ ...user, sessionEpoch: 1 });
    visitor.follow(await loadShell(visitor.get("/home/dashboard"))); // the session has its token
    const answer = await loadShell(visitor.get(target));
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect((await jsonOf<Shell>(answer)).unsent).not.toBeNull();
  });

  test("[LOG-07] [LOG-08] is filled in again after the login, without passwords and answers", async () => {
    const user = await createUser();
    const { target, told } = await sendTooLate(user);
    expect(told).toBe("You have been logged out. What you typed is kept: log in to continue.");
    expect(target).toMatch(/^\/home\/user-management\?unsent=[\w-]{22}$/);
    const visitor = await anonymous();
    const sent = { email: user.email, password: TEST_PASSWORD, redirectTo: target };
    visitor.follow(await run(login.action, await visitor.post("/login", sent)));
    const { unsent, toast } = await shellAt(visitor, target);
    const values = { ...USER_FORM, firstName: "Berta" };
    expect(unsent).toEqual({ formId: "user-management", values, hadSecrets: true });
    expect(toast?.text).toBe("What you typed is in the form again. It is not saved yet.");
    visitor.follow(await loadShell(visitor.get(target)));
    expect((await shellAt(visitor, target)).toast).toBeNull(); // an answer to the form does not repeat it
    expect((await storedUser(user)).firstName).toBe(user.firstName);
  });

  test("[LOG-08] is filled in only for the same user", async () => {
    const { target } = await sendTooLate(await createUser());
    expect((await shellAt(await signedInAs(await createUser()), target)).unsent).toBeNull();
    expect((await shellAt(await anonymous(), target)).unsent).toBeNull();
  });

  test("[DSH-03] [LOG-08] is not kept without the token of the session, or when it cannot be filled in", async () => {
    const told = "You have been logged out. What you typed was not saved.";
    const lost = { target: PATH, told };
    expect(await sendTooLate(await createUser(), { ...typed, csrf: "x" })).toEqual(lost);
    expect(await sendTooLate(await createUser(), { firstName: "Berta" })).toEqual(lost);
  });
});

test("[LOG-08] a page fills its fields with the values that came too late", async () => {
  const unsent = { formId: "contact", values: { name: "Berta" }, hadSecrets: false };
  const view = () => (
    <PortalForm id="contact" validator={withZod(z.object({}))} defaultValues={{ name: "Anna" }}>
      <TextField name="name" label="Name" />
    </PortalForm>
  );
  expect(valueOf((await visit({ view, shell: { unsent } })).html, "name")).toBe("Berta");
  const other = { ...unsent, formId: "other" };
  expect(valueOf((await visit({ view, shell: { unsent: other } })).html, "name")).toBe("Anna");
});
