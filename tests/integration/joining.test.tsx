import { describe, expect, test } from "vitest";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as register from "~/routes/_public.register/route";
import * as companyPage from "~/routes/home.company/route";
import * as memberPage from "~/routes/home.company_.$id";
import { getDb } from "~db/connection.server";
import { type CompanyRole } from "~db/tables";
import { acting } from "../support/acting";
import { auditAbout } from "../support/administration";
import { createColleague, invitationsTo, invite, personOf, rolesIn } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PATH = "/home/company";

const sendInvitation = async (visitor: Visitor, email: string, role: CompanyRole = "reader") =>
  run(companyPage.action, await visitor.post(PATH, { email, role }));

const accept = async (visitor: Visitor, token: string) =>
  run(invitationPage.action, await visitor.post(`/invitation/${token}`), { token });

/** Lets a browser follow an answer. Returns the message on the next page. */
function toastAfter(visitor: Visitor, answer: Response): Promise<string | undefined> {
  visitor.follow(answer);
  return toastOf(visitor);
}

describe("an invitation to a company", () => {
  test("leads to the company with its message, also when the own company has no details yet", async () => {
    const owner = await createUser({ company: "Example Gears Ltd" });
    const known = await createUser();
    await getDb()
      .updateTable("companies")
      .set({ companyAddressId: null, invoicingAddressId: null, mailingAddressId: null })
      .where("id", "=", known.companyId)
      .execute();
    const joining = await signedInAs(known);
    expect((await run(companyPage.loader, joining.get(PATH))).headers.get("Location")).toMatch(
      /^\/complete-registration/,
    );
    const answer = await accept(joining, await invite(owner, known.email));
    expect(answer.headers.get("Location")).toBe(PATH);
    joining.follow(answer);
    expect(await toastOf(joining)).toMatch(/^You are now a member of Example Gears/);
  });

  test("lets a person with an account join, once; a person without one registers and confirms the address with it", async () => {
    const owner = await createUser({ company: "Example Gears Ltd" });
    const visitor = await signedInAs(owner);
    const known = await createUser();
    expect((await sendInvitation(visitor, known.email.toUpperCase(), "technical")).status).toBe(303);
    const [token = ""] = await invitationsTo(known.email);
    const joining = await signedInAs(known);
    const { html } = await openPage(invitationPage, joining, `/invitation/${token}`, { params: { token } });
    expect(pageText(html)).toContain("Join Example Gears Ltd");
    expect(await toastAfter(joining, await accept(joining, token))).toMatch(/^You are now a member of Example Gears/);
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner", [known.id]: "technical" });
    expect((await personOf(known)).companyId).toBe(owner.companyId);
    const again = await jsonOf<{ refusal: string }>(await accept(joining, token));
    expect(again.refusal).toMatch(/^This invitation was used/);

    const email = "new.colleague@example-gears.com";
    await sendInvitation(visitor, email, "purchaser");
    const [second = ""] = await invitationsTo(email);
    const address = `/register?invitation=${second}`;
    const newcomer = await anonymous();
    const { html: form } = await openPage(register, newcomer, address);
    expect(select(form, 'input[name="company"]').attr("value")).toBe("Example Gears Ltd");
    expect(select(form, 'input[name="email"]').attr("readonly")).toBeDefined();
    const fields = filledRegistration({ email, confirmEmail: email, company: "Something Else" });
    expect((await run(register.action, await newcomer.post(address, fields))).status).toBe(303);
    const account = await getDb().selectFrom("users").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
    expect(account.companyId).toBe(owner.companyId);
    expect(account.emailVerifiedAt).not.toBeNull();
    expect(await rolesIn(owner)).toMatchObject({ [account.id]: "purchaser" });
    expect((await personOf(account)).hasDetailsMissing).toBe(false);
    expect((await auditAbout(account)).map(({ event }) => event)).toEqual(["account.registered", "company.joined"]);
  });

  test("is refused for another address, late, withdrawn or replaced, and an account that exists cannot register again", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const [invited, other] = [await createUser(), await createUser()];
    const first = await invite(owner, invited.email);
    const { refusal } = await jsonOf<{ refusal: string }>(await accept(await signedInAs(other), first));
    expect(refusal).toBe(`This invitation is for ${invited.email}. Log in with an account that has this address.`);
    const { html } = await openPage(invitationPage, await signedInAs(other), `/invitation/${first}`, {
      params: { token: first },
    });
    expect(pageText(html)).toContain(`You are logged in as ${other.email}.`);

    const foreign = filledRegistration({ email: "thief@example.org", confirmEmail: "thief@example.org" });
    const stolen = await run(register.action, await (await anonymous()).post(`/register?invitation=${first}`, foreign));
    expect((await errorsOf(stolen)).errors.form).toMatch(/^This invitation is for/);

    const second = await invite(owner, invited.email, "owner");
    expect((await jsonOf<{ refusal: string }>(await accept(await signedInAs(invited), first))).refusal).toMatch(
      /^This/,
    );
    await getDb().updateTable("invitations").set({ expiresAt: new Date() }).where("endedAt", "is", null).execute();
    expect((await jsonOf<{ refusal: string }>(await accept(await signedInAs(invited), second))).refusal).toMatch(
      /^This/,
    );
    const third = await invite(owner, invited.email);
    const { id } = await getDb().selectFrom("invitations").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
    await run(companyPage.action, await visitor.post(PATH, { withdraw: String(id) }));
    expect((await jsonOf<{ refusal: string }>(await accept(await signedInAs(invited), third))).refusal).toMatch(
      /^This/,
    );
    expect(Object.keys(await rolesIn(owner))).toEqual([String(owner.id)]);
    const page = await run(invitationPage.loader, (await anonymous()).get(`/invitation/${third}`), { token: third });
    expect(page.status).toBe(404);
  });

  test("ends when the owner who sent it is removed or is no owner any more", async () => {
    const owner = await createUser();
    const changes: Record<string, string>[] = [
      { intent: "remove", confirmed: "yes" },
      { intent: "role", role: "reader" },
    ];
    for (const change of changes) {
      const second = await createColleague(owner, "owner");
      const invited = await createUser();
      const token = await invite(second, invited.email, "owner");
      const page = await (await signedInAs(owner)).post(`${PATH}/${second.id}`, change);
      await run(memberPage.action, page, { id: String(second.id) });
      expect((await accept(await signedInAs(invited), token)).status).toBe(422);
    }
  });

  test("is sent by owners only, whose own address is confirmed, and not to members or by an administrator who acts as one", async () => {
    const owner = await createUser();
    const purchaser = await createColleague(owner, "purchaser");
    const visitor = await signedInAs(owner);
    const mine = await sendInvitation(visitor, purchaser.email);
    expect((await errorsOf(mine)).errors).toEqual({ email: "This person is a member of your company already." });
    const colleague = await signedInAs(purchaser);
    expect(await toastAfter(colleague, await sendInvitation(colleague, "x@example.org"))).toBeDefined();
    expect(await mailsTo("x@example.org")).toEqual([]);
    const unconfirmed = await signedInAs(await createUser({ emailVerifiedAt: null }));
    expect((await errorsOf(await sendInvitation(unconfirmed, "x@example.org"))).errors.form).toMatch(/^Please confirm/);
    const { visitor: admin } = await acting(await createAdmin(), owner);
    expect((await sendInvitation(admin, "x@example.org")).status).toBe(403);
    expect(await mailsTo("x@example.org")).toEqual([]);
  });
});
