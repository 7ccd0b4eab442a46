import { listStaffPersons, namedPersons } from "~/domain/accounts/former-details.server";
import { getProfile, getProfileFor, type Profile } from "~/domain/accounts/profile.service.server";
import { isReachedAs } from "~/domain/accounts/same-person.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { personName } from "~/domain/companies/people.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { listResumable, saveDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { findCountry } from "~db/repositories/countries.server";
import { listUsersById } from "~db/repositories/users.server";
import { findStandingFor } from "../standing/judging.server";
import { type Original } from "../succession/original.server";
import { contactValues } from "../succession/renewal.service.server";
import { type ContactRules } from "./contact.policy";
import { contactSchemaFor, type Contact, type ContactSnapshot } from "./contact.schema";
import { changedBy, type PurchaseDraft } from "./drafts.schema";
import { findLastContact } from "./last-order.server";
import { type OpenOrder } from "./open-order.server";
import { prefillProblems } from "./prefill";
import { hasStaffActed, preparersOf } from "./preparers.server";

/**
 * Returns the rules for the email of an authentication contact (PUR-02). It is neither that of somebody who began or prepared the order,
 * nor that of an administrator who acted or acts as one of them.
 *
 * @param draft The draft of the order, or null for an order that arrives in one request.
 */
export async function contactRules(user: SessionUser, draft: Draft<PurchaseDraft> | null): Promise<ContactRules> {
  const preparers = draft ? await preparersOf(getDb(), draft) : [];
  return rulesAmong(user, {
    others: [draft?.userId ?? user.id, ...preparers.map(({ userId }) => userId)],
    acting: preparers.flatMap((one) => one.impersonatorId ?? []),
  });
}

/** The ids of those who have taken part in an order: the customers, and staff who acted as one of them. */
interface TakingPart {
  others: readonly number[];
  acting: readonly number[];
}

/** Returns the rules for the contact of an order in which this user and these people take part. */
export async function rulesAmong(user: SessionUser, taking: TakingPart): Promise<ContactRules> {
  const { freeMailDomains, roleMailboxes } = getConfig().accounts;
  const others = taking.others.filter((id) => id !== user.id);
  const acting = [...taking.acting, ...(user.impersonator ? [user.impersonator.id] : [])];
  const people = await listUsersById(getDb(), [user.id, ...others, ...acting]);
  const among = (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id));
  return {
    technicalEmail: user.email,
    preparers: among(others).map((person) => ({ name: personName(person), email: person.email })),
    actingEmails: among(acting).map(({ email }) => email),
    freeMailDomains,
    roleMailboxes,
  };
}

/** Returns the user who orders as a contact: the account's details with the address of the company that orders. */
export async function technicalContact({ id, companyId }: SessionUser): Promise<ContactSnapshot> {
  const profile = await getProfileFor({ userId: id, companyId });
  const address = profile.companyAddress;
  const country = address && (await findCountry(getDb(), address.country));
  return {
    name: `${profile.firstName} ${profile.lastName}`,
    company: profile.company,
    position: profile.position,
    email: profile.email,
    addressLine1: address?.addressLine1 ?? "",
    addressLine2: address?.addressLine2 ?? "",
    city: address?.city ?? "",
    postalCode: address?.postalCode ?? "",
    countryId: address?.country ?? null,
    country: country?.name ?? "",
    phoneNumber: profile.telephoneNumber,
  };
}

/** Returns the first values for the contact of a colleague: the account's company and its address, without a person. */
function colleague({ company, companyAddress }: Pick<Profile, "company" | "companyAddress">): Typed {
  return {
    company,
    addressLine1: companyAddress?.addressLine1 ?? "",
    addressLine2: companyAddress?.addressLine2 ?? "",
    city: companyAddress?.city ?? "",
    postalCode: companyAddress?.postalCode ?? "",
    country: companyAddress ? String(companyAddress.country) : "",
  };
}

/** Returns what is ordered in a draft, for whom and who is to authorise it: `Certificate for edi.acme.example (Acme GmbH), …`. */
export function certificateDraftText({ contact, imported }: PurchaseDraft, original: Original | null): string {
  const { commonName, organisation } = imported?.details ?? original?.row ?? { commonName: "", organisation: "" };
  const what = original ? `Renewal of certificate ${original.row.id}` : "Certificate";
  const company = organisation || contact?.company;
  const holder = commonName ? `for ${commonName}${company ? ` (${company})` : ""}` : company ? `for ${company}` : "";
  const by = contact?.name ? `, to be authorised by ${contact.name}` : "";
  return `${[what, holder].filter(Boolean).join(" ")}${commonName ? "" : ", no CSR yet"}${by}`;
}

/**
 * Returns the data of the first step's page: the technical contact; the values that were typed, or those of the renewed order, of the
 * company's last order, or the company's own address; and the other open orders of the same kind, for the same certificate, that can be resumed.
 */
export async function contactStep(user: SessionUser, { draft, original }: OpenOrder, now = new Date()) {
  const isAlike = ({ contact, renews }: PurchaseDraft) => contact !== undefined && renews === draft.data.renews;
  const resumable = draft.data.contact ? [] : await listResumable(user.id, draft, isAlike, now);
  const rules = await contactRules(user, draft);
  const last = original || draft.data.contact ? null : await findLastContact(user, rules);
  const before = original ? contactValues(original.row) : (last?.values ?? colleague(await getProfile(user.id)));
  const values = draft.data.contact ?? before;
  const shownRules: ContactRules = { ...rules, actingEmails: [] }; // customers do not learn which administrator acted
  return {
    technical: await technicalContact(user),
    values,
    lastOrder: last?.order ?? null,
    problems: draft.data.contact ? {} : prefillProblems(contactSchemaFor(rules), values),
    rules: shownRules,
    renewal: original && {
      certificateId: original.row.id,
      commonName: original.row.commonName,
      shortcut: await shortcutFor(user, original, now),
    },
    resumable: await Promise.all(
      resumable.map(async (other) => ({
        id: other.id,
        what: certificateDraftText(other.data, original),
        updatedAt: other.updatedAt,
        isByStaff: await hasStaffActed(user, other),
      })),
    ),
    order: { what: certificateDraftText(draft.data, original), updatedAt: draft.updatedAt },
    isByStaff: await hasStaffActed(user, draft),
  };
}

/** Returns the page on which a certificate can be renewed under a standing authorisation, or null. */
async function shortcutFor(user: SessionUser, original: Original, now: Date): Promise<string | null> {
  const standing = mayAsMember(user, "place-orders") ? await findStandingFor(user, original, now) : null;
  return standing === null ? null : accountPaths.renewalUnder(standing, original.row.orderId);
}

/** Throws a PortalError for the field `country` when the country is not in the collection. */
export async function requireContactCountry({ country }: Contact): Promise<void> {
  if (!(await findCountry(getDb(), country)))
    throw new PortalError(messages.collection, { code: "contact.country", field: "country" });
}

const STAFF_EMAIL =
  "This email address belongs to a member of staff of the certificate authority. Name somebody else at your organisation.";

/**
 * Returns why somebody cannot be the authentication contact under the strict four-eyes principle, or null: the address leads to a member of
 * staff (`isReachedAs`). The error names the field `email`. Somebody who only has the name of a member of staff may be another person. They
 * can be named, but do not authorise the order by the link (`whyNotAuthorise`).
 */
export async function staffContactRefusal({ name, email }: Pick<Contact, "name" | "email">) {
  if (fourEyes() !== "strict") return null;
  const staff = await listStaffPersons(getDb());
  const [contact] = await namedPersons(getDb(), [{ name, email }]);
  if (!contact || !staff.some((member) => isReachedAs(contact, member))) return null;
  return new PortalError(STAFF_EMAIL, { code: "contact.staff-email", field: "email" });
}

/** Throws what `requireContactCountry` throws, and what `staffContactRefusal` returns. */
export async function requireContact(contact: Contact): Promise<void> {
  await requireContactCountry(contact);
  const refusal = await staffContactRefusal(contact);
  if (refusal) throw refusal;
}

/** Saves the authentication contact in the draft. Throws what `requireContact` throws. */
export async function saveContact(
  user: SessionUser,
  draft: Draft<PurchaseDraft>,
  typed: Typed,
  contact: Contact,
): Promise<void> {
  await requireContact(contact);
  await saveDraft(user.id, draft, (data) => changedBy(user, { ...data, contact: typed }));
}
