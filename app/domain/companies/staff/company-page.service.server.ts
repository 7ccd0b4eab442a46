import { shownName } from "~/ca/names/international.server";
import { accountState } from "~/domain/accounts/account-state.policy";
import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { listClientsOfCompany } from "~/domain/api-clients/client-list.service.server";
import { findCompanyEntries } from "~/domain/audit/trail.service.server";
import { CODE_TYPE_LABELS, fullCode } from "~/domain/codes/code-types";
import { invoiceNumber, KIND_LABELS } from "~/domain/orders/invoices/invoice-content";
import { orderNumber, orderNumbersText } from "~/domain/orders/order-number";
import { orderTypeLabel } from "~/domain/orders/order-types";
import { storedVat } from "~/domain/reference/vat.service.server";
import { accountPaths } from "~/lib/account-paths";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findAddress } from "~db/repositories/addresses.server";
import { findEntryByReference } from "~db/repositories/audit-entries.server";
import { countCertificates, listCertificates } from "~db/repositories/certificate-list.server";
import { type CompanyRow, findCompany } from "~db/repositories/companies.server";
import { countMembers, PART_ROWS, partQueries, partTotals } from "~db/repositories/company-parts.server";
import { findCountry } from "~db/repositories/countries.server";
import { listOrdersOfInvoices } from "~db/repositories/invoices.server";
import { listOpenInvitations } from "~db/repositories/members.server";
import { companyReference } from "../company-reference";
import { linesOf } from "../company.service.server";
import { listDomainsOf } from "../domains/domains.service.server";
import { COMPANY_ENDED } from "../invitations.service.server";
import { certificateOrderer, leftText, personName, salesOrderer, withClients } from "../people.server";
import { ROLE_NAMES } from "../roles.policy";
import { listNotesAbout } from "./company-notes.service.server";
import { COMPANY_PARTS, type CompanyPagePart } from "./company-parts.policy";

async function detailsOf(company: CompanyRow) {
  const db = getDb();
  const invoicing = await findAddress(db, company.invoicingAddressId);
  const mergedInto = company.partOf === null ? null : await findCompany(db, company.partOf);
  return {
    id: company.id,
    name: company.name,
    companyRegistrationNumber: company.companyRegistrationNumber,
    taxNumber: company.taxNumber,
    vat: storedVat(company, invoicing && (await findCountry(db, invoicing.country))),
    /** The company of which this one became part, or null. */
    mergedInto: mergedInto && { id: mergedInto.id, name: mergedInto.name },
    /** When the company ended, because its only member joined another one. Null for one that did not. */
    endedAt: (await findEntryByReference(db, COMPANY_ENDED, companyReference(company.id)))?.at ?? null,
    createdAt: company.createdAt,
    memberCount: await countMembers(db, company.id),
    addresses: {
      company: await linesOf(await findAddress(db, company.companyAddressId)),
      invoicing: await linesOf(invoicing),
      mailing: await linesOf(await findAddress(db, company.mailingAddressId)),
    },
  };
}

async function membersOf(companyId: number, now: Date) {
  const rows = await partQueries.members(getDb(), companyId).execute();
  return rows.map((member) => ({
    id: member.id,
    name: personName(member),
    email: member.email,
    emailVerifiedAt: member.emailVerifiedAt,
    role: ROLE_NAMES[member.role],
    joinedAt: member.joinedAt,
    lastLoginAt: member.lastLoginAt,
    state: accountState(member, now),
  }));
}

/** The open invitations, the latest first. */
async function invitationsOf(companyId: number, now: Date) {
  const rows = (await listOpenInvitations(getDb(), companyId, now)).toReversed();
  return rows.map(({ id, email, role, expiresAt, ...by }) => ({
    id,
    email,
    role: ROLE_NAMES[role],
    by: personName(by),
    expiresAt,
  }));
}

const LATEST = { direction: "desc", offset: 0, limit: PART_ROWS } as const;
const NEWEST = { sort: { key: "id", direction: "desc" }, offset: 0, limit: PART_ROWS } as const;

/** A part that names the people who made its rows. */
interface Maker {
  userId: number;
}

/** Returns a function that adds to the name of a person, when they have left the company, that they have. */
async function leaversAmong({ id: companyId, name: company }: CompanyRow, rows: readonly Maker[]) {
  const userIds = rows.map(({ userId }) => userId);
  const left = await leftText(getDb(), { companyId, company }, userIds);
  /** `name` is that of whoever made the row, which is not a person when staff or the portal did. */
  return (row: Maker & Parameters<typeof personName>[0], name = personName(row)) =>
    name === personName(row) ? name + left(row.userId) : name;
}

async function certificatesOf(company: CompanyRow) {
  const found = await listCertificates(getDb(), { companyId: company.id, terms: [] }, NEWEST);
  const nameOf = await leaversAmong(company, found);
  const rows = await withClients(found, "orderId", ({ orderId }) => orderId);
  return rows.map((row) => ({
    id: row.id,
    commonName: row.commonName,
    status: row.status,
    requestedAt: row.requestedAt,
    expiryDate: row.expiryDate,
    orderedBy: nameOf(row, certificateOrderer(row)),
  }));
}

async function codesOf(company: CompanyRow) {
  const found = await partQueries.codes(getDb(), company.id).execute();
  const nameOf = await leaversAmong(company, found);
  const rows = await withClients(found, "codeId", ({ id }) => id);
  return rows.map((row) => ({
    id: row.id,
    fullCode: fullCode(row),
    codeType: CODE_TYPE_LABELS[row.codeType],
    entityName: row.entityName,
    status: row.status,
    createdAt: row.createdAt,
    registeredBy: nameOf(row),
  }));
}

async function ordersOf(company: CompanyRow) {
  const found = await partQueries.orders(getDb(), company.id).execute();
  const nameOf = await leaversAmong(company, found);
  const rows = await withClients(found, "orderId", ({ id }) => id);
  return rows.map(
    ({
      id,
      orderType,
      createdAt,
      totalCents,
      status,
      certificateType,
      previousCertificateId,
      isCorrection,
      ...row
    }) => ({
      id,
      orderNumber: orderNumber(id),
      orderType: orderTypeLabel(orderType),
      createdAt,
      totalCents,
      status,
      orderedBy: nameOf(
        row,
        salesOrderer(
          row,
          certificateType && {
            orderType: certificateType,
            previousCertificateId,
            isCorrection: isCorrection === true,
          },
        ),
      ),
    }),
  );
}

async function invoicesOf(companyId: number) {
  const rows = await partQueries.invoices(getDb(), companyId).execute();
  const orders = await listOrdersOfInvoices(
    getDb(),
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, kind, year, number, orderId, ...row }) => ({
    id,
    kind: KIND_LABELS[kind],
    number: invoiceNumber({ kind, year, number }),
    orderId,
    orderNumber: orderNumbersText(orders.get(id) ?? [orderId]),
    ...row,
  }));
}

/** What staff have confirmed for an order: the organisation, and the answer of the authentication contact. */
async function checksOf(companyId: number) {
  const rows = await partQueries.checks(getDb(), companyId).execute();
  return rows.flatMap(({ id, commonName, ...row }) => {
    const { organisationCheckedAt, organisationCheckedBy, organisationNote, contactAnsweredAt } = row;
    const about = { certificateId: id, commonName };
    return [
      ...(organisationCheckedAt === null
        ? []
        : [
            {
              ...about,
              what: `Organisation ${row.organisation}`,
              at: organisationCheckedAt,
              by: organisationCheckedBy,
              note: organisationNote,
            },
          ]),
      ...(contactAnsweredAt === null
        ? []
        : [
            {
              ...about,
              what: `Authentication contact: ${row.contactAnswer ?? ""}`,
              at: contactAnsweredAt,
              by: row.contactAnswerBy,
              note: row.contactNote,
            },
          ]),
    ];
  });
}

/** All domains and mailboxes that have not ended, and the latest that have. `endAt` is the page that ends one, for those who may. */
async function domainsOf(companyId: number, viewer: RightsHolder, now: Date) {
  const mayEnd = may(viewer, "end-domains");
  return (await listDomainsOf(companyId, PART_ROWS, now)).map((domain) => ({
    ...domain,
    shown: shownName(domain.name),
    endAt:
      mayEnd && domain.confirmedAt !== null && domain.endedAt === null
        ? accountPaths.endDomain(companyId, domain.id)
        : null,
  }));
}

/** Returns the rows of a part and how many there are in all, or null when the viewer may not see the part. */
async function part<Row>(
  viewer: RightsHolder,
  name: CompanyPagePart,
  { rows, total }: { rows: () => Promise<Row[]>; total: () => Promise<number> },
): Promise<{ rows: Row[]; total: number } | null> {
  return may(viewer, COMPANY_PARTS[name]) ? { rows: await rows(), total: await total() } : null;
}

/** Returns a part of which all rows are read, as `part` does. */
async function wholePart<Row>(viewer: RightsHolder, name: CompanyPagePart, read: () => Promise<Row[]>) {
  const all = may(viewer, COMPANY_PARTS[name]) ? await read() : null;
  return all && { rows: all.slice(0, PART_ROWS), total: all.length };
}

/**
 * Returns a company as this member of staff may see it: its details, and of each part the latest rows with their number. A part that the
 * rights do not show is null. Throws a PortalError (404) when there is no such company.
 */
export async function getCompanyPage(id: number, viewer: RightsHolder, now = new Date()) {
  const company = await findCompany(getDb(), id);
  if (!company) throw notFound();
  const total = (name: keyof typeof partTotals) => () => partTotals[name](getDb(), id);
  return {
    ...(await detailsOf(company)),
    mayWriteNotes: may(viewer, "write-company-notes"),
    members: await part(viewer, "members", { rows: () => membersOf(id, now), total: total("members") }),
    invitations: await wholePart(viewer, "invitations", () => invitationsOf(id, now)),
    clients: await wholePart(viewer, "clients", async () => (await listClientsOfCompany(id, now)).toReversed()),
    domains: may(viewer, COMPANY_PARTS.domains) ? await domainsOf(id, viewer, now) : null,
    certificates: await part(viewer, "certificates", {
      rows: () => certificatesOf(company),
      total: () => countCertificates(getDb(), { companyId: id, terms: [] }),
    }),
    codes: await part(viewer, "codes", { rows: () => codesOf(company), total: total("codes") }),
    orders: await part(viewer, "orders", { rows: () => ordersOf(company), total: total("orders") }),
    invoices: await part(viewer, "invoices", { rows: () => invoicesOf(id), total: total("invoices") }),
    checks: await part(viewer, "checks", { rows: () => checksOf(id), total: total("checks") }),
    notes: may(viewer, COMPANY_PARTS.notes) ? await listNotesAbout(id, LATEST) : null,
    history: may(viewer, COMPANY_PARTS.history) ? await findCompanyEntries(id, PART_ROWS) : null,
  };
}

export type CompanyPage = Awaited<ReturnType<typeof getCompanyPage>>;
