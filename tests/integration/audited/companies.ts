import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { getDb } from "~db/connection.server";
import { type Deed, deed } from "../../support/audited";
import { createColleague, invite } from "../../support/companies";
import { createStaff, createUser } from "../../support/factories";
import { signedInAs } from "../../support/visitor";

/** Returns the request of an owner about a colleague. */
const changing = (fields: Record<string, string>) => async () => {
  const owner = await createUser();
  const { id } = await createColleague(owner, "reader");
  return { visitor: await signedInAs(owner), fields, path: paths.companyMember(id), params: { id: String(id) } };
};

/** Actions about companies and their members, by route. */
export const COMPANIES: Record<string, readonly Deed[]> = {
  "home.company": [
    deed("inviting a colleague", ["company.invited"], async () => ({
      visitor: await signedInAs(await createUser()),
      fields: { email: "colleague@example-parts.com", role: "reader" },
    })),
    deed("withdrawing an invitation", ["company.invitation-withdrawn"], async () => {
      const owner = await createUser();
      await invite(owner, "colleague@example-parts.com");
      const { id } = await getDb()
        .selectFrom("invitations")
        .select("id")
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      return { visitor: await signedInAs(owner), fields: { withdraw: String(id) } };
    }),
  ],
  "home.company_.$id": [
    deed("changing a role", ["company.role-changed"], changing({ intent: "role", role: "owner" })),
    deed("handing a company over", ["company.handed-over"], changing({ intent: "hand-over", confirmed: "yes" })),
    deed("removing a member", ["company.member-removed"], changing({ intent: "remove", confirmed: "yes" })),
    deed("leaving a company", ["company.left"], async () => {
      const member = await createColleague(await createUser(), "reader");
      const fields = { intent: "remove", confirmed: "yes" };
      const place = { path: paths.companyMember(member.id), params: { id: String(member.id) } };
      return { visitor: await signedInAs(member), fields, ...place };
    }),
  ],
  "home.companies.$id": [
    deed("writing a note about a company", ["company.note-added"], async () => {
      const { companyId } = await createUser();
      const place = { path: paths.companyPage(companyId), params: { id: String(companyId) } };
      return { visitor: await signedInAs(await createStaff(["finance"])), fields: { note: "Pays late." }, ...place };
    }),
  ],
  "company-choice": [
    deed("choosing a company", ["company.chosen"], async () => {
      const person = await createColleague(await createUser(), "reader");
      const own = getDb().selectFrom("memberships").select("companyId").where("userId", "=", person.id);
      const { companyId } = await own.where("companyId", "!=", person.companyId).executeTakeFirstOrThrow();
      return { visitor: await signedInAs(person), fields: { company: String(companyId) } };
    }),
  ],
  "_public.invitation.$token": [
    deed("joining a company", ["company.joined"], async () => {
      const [owner, invited] = [await createUser(), await createUser()];
      const token = await invite(owner, invited.email);
      return { visitor: await signedInAs(invited), path: rarePaths.invitation(token), params: { token } };
    }),
  ],
};
