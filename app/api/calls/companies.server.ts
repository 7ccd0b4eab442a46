import { z } from "zod";
import { invitationSchema, roleSchema } from "~/domain/companies/companies.schema";
import {
  acceptInvitation,
  inviteMember,
  listInvitationsFor,
  withdrawInvitation,
} from "~/domain/companies/invitations.service.server";
import {
  changeMemberRole,
  handOverCompany,
  listMembersFor,
  removeMember,
} from "~/domain/companies/members.service.server";
import { chooseCompany, listOwnCompanies } from "~/domain/companies/own-companies.service.server";
import { mayAsMember, ROLES } from "~/domain/companies/roles.policy";
import { requiredText } from "~/lib/fields";
import { type CompanyRole } from "~db/tables";
import { call, group } from "../call";
import { check } from "../check";
import { id, nothing, textBy, toWireTimestamp } from "../wire";

const ROLE = "`owner`, `purchaser`, `technical` or `reader`. Each one may all that the later ones may";

const answeredRole = () =>
  z
    .string()
    .describe(ROLE)
    .openapi({ enum: [...ROLES] });

const company = z.object({
  id: z.number().int(),
  name: z.string(),
  role: answeredRole(),
  isCurrent: z.boolean().describe("Whether the caller works in it now"),
});

const member = z.object({
  userId: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: answeredRole(),
  joinedAt: z.string(),
  lastLoginAt: z.string().describe("The null date for somebody who has never logged in"),
  isDisabled: z.boolean(),
});

const invitation = z.object({
  id: z.number().int(),
  email: z.string(),
  role: answeredRole(),
  invitedBy: z.string(),
  expiresAt: z.string(),
});

const role = () => textBy(roleSchema.shape.role, { description: ROLE, choices: ROLES, isRequired: true });

const email = () => textBy(invitationSchema.shape.email, {});

/** The token of an invitation. */
const accepting = z.object({ invitation: requiredText(100) });

/** Returns the role in a body. Throws InvalidInput for the field `role`. */
const roleIn = (typed: string): CompanyRole => check(roleSchema, { role: typed }).role;

const NOT_LAST = "The company would have no owner left, or the address is a member already";

export const companyCalls = group("Companies", [
  call({
    path: "Companies/GetCompanies",
    method: "GET",
    who: "user",
    summary: "The companies of the caller, the one joined first at the top",
    notes:
      "Certificates, codes and orders belong to a company. The other calls are about the one in which the caller works now. An own company in which there is nothing (no details, orders and colleagues) is left out, unless the caller works in it.",
    input: nothing,
    output: z.array(company),
    handle: async (_, { user }) =>
      (await listOwnCompanies(user)).map((one) => ({ ...one, isCurrent: one.id === user.companyId })),
  }),
  call({
    path: "Companies/ChooseCompany",
    method: "POST",
    who: "user",
    summary: "Chooses the company in which the caller works from now on, in every browser and program",
    refuses: { 404: "There is no such company, or the caller is no member of it" },
    input: z.object({ companyId: id() }).strict(),
    output: z.object({ name: z.string() }),
    handle: async ({ companyId }, { user }) => ({ name: await chooseCompany(user, companyId) }),
  }),
  call({
    path: "Companies/GetMembers",
    method: "GET",
    who: "see-company",
    clients: "read",
    summary: "The members of the company, in the order in which they joined, and its open invitations",
    notes: "Only owners get the invitations.",
    input: nothing,
    output: z.object({ members: z.array(member), invitations: z.array(invitation) }),
    handle: async (_, { user }) => ({
      members: (await listMembersFor(user)).map(({ id: userId, joinedAt, lastLoginAt, ...one }) => ({
        ...one,
        userId,
        joinedAt: toWireTimestamp(joinedAt),
        lastLoginAt: toWireTimestamp(lastLoginAt),
      })),
      invitations: mayAsMember(user, "manage-company")
        ? (await listInvitationsFor(user)).map(({ by, expiresAt, ...one }) => ({
            ...one,
            invitedBy: by,
            expiresAt: toWireTimestamp(expiresAt),
          }))
        : [],
    }),
  }),
  call({
    path: "Companies/InviteMember",
    method: "POST",
    who: "manage-company",
    summary: "Invites somebody to the company",
    notes:
      "The message has a link that an account with this address can use once, within 7 days. It replaces an earlier one.",
    refuses: { 422: NOT_LAST },
    input: z.object({ email: email(), role: role() }).strict(),
    output: z.boolean(),
    handle: async (input, { user }) => {
      await inviteMember(user, check(invitationSchema, input));
      return true;
    },
  }),
  call({
    path: "Companies/WithdrawInvitation",
    method: "POST",
    who: "manage-company",
    summary: "Withdraws an open invitation",
    refuses: { 404: "There is no such invitation, or it cannot be used any more" },
    input: z.object({ invitationId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ invitationId }, { user }) => {
      await withdrawInvitation(user, invitationId);
      return true;
    },
  }),
  call({
    path: "Companies/AcceptInvitation",
    method: "POST",
    who: "user",
    summary: "Makes the caller a member of the company that invited them, in which they work from then on",
    refuses: { 422: "The invitation cannot be used any more, or is for another address" },
    input: z
      .object({ invitation: textBy(accepting.shape.invitation, { description: "The last part of the link" }) })
      .strict(),
    output: z.object({ name: z.string() }),
    handle: async (input, { user }) => ({ name: await acceptInvitation(user, check(accepting, input).invitation) }),
  }),
  call({
    path: "Companies/UpdateMember",
    method: "POST",
    who: "manage-company",
    summary: "Gives a member another role",
    refuses: { 404: "There is no such member", 422: NOT_LAST },
    input: z.object({ userId: id(), role: role() }).strict(),
    output: z.boolean(),
    handle: async ({ userId, role: typed }, { user }) => {
      await changeMemberRole(user, userId, roleIn(typed));
      return true;
    },
  }),
  call({
    path: "Companies/HandOver",
    method: "POST",
    who: "manage-company",
    summary: "Makes another member an owner, and the caller a purchaser",
    refuses: { 404: "There is no such member" },
    input: z.object({ userId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ userId }, { user }) => {
      await handOverCompany(user, userId);
      return true;
    },
  }),
  call({
    path: "Companies/RemoveMember",
    method: "POST",
    who: "see-company",
    summary: "Removes a member, which only owners do, or lets the caller leave",
    notes: "What the member ordered stays with the company.",
    refuses: { 404: "There is no such member", 422: NOT_LAST },
    input: z.object({ userId: id() }).strict(),
    output: z.boolean(),
    handle: async ({ userId }, { user }) => {
      await removeMember(user, userId);
      return true;
    },
  }),
]);
