import { type ExpressionBuilder, sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { isOneOfTexts, namesAddress } from "../like";
import { type Database } from "../tables";

/** A person: their accounts and addresses, in lower case. */
export interface DataSubject {
  ids: readonly number[];
  /** The confirmed addresses, by which data is found wherever it is. */
  emails: readonly string[];
  /** All addresses. An address that is not confirmed may be a stranger's, so these count only in what the accounts themselves made. */
  ownEmails: readonly string[];
}

/** Which rows of a long table are read: those with ids above `after`, by id. */
export interface Portion {
  after: number;
  limit: number;
}

type WithEmail =
  | "mails"
  | "invitations"
  | "codeContacts"
  | "companyDomains"
  | "standingAuthorisations"
  | "certificatePartners"
  | "entityCertificates"
  | "entityFollowers";

/** Returns a condition that a message is to the person: to a confirmed address, or to an own one because of what the account did. */
export function isMailTo(eb: ExpressionBuilder<Database, "mails">, { ids, emails, ownEmails }: DataSubject) {
  const recipient = eb.ref("mails.recipient");
  const orders = eb.selectFrom("orders").select("orders.id").where("orders.userId", "in", ids);
  return eb.or([
    isOneOfTexts(recipient, emails),
    eb.and([
      isOneOfTexts(recipient, ownEmails),
      eb("mails.isContact", "=", false),
      eb.or([eb("mails.awaitsUserId", "in", ids), eb("mails.orderId", "in", orders)]),
    ]),
  ]);
}

/** Returns a condition that a contact of a code is the person. */
export function isContactOfCode(eb: ExpressionBuilder<Database, "codeContacts">, subject: DataSubject) {
  const codes = eb.selectFrom("codes").select("codes.id").where("codes.userId", "in", subject.ids);
  const email = eb.ref("codeContacts.email");
  const isOwn = eb.and([isOneOfTexts(email, subject.ownEmails), eb("codeContacts.codeId", "in", codes)]);
  return eb.or([isOneOfTexts(email, subject.emails), isOwn]);
}

export const listAccounts = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("users")
    .select(["id", "username", "email", "emailVerifiedAt", "firstName", "lastName", "position", "telephoneNumber"])
    .select(["securityQuestion", "passwordChangedAt", "failedLogins", "lastFailureAt", "lockedUntil", "adminLockedAt"])
    .select(["lastLoginAt", "isApplicant", "isAdmin", "isDisabled", "mergedInto", "erasureRequestedAt"])
    .select(["createdAt", "updatedAt"])
    .where("id", "in", ids)
    .orderBy("id")
    .execute();

export const listCompaniesHeld = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("memberships")
    .innerJoin("companies", "companies.id", "memberships.companyId")
    .leftJoin("companies as whole", "whole.id", "companies.partOf")
    .select(["companies.id", "companies.name", "memberships.role", "memberships.joinedAt"])
    .select("whole.name as becamePartOf")
    .select(["companies.companyRegistrationNumber", "companies.taxNumber", "companies.vatNumber"])
    .where("memberships.userId", "in", ids)
    .orderBy("companies.id")
    .execute();

export const listAddressesStored = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("addresses")
    .leftJoin("countries", "countries.id", "addresses.country")
    .select(["addresses.id", "company", "addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region"])
    .select("countries.name as country")
    .where("userId", "in", ids)
    .orderBy("addresses.id")
    .execute();

export const listStaffRights = (db: DbOrTrx, { ids }: DataSubject) =>
  db.selectFrom("userRights").select(["right", "grantedAt"]).where("userId", "in", ids).orderBy("grantedAt").execute();

export const listIdentitiesOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db.selectFrom("signOnIdentities").select(["issuer", "subject", "linkedAt"]).where("userId", "in", ids).execute();

export const listFactorsOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("secondFactors")
    .select(["kind", "name", "createdAt", "lastUsedAt"])
    .where("userId", "in", ids)
    .orderBy("id")
    .execute();

export const listSessionsOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("sessions")
    .select(["kind", "startedAt", "lastUsedAt", "endedAt", "endReason", "address", "userAgent"])
    .where("userId", "in", ids)
    .orderBy("startedAt")
    .execute();

export const listPlacesOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("loginPlaces")
    .select(["place", "failures", "expiresAt"])
    .where("userId", "in", ids)
    .orderBy("expiresAt")
    .execute();

export const listDraftsOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("drafts")
    .select(["kind", "data", "createdAt", "updatedAt", "expiresAt"])
    .where("userId", "in", ids)
    .where("kind", "not in", ["users-import", "long-work"]) // accounts in a file and orders of customers are the data of others
    .orderBy("createdAt")
    .execute();

export const listSettingsOf = (db: DbOrTrx, { ids }: DataSubject) =>
  db.selectFrom("settings").select(["name", "value", "updatedAt"]).where("userId", "in", ids).orderBy("name").execute();

export const listRequestsAbout = (db: DbOrTrx, { ids }: DataSubject) =>
  db
    .selectFrom("dualControlRequests")
    .select(["kind", "right", "reason", "requestedAt"])
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb("outcome", "=", "refused"), eb("decidedBy", "=", eb.ref("requestedBy"))]))
        .then("withdrawn")
        .else(eb.ref("outcome"))
        .end()
        .as("outcome"),
    )
    .select("decidedAt")
    .where("userId", "in", ids)
    .orderBy("id")
    .execute();

export const listStops = (db: DbOrTrx, { emails }: DataSubject) =>
  db
    .selectFrom("contactStops")
    .select(["email", "stoppedAt"])
    .where((eb) => isOneOfTexts(eb.ref("email"), emails))
    .execute();

const between = <
  Table extends
    | WithEmail
    | "orders"
    | "orderCorrections"
    | "certificates"
    | "codes"
    | "securityEvents"
    | "auditEntries",
>(
  table: Table,
  { after }: Portion,
) => sql<boolean>`${sql.ref(`${table}.id`)} > ${after}`;

export const listOrdersOf = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("orders")
    .select(["id", "status", "purchaseOrderNumber", "company", "invoiceAddress", "vatNumber", "totalCents"])
    .select(["invoiceNumber", "createdAt"])
    .where("userId", "in", ids)
    .where(between("orders", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

/** The corrections that the person made of orders, with the orders of others that they are about. */
export const listCorrectionsMadeBy = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("orderCorrections")
    .select(["id", "orderId", "year", "number", "kind", "changes", "createdAt"])
    .where("madeBy", "in", ids)
    .where(between("orderCorrections", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

export const listCertificatesOf = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("certificates")
    .select(["id", "orderId", "status", "commonName", "organisation", "organisationUnit", "locality", "state"])
    .select(["country", "email", "subjectAlternateName", "serialNumber", "requestedAt", "issuedAt", "expiryDate"])
    .select(["revocationDate", "technicalContact", "authenticationContact"])
    .where("userId", "in", ids)
    .where(between("certificates", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

/** The certificates of others that have a contact with an address of the person. The contacts are not told apart here. */
export const listCertificatesNaming = (db: DbOrTrx, { ids, emails }: DataSubject, portion: Portion) =>
  db
    .selectFrom("certificates")
    .select(["id", "orderId", "status", "requestedAt", "technicalContact", "authenticationContact", "contactAnswer"])
    .select("contactAnsweredAt")
    .where("userId", "not in", ids)
    .where((eb) =>
      eb.or([namesAddress(eb.ref("technicalContact"), emails), namesAddress(eb.ref("authenticationContact"), emails)]),
    )
    .where(between("certificates", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

/** The notes about certificates that the person changed last. */
export const listCertificateNotesBy = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("certificateNotes")
    .select(["certificateId as id", "certificateId", "notes", "tags", "changedAt"])
    .where("changedBy", "in", ids)
    .where((eb) => eb("certificateId", ">", portion.after))
    .orderBy("certificateId")
    .limit(portion.limit)
    .execute();

/** The certificates that the person has published at entities of the register. */
export const listPublishedBy = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("entityCertificates")
    .innerJoin("codes", "codes.id", "entityCertificates.codeId")
    .select(["entityCertificates.id", "code", "subcode", "certificateId", "publishedAt"])
    .where("publishedBy", "in", ids)
    .where(between("entityCertificates", portion))
    .orderBy("entityCertificates.id")
    .limit(portion.limit)
    .execute();

/** The entities of the register of whose changes the person is told. */
export const listFollowedBy = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("entityFollowers")
    .innerJoin("codes", "codes.id", "entityFollowers.codeId")
    .select(["entityFollowers.id", "code", "subcode", "followedAt"])
    .where("entityFollowers.userId", "in", ids)
    .where(between("entityFollowers", portion))
    .orderBy("entityFollowers.id")
    .limit(portion.limit)
    .execute();

/** The certificates to whose partners an address of the person belongs. */
export const listPartnersCalled = (db: DbOrTrx, { emails }: DataSubject, portion: Portion) =>
  db
    .selectFrom("certificatePartners")
    .innerJoin("companies", "companies.id", "certificatePartners.companyId")
    .select(["certificatePartners.id", "companies.name as company", "email", "certificatePartners.name", "addedAt"])
    .select(["sentAt", "openedAt", "answer", "answeredAt", "question"])
    .where((eb) => isOneOfTexts(eb.ref("email"), emails))
    .where(between("certificatePartners", portion))
    .orderBy("certificatePartners.id")
    .limit(portion.limit)
    .execute();

export const listCodesRegistered = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("codes")
    .select(["id", "codeType", "code", "subcode", "status", "entityName", "createdAt"])
    .where("userId", "in", ids)
    .where(between("codes", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

export const listCodeContactsWith = (db: DbOrTrx, subject: DataSubject, portion: Portion) =>
  db
    .selectFrom("codeContacts")
    .innerJoin("codes", "codes.id", "codeContacts.codeId")
    .select(["codeContacts.id", "codes.code", "codes.subcode", "contactType", "firstName", "lastName", "jobTitle"])
    .select(["department", "phoneNumber", "mobile", "fax", "email"])
    .where((eb) => isContactOfCode(eb, subject))
    .where(between("codeContacts", portion))
    .orderBy("codeContacts.id")
    .limit(portion.limit)
    .execute();

export const listInvitationsWith = (db: DbOrTrx, { ids, emails }: DataSubject, portion: Portion) =>
  db
    .selectFrom("invitations")
    .innerJoin("companies", "companies.id", "invitations.companyId")
    .select(["invitations.id", "companies.name as company", "invitations.email", "role"])
    .select(["invitations.createdAt", "expiresAt", "endedAt"])
    .where((eb) =>
      eb.or([
        eb("invitedBy", "in", ids),
        eb("acceptedBy", "in", ids),
        isOneOfTexts(eb.ref("invitations.email"), emails),
      ]),
    )
    .where(between("invitations", portion))
    .orderBy("invitations.id")
    .limit(portion.limit)
    .execute();

export const listDomainsWith = (db: DbOrTrx, { ids, emails }: DataSubject, portion: Portion) =>
  db
    .selectFrom("companyDomains")
    .innerJoin("companies", "companies.id", "companyDomains.companyId")
    .select(["companyDomains.id", "companies.name as company", "companyDomains.name", "mailedTo"])
    .select(["companyDomains.createdAt", "confirmedAt", "validUntil", "endedAt"])
    .where((eb) =>
      eb.or([
        eb("createdBy", "in", ids),
        isOneOfTexts(eb.ref("companyDomains.name"), emails),
        isOneOfTexts(eb.ref("mailedTo"), emails),
      ]),
    )
    .where(between("companyDomains", portion))
    .orderBy("companyDomains.id")
    .limit(portion.limit)
    .execute();

export const listStandingBy = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("standingAuthorisations")
    .innerJoin("companies", "companies.id", "standingAuthorisations.companyId")
    .select(["standingAuthorisations.id", "companies.name as company", "purchaseOrderNumber", "askedAt", "endsAt"])
    .select(["contactCheckedAt", "approvedAt", "endedAt"])
    .where((eb) => eb.or([eb("askedBy", "in", ids), eb("contactCheckedBy", "in", ids), eb("approvedBy", "in", ids)]))
    .where(between("standingAuthorisations", portion))
    .orderBy("standingAuthorisations.id")
    .limit(portion.limit)
    .execute();

export const listMailsTo = (db: DbOrTrx, subject: DataSubject, portion: Portion) =>
  db
    .selectFrom("mails")
    .select(["id", "recipient", "subject", "createdAt", "sentAt", "dismissedAt", "rejectedAt"])
    .where((eb) => isMailTo(eb, subject))
    .where(between("mails", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

const isOf = (eb: ExpressionBuilder<Database, "securityEvents">, { ids, emails }: DataSubject) =>
  eb.or([eb("userId", "in", ids), isOneOfTexts(eb.ref("actorName"), emails)]);

export const listEventsOf = (db: DbOrTrx, subject: DataSubject, portion: Portion) =>
  db
    .selectFrom("securityEvents")
    .select(["id", "at", "lastAt", "times", "event", "outcome", "address", "userAgent", "detail"])
    .where((eb) => isOf(eb, subject))
    .where(between("securityEvents", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();

/** The entries by or about the person. The names and addresses of others who acted are theirs and left out. */
export const listEntriesOf = (db: DbOrTrx, { ids }: DataSubject, portion: Portion) =>
  db
    .selectFrom("auditEntries")
    .select(["id", "at", "event", "message", "orderId", "certificateId", "codeId", "reference"])
    .select((eb) => [
      eb
        .case()
        .when("actorId", "in", ids)
        .then("this person")
        .when("actorId", "is", null)
        .then("the portal")
        .else("somebody else")
        .end()
        .as("by"),
      eb
        .case()
        .when(eb.and([eb("actorId", "in", ids), eb("impersonatorId", "is", null)]))
        .then(eb.ref("address"))
        .else(null)
        .end()
        .as("address"),
    ])
    .where((eb) => eb.or([eb("actorId", "in", ids), eb("userId", "in", ids), eb("impersonatorId", "in", ids)]))
    .where(between("auditEntries", portion))
    .orderBy("id")
    .limit(portion.limit)
    .execute();
