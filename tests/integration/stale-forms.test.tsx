import { describe, expect, test } from "vitest";
import * as register from "~/routes/_public.register";
import * as contact from "~/routes/home.certificate.purchase.contact-details";
import * as details from "~/routes/home.codes_.code-details";
import * as userManagement from "~/routes/home.user-management";
import { CODE_FORM } from "~/components/codes/code-form";
import { STEP_FORMS } from "~/domain/certificates/purchase.fields";
import { paths } from "~/lib/paths";
import { storedUser } from "../support/administration";
import { ENTITY, open } from "../support/code-details";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, Visitor } from "../support/visitor";
import { CONTACT } from "./purchase-journey";

usePortal();

const SEND_AGAIN =
  "This form was opened before you last logged in or out. Nothing was changed. Please check what it says and send it again.";

/** The token of a page that the same user opened in an earlier session. */
const earlierToken = async (user: { id: number }): Promise<string> => {
  const sent = await (await signedInAs(user)).post("/");
  return new URLSearchParams(await sent.text()).get("csrf") ?? "";
};

/** Somebody who logged in again, and the token of the pages from before. */
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
  test("[LOG-08] [COD-03] a code: nothing is saved, and its page comes back as it was typed", async () => {
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

  test("[LOG-08] [PUR-01] a step of a wizard likewise", async () => {
    const { visitor, csrf } = await loggedInAgain();
    const begun = await run(contact.loader, visitor.get(paths.certificatePurchase("contact-details")));
    const { html } = await openPage(contact, visitor, begun.headers.get("Location") ?? "", {
      fields: { ...CONTACT, csrf, __rvfInternalFormId: STEP_FORMS.contact },
    });
    expect(textsOf(html, "li")).toContain(SEND_AGAIN);
    for (const field of ["name", "email"] as const) expect(valueOf(html, field)).toBe(CONTACT[field]);
  });

  test("[LOG-08] [DSH-03] it is refused with 403, without the passwords and the token that were sent", async () => {
    const { user, visitor, csrf } = await loggedInAgain();
    const typed = { ...USER_FORM, firstName: "Berta", currentPassword: "one that was typed", securityAnswer: "Rex" };
    const { status, errors, values } = await errorsOf(await sendDetails(visitor, { ...typed, csrf }));
    expect([status, errors]).toEqual([403, { form: SEND_AGAIN }]);
    expect(values).toEqual({ ...USER_FORM, firstName: "Berta" });
    expect((await storedUser(user)).firstName).toBe(user.firstName);
  });

  test("[LOG-08] [DSH-03] only when the browser says that the portal's own page sent it", async () => {
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

  test("[DSH-03] a form of buttons only, another user's, and that of a browser without cookies get a page that says so", async () => {
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

  test("[REG-03] [LOG-08] that of somebody who is not signed in, from before an account was logged out", async () => {
    const earlier = new URLSearchParams(await (await (await anonymous()).post("/register")).text()).get("csrf") ?? "";
    const fields = { __rvfInternalFormId: "register", firstName: "Berta", csrf: earlier };
    const { errors, values } = await errorsOf(
      await run(register.action, await (await anonymous()).post("/register", fields)),
    );
    expect([errors, values.firstName]).toEqual([{ form: SEND_AGAIN }, "Berta"]);
  });
});
