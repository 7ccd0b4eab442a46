import { describe, expect, test } from "vitest";
import * as change from "~/routes/_public.change-password/route";
import * as complete from "~/routes/_public.complete-registration";
import * as consolidate from "~/routes/_public.consolidate-users/route";
import * as login from "~/routes/_public.login";
import * as notice from "~/routes/_public.password-expiry";
import * as verify from "~/routes/_public.verify-email.$token";
import * as invoice from "~/routes/home.invoice.$id";
import * as order from "~/routes/home.sale-orders_.details/route";
import * as logout from "~/routes/logout";
import * as resend from "~/routes/resend-verification";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { createSeveral } from "../support/consolidation";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { select, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { createMember, mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";

const contact = purchase.contact;

usePortal();

const TARGET = "/home/sale-orders/details?order=7&from=page%3D2";
const NEW = "a brand new passphrase";
const withTarget = (page: string, target = TARGET) =>
  `${page}?${new URLSearchParams({ redirectTo: target }).toString()}`;
const placeOf = (response: Response) => response.headers.get("Location") ?? "";

const DETAILS = {
  companyRegistrationNumber: "HRB 12345",
  "companyAddress.addressLine1": "1 Mill Lane",
  "companyAddress.city": "Köln",
  "companyAddress.postalCode": "50667",
  "companyAddress.country": "840",
  useCompanyAddress: "on",
};

/**
 * Opens a page without a session, and logs in with the form that is shown. Returns the visitor, and the address to which the login
 * redirects.
 */
async function logInFrom(target: string, name: string, loader: typeof order.loader = order.loader) {
  const visitor = await anonymous();
  const asked = placeOf(await run(loader, visitor.get(target)));
  const { html } = await openPage(login, visitor, asked);
  const fields = { email: name, password: TEST_PASSWORD, redirectTo: valueOf(html, "redirectTo") };
  const response = await run(login.action, await visitor.post(asked, fields));
  visitor.follow(response);
  return { visitor, next: placeOf(response) };
}

type Page = Parameters<typeof openPage>[0] & { action: typeof complete.action };

/** Sends the form of a page to its `action`, as a browser without scripts does. Returns the address of the redirect. */
async function sendForm(page: Page, visitor: Visitor, place: string, fields = {}) {
  const { html } = await openPage(page, visitor, place);
  const action = select(html, 'main form[method="post"]').attr("action") ?? "";
  const response = await run(page.action, await visitor.post(action, fields));
  visitor.follow(response);
  return placeOf(response);
}

const changePassword = (visitor: Visitor, place: string) =>
  sendForm(change, visitor, place, { password: NEW, confirmPassword: NEW });

const opens = async (visitor: Visitor, place = TARGET) => placeOf(await run(order.loader, visitor.get(place)));

describe("the page requested before the login", () => {
  test("[LOG-07] [CRD-05] opens after missing details have been completed", async () => {
    const { email } = await createUser({ detailsMissing: true });
    const { visitor, next } = await logInFrom(TARGET, email);
    expect(next).toBe(TARGET);
    expect(await opens(visitor)).toBe(withTarget("/complete-registration"));
    // A refused form also keeps the target.
    expect(await sendForm(complete, visitor, withTarget("/complete-registration"), {})).toBe("");
    expect(await sendForm(complete, visitor, withTarget("/complete-registration"), DETAILS)).toBe(TARGET);
  });

  test("[LOG-05] [LOG-07] opens after an expired password and missing details", async () => {
    const { email } = await createMember({ mustChangePassword: true, detailsMissing: true });
    const { visitor, next } = await logInFrom(TARGET, email);
    expect(next).toBe(withTarget("/password-expiry"));
    const toChange = await sendForm(notice, visitor, next);
    expect(toChange).toBe(withTarget("/change-password"));
    const toDetails = await changePassword(visitor, toChange);
    expect(toDetails).toBe(withTarget("/complete-registration"));
    expect(await sendForm(complete, visitor, toDetails, DETAILS)).toBe(TARGET);
  });

  test("[LOG-06] [LOG-07] opens after a merge and missing details", async () => {
    const [user] = await createSeveral({ detailsMissing: true }, { detailsMissing: true });
    const { visitor, next } = await logInFrom(TARGET, user.email);
    const place = await opens(visitor, next);
    expect(place).toBe(withTarget("/consolidate-users"));
    const { version } = await jsonOf<{ version: string }>(await run(consolidate.loader, visitor.get(place)));
    const toDetails = await sendForm(consolidate, visitor, place, { version, confirmed: "yes" });
    expect(toDetails).toBe(withTarget("/complete-registration"));
    expect(await sendForm(complete, visitor, toDetails, DETAILS)).toBe(TARGET);
  });

  test("[CON-03] [LOG-07] is kept by the link that proves the mailbox of several accounts", async () => {
    const [user] = await createSeveral({ emailVerifiedAt: null }, {});
    const { visitor } = await logInFrom(TARGET, user.email);
    const place = await opens(visitor);
    const { html } = await openPage(consolidate, visitor, place);
    const action = withTarget("/resend-verification");
    expect(select(html, `form[action="${action}"]`)).toHaveLength(1);
    expect(placeOf(await run(resend.action, await visitor.post(action)))).toBe(place);
    const [mail] = await mailsTo(user.email);
    const link = /\/verify-email\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const token = /verify-email\/([^?]+)/.exec(link)?.[1] ?? "";
    expect(placeOf(await run(verify.action, await visitor.post(link), { token }))).toBe(place);
  });

  test("[SAL-05] [MAI-01] from an invoice's message opens after the duty", async () => {
    const { email } = await createUser({ detailsMissing: true });
    const { next } = await logInFrom("/home/invoice/12", email, invoice.loader);
    expect(next).toBe(withTarget("/home/file", "/home/invoice/12").replace("redirectTo", "address"));
    const signedIn = await signedInAs(await createUser({ detailsMissing: true }));
    const place = placeOf(await run(invoice.loader, signedIn.get("/home/invoice/12"), { id: "12" }));
    expect(place).toBe(withTarget("/complete-registration", "/home/invoice/12"));
    expect(await sendForm(complete, signedIn, place, DETAILS)).toBe(next);
  });

  test("[LOG-08] is kept by the root route for its login when a session has ended", async () => {
    const user = await createUser();
    const visitor = await signedInAs(user);
    await updateUser(getDb(), user.id, { sessionEpoch: 1 });
    const answer = await run(order.loader, visitor.get(TARGET));
    expect(placeOf(answer)).toBe(withTarget("/"));
  });

  test("[LOG-07] opens after the login when a wizard's step was sent after the session had ended", async () => {
    const { id, email } = await createUser();
    const visitor = await signedInAs({ id });
    const step = placeOf(await run(contact.loader, visitor.get("/home/certificate/purchase/contact-details")));
    const late = await visitor.post(`${step}&_data=routes%2Fhome.certificate.%24wizard.contact-details`);
    visitor.follow(await run(logout.action, await visitor.post("/logout")));
    const ended = await run(contact.action, late);
    expect(placeOf(ended)).toBe(withTarget("/", step));
    visitor.follow(ended);
    const asked = placeOf(await run(contact.action, await visitor.post(step)));
    expect(asked).toBe(withTarget("/login", step));
    const { html } = await openPage(login, visitor, asked);
    expect(valueOf(html, "redirectTo")).toBe(step);
    const fields = { email, password: TEST_PASSWORD, redirectTo: step };
    expect(placeOf(await run(login.action, await (await anonymous()).post(asked, fields)))).toBe(step);
  });

  test("[LOG-07] opens from a login page that was left open in another window", async () => {
    const visitor = await signedInAs(await createUser());
    expect(placeOf(await run(login.loader, visitor.get(withTarget("/login"))))).toBe(TARGET);
    expect(placeOf(await run(login.loader, visitor.get("/login")))).toBe("/home/dashboard");
  });

  test.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/..//evil.example/x",
    "javascript:alert(1)",
  ])("[LOG-07] is never %s", async (target) => {
    const incomplete = await signedInAs(await createUser({ detailsMissing: true }));
    const place = withTarget("/complete-registration", target);
    expect(await sendForm(complete, incomplete, place, DETAILS)).toBe("/home/dashboard");
    for (const [page, path] of [
      [complete, "/complete-registration"],
      [consolidate, "/consolidate-users"],
      [notice, "/password-expiry"],
      [login, "/login"],
    ] as const)
      expect(placeOf(await run(page.loader, incomplete.get(withTarget(path, target))))).toBe("/home/dashboard");
  });
});
