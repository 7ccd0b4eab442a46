import { z } from "zod";
import { ACCOUNT_STATES } from "~/domain/accounts/account-state.policy";
import { createAccountFor } from "~/domain/accounts/administration/new-user.service.server";
import { ACTION_REASON_LIMIT } from "~/domain/accounts/administration/user-administration-texts";
import {
  type AdministeredUserView,
  getAdministeredUser,
} from "~/domain/accounts/administration/user-administration-view.server";
import { USER_ACTIONS, type UserAction } from "~/domain/accounts/administration/user-administration.policy";
import { newUserSchema, userActionSchema } from "~/domain/accounts/administration/user-administration.schema";
import {
  administerAccount,
  type AdministrationAction,
} from "~/domain/accounts/administration/user-administration.service.server";
import { listUsersForCalls } from "~/domain/accounts/administration/users-list.service.server";
import { EMAIL_TAKEN } from "~/domain/accounts/duplicate-email";
import { RIGHTS } from "~/domain/accounts/rights.policy";
import { PortalError } from "~/lib/errors";
import { optionalNote } from "~/lib/fields";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { call, group, type SignedCaller } from "../call";
import { check } from "../check";
import { PART_NOTES, partOf, partShape, partQueryOf } from "../cursor.server";
import { id, queryId, textBy, textsBy, toWireTimestamp, wireTimestamp, wireVersion } from "../wire";

const criteria = z
  .object({
    search: z
      .string()
      .max(SEARCH_LIMIT, messages.outOfRange)
      .describe("Words of the name, the company, the email address or the user name"),
    state: z.enum(ACCOUNT_STATES),
    right: z.enum(RIGHTS).describe("Only accounts with this right"),
    companyId: queryId().describe("Only members of this company"),
  })
  .partial()
  .extend(partShape)
  .strict();

const about = {
  userId: z.number().int(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  company: z.string(),
  companyId: z.number().int(),
  state: z.enum(ACCOUNT_STATES),
  lock: z.string().describe("What locked it: `administrator`, `wrong-passwords`, or empty"),
  lastLoginAt: wireTimestamp(),
};

const listed = z.object({ ...about, rights: z.array(z.string()), updatedAt: wireVersion() });

type Listed = Awaited<ReturnType<typeof listUsersForCalls>>[number];

const toListed = ({ id: userId, lock, lastLoginAt, ...row }: Listed): z.input<typeof listed> => ({
  ...row,
  userId,
  lock: lock ?? "",
  lastLoginAt: toWireTimestamp(lastLoginAt),
});

const PATH = "Users/GetUsers";

async function listUsers(query: z.output<typeof criteria>) {
  const part = partQueryOf(PATH, query);
  const { search = "", state = null, right = null, companyId = null } = query;
  const rows = await listUsersForCalls({ search, state, right, companyId, ...part });
  const positionOf = (row: Listed) => ({ at: part.updatedSince === null ? null : row.updatedAt, id: row.id });
  return partOf(part, rows, { positionOf, toWire: toListed });
}

/** What a call can do with an account. Erasing the data of a person and acting as a customer need the pages. */
const isForCalls = (action: UserAction): action is Exclude<AdministrationAction, "erase"> =>
  action !== "erase" && action !== "log-in-as";

const ACTIONS = USER_ACTIONS.filter(isForCalls) as [AdministrationAction, ...AdministrationAction[]];

const whole = z.object({
  ...about,
  position: z.string(),
  telephoneNumber: z.string(),
  isEmailConfirmed: z.boolean(),
  hasSecondFactor: z.boolean(),
  awaitsFirstPassword: z.boolean().describe("Nobody has chosen a password yet"),
  createdAt: wireTimestamp(),
  rights: z.array(
    z.object({
      right: z.enum(RIGHTS),
      name: z.string(),
      grantedAt: wireTimestamp(),
      grantedBy: z.string(),
      isFromGroups: z.boolean().describe("Groups of the identity provider give it, which decide at each login"),
    }),
  ),
  companies: z.array(z.object({ id: z.number().int(), name: z.string(), role: z.string() })),
  actions: z
    .array(
      z.object({
        action: z.string(),
        barrier: z.string().describe("Why the caller cannot do it; empty when they can"),
      }),
    )
    .describe("What `Users/ChangeAccount` can do"),
});

const toWhole = (user: AdministeredUserView): z.input<typeof whole> => ({
  userId: user.id,
  name: user.name,
  username: user.username,
  email: user.email,
  company: user.company,
  companyId: user.companyId,
  state: user.state,
  lock: user.lock ?? "",
  lastLoginAt: toWireTimestamp(user.lastLoginAt),
  position: user.position,
  telephoneNumber: user.telephoneNumber,
  isEmailConfirmed: user.emailVerifiedAt !== null,
  hasSecondFactor: user.factors.length > 0,
  awaitsFirstPassword: user.awaitsPassword,
  createdAt: toWireTimestamp(user.createdAt),
  rights: user.rights.map(({ grantedAt, grantedBy, ...right }) => ({
    ...right,
    grantedAt: toWireTimestamp(grantedAt),
    grantedBy: grantedBy ?? "",
  })),
  companies: user.companies.map(({ id: companyId, name, role }) => ({ id: companyId, name, role })),
  actions: ACTIONS.map((action) => ({ action, barrier: user.barriers[action] ?? "" })),
});

const newUser = z
  .object({
    ...textsBy(newUserSchema.shape),
    isAnotherCompany: z
      .boolean()
      .nullish()
      .describe("Whether the person gets a new company although one with this name exists"),
  })
  .strict();

const COMPANY_NAME = "account.company-name";

async function createUser({ isAnotherCompany, ...sent }: z.output<typeof newUser>, { user }: SignedCaller) {
  const form = check(newUserSchema, sent);
  const outcome = await createAccountFor(form, { actor: user.actor, isConfirmed: isAnotherCompany === true });
  if ("id" in outcome) return { userId: outcome.id };
  if ("taken" in outcome) throw new PortalError(EMAIL_TAKEN, { code: "account.email-taken", field: "email" });
  const ids = outcome.namesakes.map((company) => company.id).join(", ");
  const text = `A company with this name exists already: ${ids}. Its owners invite people themselves. Send isAnotherCompany to make another one of the same name.`;
  throw new PortalError(text, { code: COMPANY_NAME, status: 409, field: "company" });
}

const reasonOf = optionalNote(ACTION_REASON_LIMIT);

const change = z
  .object({
    userId: id(),
    action: z.enum(ACTIONS),
    reason: textBy(reasonOf, {
      description: "Required to disable, to lock and to reset second factors. It is kept in the audit trail",
    }),
  })
  .strict();

async function changeAccount({ userId, action, reason: text }: z.output<typeof change>, { user }: SignedCaller) {
  const { reason } = check(userActionSchema, { intent: action, reason: text }, { intent: "action" });
  const outcome = await administerAccount({ action, id: userId, actor: user.actor, reason });
  return { waitsForSecond: outcome === "requested" };
}

const NO_ACCOUNT = { 404: "There is no such account" };

export const userCalls = group("Users", [
  call({
    path: PATH,
    method: "GET",
    who: "see-users",
    summary: "All accounts, or those that match a search, with their rights",
    notes: `In the order in which they were made. ${PART_NOTES}`,
    isInParts: true,
    input: criteria,
    output: z.array(listed),
    handle: listUsers,
  }),
  call({
    path: "Users/GetUser",
    method: "GET",
    who: "see-users",
    summary: "One account, and what the caller can do with it",
    refuses: NO_ACCOUNT,
    input: z.object({ userId: queryId() }).strict(),
    output: whole,
    handle: async ({ userId }, { user }) => toWhole(await getAdministeredUser(userId, user)),
  }),
  call({
    path: "Users/CreateUser",
    method: "POST",
    who: "change-users",
    needsProof: true,
    summary: "Makes an account for a person, who gets a message with a link to choose a password",
    notes:
      "The person owns a new company, as after a registration. Rights of staff are granted afterwards with `Users/ChangeAccount`.",
    refuses: {
      409: "A company with this name exists already",
      422: "The email address is taken, or a field is not valid",
    },
    input: newUser,
    output: z.object({ userId: z.number().int() }),
    handle: createUser,
  }),
  call({
    path: "Users/ChangeAccount",
    method: "POST",
    who: "change-users",
    needsProof: true,
    summary: "Disables, enables, locks or unlocks an account, sends its links, and grants and withdraws rights",
    notes:
      "The rules are those of the page of the account. Some rights, and the reset of second factors, wait for a second user administrator. To act as a customer and to erase the data of a person, use the pages.",
    refuses: { ...NO_ACCOUNT, 422: "The state of the account does not allow it, or a field is not valid" },
    input: change,
    output: z.object({
      waitsForSecond: z.boolean().describe("Nothing has changed yet: a second user administrator must approve it"),
    }),
    handle: changeAccount,
  }),
]);
