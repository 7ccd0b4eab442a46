import { describe, expect, test } from "vitest";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as companyPage from "~/routes/home.company/route";
import { getDb } from "~db/connection.server";
import { type CompanyRole } from "~db/tables";
import { invite } from "../support/companies";
import { createUser } from "../support/factories";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PATH = "/home/company";

/** Sends the form that invites. Returns the message on the next page. */
async function sendInvitation(visitor: Visitor, email: string, role: CompanyRole) {
  visitor.follow(await run(companyPage.action, await visitor.post(PATH, { email, role })));
  return toastOf(visitor);
}

describe("an invitation", () => {
  test("says whose it is to somebody else who is logged in, and how that person joins", async () => {
    const owner = await createUser();
    const known = await createUser();
    const other = await signedInAs(await createUser());
    for (const [email, way] of [
      [known.email, "with the account that has this address."],
      ["nobody.yet@example-gears.com", "to register with this address."],
    ] as const) {
      const token = await invite(owner, email);
      const { html } = await openPage(invitationPage, other, `/invitation/${token}`, { params: { token } });
      expect(pageText(html)).toContain(`This invitation is for ${email}. Log out, and open it again ${way}`);
    }
  });

  test("says which role it replaces", async () => {
    const visitor = await signedInAs(await createUser());
    const invited = (role: CompanyRole) => sendInvitation(visitor, "twice@example-gears.com", role);
    const first = "The invitation is on its way to twice@example-gears.com.";
    expect(await invited("reader")).toBe(first);
    expect(await invited("owner")).toBe(`${first} It replaces the one before, which had the role Reader.`);
  });

  test("that nobody used is shown for two weeks with a button that invites again", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const email = "late@example-gears.com";
    await invite(owner, email, "technical");
    const unused = async (daysAgo: number) => {
      const expiresAt = new Date(Date.now() - daysAgo * 86_400_000);
      await getDb().updateTable("invitations").set({ expiresAt }).where("email", "=", email).execute();
      return (await openPage(companyPage, visitor, PATH)).html;
    };
    expect(pageText(await unused(15))).not.toContain(email);
    const html = await unused(1);
    expect(textsOf(html, "caption")).toContain("Invitations that nobody used");
    const fieldOf = (name: string) => select(html, `input[type=hidden][name=${name}]`).attr("value") ?? "";
    expect([fieldOf("email"), fieldOf("role")]).toEqual([email, "technical"]);
    const again = await sendInvitation(visitor, fieldOf("email"), fieldOf("role") as CompanyRole);
    expect(again).toBe(`The invitation is on its way to ${email}.`);
    const after = (await openPage(companyPage, visitor, PATH)).html;
    expect(textsOf(after, "caption")).toContain("Open invitations");
    expect(textsOf(after, "caption")).not.toContain("Invitations that nobody used");
  });
});
