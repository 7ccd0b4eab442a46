import { linesOf } from "~/domain/companies/company.service.server";
import { nameAmong } from "~/domain/companies/own-companies.service.server";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { storedVat } from "~/domain/reference/vat.service.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { listAuditEntriesAbout } from "~db/repositories/audit-entries.server";
import { findCountry } from "~db/repositories/countries.server";
import { countAwaiting } from "~db/repositories/held-mails.server";
import { findFailingMail } from "~db/repositories/mail-queue.server";
import { listCompaniesOf } from "~db/repositories/members.server";
import { listRecoveryCodes } from "~db/repositories/second-factors.server";
import { listIdentities } from "~db/repositories/sign-on-identities.server";
import { findTokenOf } from "~db/repositories/tokens.server";
import { listAdministrators } from "~db/repositories/user-administration.server";
import { countBelongings } from "~db/repositories/user-list.server";
import { listGroupRights, listRightsOf } from "~db/repositories/user-rights.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { accountState, lockOf } from "../account-state.policy";
import { findPendingEmail } from "../email-change.service.server";
import { listFactorViews } from "../factors/factors.service.server";
import { findErasureBarriers } from "../personal-data/circumstances.server";
import { UNCONFIRMED_ERASURE } from "../personal-data/erasure.policy";
import { awaitsFirstPassword } from "../recovery/recovery.service.server";
import { may, RIGHT_NAMES, type RightsHolder, rightNeeded, rightsOf } from "../rights.policy";
import { listSessions } from "../sessions/sessions.service.server";
import { hasPasswordLogin } from "../single-sign-on/staff-passwords.server";
import { dualControlOf, listWaitingRequests } from "./dual-control-view.server";
import { whyNotChangePerson } from "./person-change.policy";
import { USER_ACTIONS, type UserAction, whyNot } from "./user-administration.policy";

const SHOWN_ENTRIES = 20;

async function findName(id: number | null): Promise<{ id: number; username: string } | null> {
  const row = id === null ? null : await findUserById(getDb(), id);
  return row && { id: row.id, username: row.username };
}

/** Returns when the link with which the person can choose a password was sent and when it ends, or null when none is open. */
async function findPasswordLink({ id }: UserRow, now: Date): Promise<{ sentAt: string; expiresAt: string } | null> {
  const token = await findTokenOf(getDb(), id, "reset-password", now);
  return token && { sentAt: token.createdAt, expiresAt: token.expiresAt };
}

/**
 * Returns an account as staff see it. `barriers` says for each action why `viewer` cannot take it, or null when they can. Throws a
 * PortalError (404) when there is no such account.
 */
export async function getAdministeredUser(id: number, viewer: RightsHolder & { id: number }, now = new Date()) {
  const db = getDb();
  const user = await findUserById(db, id);
  if (!user) throw notFound();
  const administrators = await listAdministrators(db);
  const duties = await dualControlOf(db, user, viewer.id, now);
  const circumstances = { by: viewer.id, administrators, ...duties, now };
  const granted = await listRightsOf(db, id);
  const rights = rightsOf(
    user,
    granted.map(({ right }) => right),
  );
  const fromGroups = await listGroupRights(db, id);
  const factors = await listFactorViews(id);
  const companies = await listCompaniesOf(db, id);
  const identities = await listIdentities(db, id);
  const erasureBarriers = await findErasureBarriers(db, user, now);
  const pendingEmail = await findPendingEmail(id, db, now);
  const account = {
    ...user,
    rights,
    hasFactor: factors.length > 0,
    isLinked: identities.length > 0,
    hasPendingEmail: pendingEmail !== null,
    hasPasswordLogin: await hasPasswordLogin(db, user, now),
    erasureBarriers,
  };
  const barrierOf = (action: UserAction) =>
    may(viewer, "change-users") ? whyNot(action, account, circumstances) : rightNeeded("change-users");
  const barriers = USER_ACTIONS.map((action) => [action, barrierOf(action)] as const);
  const invoicingAddress = await findAddress(db, user.invoicingAddressId);
  const invoicedIn = invoicingAddress && (await findCountry(db, invoicingAddress.country));
  const [company, mailing] = [user.companyAddressId, user.mailingAddressId];
  return {
    id: user.id,
    name: `${user.firstName} ${user.lastName}`,
    username: user.username,
    email: user.email,
    emailVerifiedAt: user.emailVerifiedAt,
    failingMail: await findFailingMail(db, user.email),
    /** The number of messages that wait until the address is confirmed. */
    heldMails: await countAwaiting(db, id),
    /** The link to choose a password that can still be used; `awaitsPassword` says that nobody has used one yet. */
    passwordLink: await findPasswordLink(user, now),
    awaitsPassword: awaitsFirstPassword(user),
    pendingEmail,
    position: user.position,
    telephoneNumber: user.telephoneNumber,
    company: user.company,
    companyId: user.companyId,
    /** The companies to which the person belongs, with the names of the roles. */
    companies: companies.map(({ role, ...one }) => ({
      ...one,
      name: nameAmong(one, companies),
      role: ROLE_NAMES[role],
    })),
    companyRegistrationNumber: user.companyRegistrationNumber,
    taxNumber: user.taxNumber,
    vat: storedVat(user, invoicedIn),
    rights: rights.map((right) => {
      const grant = granted.find((row) => row.right === right);
      return {
        right,
        name: RIGHT_NAMES[right],
        grantedAt: grant?.grantedAt ?? null,
        grantedBy: grant?.grantedBy ?? null,
        /** Whether a group of the identity provider gave the right, which is then decided there at every login. */
        isFromGroups: fromGroups.some((one) => one === right),
      };
    }),
    /** What single sign-on knows the account by. */
    identities: identities.map(({ issuer, linkedAt }) => ({ issuer, linkedAt })),
    requests: await listWaitingRequests(viewer, id, now),
    /** Whether the viewer may change accounts. An auditor sees the page without buttons. */
    isChangeable: may(viewer, "change-users"),
    /** Why the viewer cannot change the name and other details of the person, or null. */
    personBarrier: whyNotChangePerson(user, { by: viewer.id, isOwn: duties.isOwn, now })?.reason ?? null,
    hasEventsLink: may(viewer, "see-security-events"),
    state: accountState(user, now),
    erasureRequestedAt: user.erasureRequestedAt,
    /** What user administrators must know before an erasure, or null. */
    erasureNotice: user.emailVerifiedAt === null ? UNCONFIRMED_ERASURE : null,
    lock: lockOf(user, now),
    lockedUntil: user.lockedUntil,
    adminLockedAt: user.adminLockedAt,
    failedLogins: user.failedLogins,
    mergedInto: await findName(user.mergedInto),
    lastLoginAt: user.lastLoginAt,
    createdAt: user.createdAt,
    addresses: {
      company: await linesOf(await findAddress(db, company)),
      invoicing: await linesOf(invoicingAddress),
      mailing: await linesOf(await findAddress(db, mailing)),
    },
    belongings: await countBelongings(db, id),
    factors,
    recoveryCodesLeft: (await listRecoveryCodes(db, id)).length,
    sessions: await listSessions(id, null, { db, now }),
    entries: await listAuditEntriesAbout(db, id, SHOWN_ENTRIES),
    barriers: Object.fromEntries(barriers) as Record<UserAction, string | null>,
  };
}

export type AdministeredUserView = Awaited<ReturnType<typeof getAdministeredUser>>;
