import { type ContactSnapshot, parseContact } from "~/domain/certificates/purchase/contact.schema";
import { correctionNumber, parseCorrections } from "~/domain/orders/corrections/correction";
import { CONTACT_TITLES } from "~/domain/orders/corrections/correction-fields";
import { type DbOrTrx } from "~db/connection.server";
import { listCorrectionsOf } from "~db/repositories/order-corrections.server";
import * as data from "~db/repositories/personal-data.server";
import { type DataSubject, type Portion } from "~db/repositories/personal-data.server";

/** A row as it is exported. */
export type DataRow = Readonly<Record<string, unknown>>;

interface DataSection {
  /** The name of the array in the file. */
  key: string;
  title: string;
  /** Reads rows with ids above `after`, at most `limit`. Tables with a few rows for each person are read at once, and have no ids. */
  read: (db: DbOrTrx, subject: DataSubject, portion: Portion) => Promise<readonly DataRow[]>;
}

/** Reads a table with a few rows for each person. */
const few =
  (list: (db: DbOrTrx, subject: DataSubject) => Promise<readonly DataRow[]>): DataSection["read"] =>
  (db, subject, { after }) =>
    after > 0 ? Promise.resolve([]) : list(db, subject);

/** Parses the JSON of columns, so that the file has no JSON within JSON. */
const parsed = (row: DataRow, columns: readonly string[]): DataRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns.includes(name) && typeof value === "string" ? (JSON.parse(value) as unknown) : value,
    ]),
  );

/** Returns a contact if it is this person's, otherwise null: other persons are not told about. */
function ownContact(json: string, { emails }: DataSubject): ContactSnapshot | null {
  const contact = parseContact(json);
  return emails.includes(contact.email.toLowerCase()) ? contact : null;
}

/** Returns rows about orders with what was corrected in each order. */
async function withCorrections<Row extends { orderId: number }>(db: DbOrTrx, rows: readonly Row[]) {
  const orderIds = rows.map(({ orderId }) => orderId);
  const all = await listCorrectionsOf(db, orderIds);
  return rows.map((row) => ({
    ...row,
    corrections: all
      .filter(({ orderId }) => orderId === row.orderId)
      .flatMap(({ changes }) => parseCorrections(changes)),
  }));
}

/** Returns a company as it is held: one that became part of another company is a former one, in which nobody has a role. */
const asHeld = (company: Awaited<ReturnType<typeof data.listCompaniesHeld>>[number]): DataRow =>
  company.becamePartOf === null ? company : { ...company, role: null };

const CONTACTS = ["technicalContact", "authenticationContact"] as const;

/** Everything that the portal holds about a person, in the order in which the page and the file have it. */
export const DATA_SECTIONS: readonly DataSection[] = [
  { key: "accounts", title: "Account", read: few(data.listAccounts) },
  {
    key: "companies",
    title: "Companies",
    read: few(async (db, subject) => (await data.listCompaniesHeld(db, subject)).map(asHeld)),
  },
  { key: "addresses", title: "Postal addresses", read: few(data.listAddressesStored) },
  { key: "rightsOfStaff", title: "Rights of staff besides Admin", read: few(data.listStaffRights) },
  { key: "singleSignOn", title: "Single sign-on", read: few(data.listIdentitiesOf) },
  { key: "secondFactors", title: "Second factors", read: few(data.listFactorsOf) },
  { key: "sessions", title: "Sessions", read: few(data.listSessionsOf) },
  { key: "loginPlaces", title: "Known browsers and networks", read: few(data.listPlacesOf) },
  { key: "settings", title: "Settings", read: few(data.listSettingsOf) },
  {
    key: "drafts",
    title: "Drafts",
    read: few(async (db, subject) => (await data.listDraftsOf(db, subject)).map((row) => parsed(row, ["data"]))),
  },
  {
    key: "orders",
    title: "Orders placed",
    read: async (db, subject, portion) =>
      withCorrections(
        db,
        (await data.listOrdersOf(db, subject, portion)).map((row) => ({ ...row, orderId: row.id })),
      ).then((rows) => rows.map(({ orderId: _, ...row }) => parsed(row, ["invoiceAddress"]))),
  },
  {
    key: "orderCorrections",
    title: "Corrections of orders",
    read: async (db, subject, portion) =>
      (await data.listCorrectionsMadeBy(db, subject, portion)).map(({ year, number, ...row }) => ({
        ...parsed(row, ["changes"]),
        number: correctionNumber({ year, number }),
      })),
  },
  {
    key: "certificates",
    title: "Certificates ordered",
    read: async (db, subject, portion) =>
      (await data.listCertificatesOf(db, subject, portion)).map((row) =>
        parsed(row, ["subjectAlternateName", ...CONTACTS]),
      ),
  },
  {
    key: "contactOfCertificates",
    title: "Contact in orders of others",
    read: async (db, subject, portion) =>
      (await withCorrections(db, await data.listCertificatesNaming(db, subject, portion))).map((row) => {
        const technicalContact = ownContact(row.technicalContact, subject);
        const authenticationContact = ownContact(row.authenticationContact, subject);
        const titles = [
          technicalContact && CONTACT_TITLES.technical,
          authenticationContact && CONTACT_TITLES.authentication,
        ];
        const corrections = row.corrections.filter(({ label }) =>
          titles.some((title) => title && label.startsWith(title)),
        );
        return { ...row, technicalContact, authenticationContact, corrections };
      }),
  },
  {
    key: "certificateNotes",
    title: "Notes about certificates",
    read: async (db, subject, portion) =>
      (await data.listCertificateNotesBy(db, subject, portion)).map((row) => parsed(row, ["tags"])),
  },
  { key: "partnerOfCertificates", title: "Partner of certificates of others", read: data.listPartnersCalled },
  { key: "publishedCertificates", title: "Certificates published in the register", read: data.listPublishedBy },
  { key: "followedEntities", title: "Entities followed in the register", read: data.listFollowedBy },
  { key: "codes", title: "ID codes registered", read: data.listCodesRegistered },
  { key: "contactOfCodes", title: "Contact of ID codes", read: data.listCodeContactsWith },
  { key: "invitations", title: "Invitations", read: data.listInvitationsWith },
  { key: "domains", title: "Domains and mailboxes of companies", read: data.listDomainsWith },
  { key: "standingAuthorisations", title: "Standing authorisations", read: data.listStandingBy },
  { key: "messages", title: "Messages sent", read: data.listMailsTo },
  { key: "stoppedMessages", title: "Messages stopped", read: few(data.listStops) },
  { key: "requests", title: "Requests of staff about the account", read: few(data.listRequestsAbout) },
  { key: "securityEvents", title: "Security events", read: data.listEventsOf },
  { key: "auditEntries", title: "Audit trail", read: data.listEntriesOf },
];
