import { z } from "zod";
import { companyNoteSchema } from "~/domain/companies/companies.schema";
import { listCompaniesForStaff } from "~/domain/companies/staff/companies-list.service.server";
import { companyList, companyNoteList } from "~/domain/companies/staff/company-list";
import {
  addCompanyNote,
  type CompanyNoteItem,
  loadCompanyNotes,
} from "~/domain/companies/staff/company-notes.service.server";
import { type CompanyPage, getCompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { companyDomain, toCompanyDomain } from "../company-domain.server";
import { PAGE_NOTES, pageOf, pageShape } from "../paging";
import { id, queryId, textBy, toWireTimestamp, wireTimestamp } from "../wire";

const listed = z.object({
  id: z.number().int(),
  name: z.string(),
  companyRegistrationNumber: z.string(),
  vatNumber: z.string(),
  members: z.number().int().describe("How many people belong to it"),
  createdAt: wireTimestamp(),
});

const criteria = z
  .object({
    search: z
      .string()
      .max(SEARCH_LIMIT, messages.outOfRange)
      .describe("Words of its name, its number, registration, tax or VAT number"),
  })
  .partial()
  .extend(pageShape)
  .strict();

async function search({ search: words = "", ...query }: z.output<typeof criteria>): Promise<z.input<typeof listed>[]> {
  const wanted = { ...companyList.read(new URLSearchParams({ search: words })), ...pageOf(query) };
  const { rows, params } = await listCompaniesForStaff(wanted);
  if (params.page !== wanted.page) return [];
  return rows.map(({ companyRegistrationNumber, vatNumber, createdAt, ...row }) => ({
    ...row,
    companyRegistrationNumber: companyRegistrationNumber ?? "",
    vatNumber: vatNumber ?? "",
    createdAt: toWireTimestamp(createdAt),
  }));
}

/** The latest rows of a part, and how many there are. */
const part = <Row extends z.ZodRawShape>(row: Row) =>
  z
    .object({ total: z.number().int(), rows: z.array(z.object(row)) })
    .nullable()
    .describe("The latest ten. Null when the caller's rights do not show them");

const note = { id: z.number().int(), text: z.string(), by: z.string(), writtenAt: wireTimestamp() };

const company = z.object({
  id: z.number().int(),
  name: z.string(),
  companyRegistrationNumber: z.string(),
  taxNumber: z.string(),
  vatNumber: z.string(),
  isVatNumberConfirmed: z.boolean().describe("The VAT service has confirmed it"),
  createdAt: wireTimestamp(),
  mergedInto: z.number().int().nullable().describe("The company of which it became part by a merge of accounts"),
  memberCount: z.number().int(),
  confirmedEmails: z.number().int().describe("How many members confirmed the email address"),
  members: part({
    userId: z.number().int(),
    name: z.string(),
    email: z.string(),
    emailVerifiedAt: wireTimestamp(),
    role: z.string(),
    joinedAt: wireTimestamp(),
    lastLoginAt: wireTimestamp(),
    state: z.string(),
  }),
  domains: z
    .array(companyDomain)
    .nullable()
    .describe("All that have not ended, and the latest ten that have. Null when the caller's rights do not show them"),
  certificates: part({
    id: z.number().int(),
    commonName: z.string(),
    status: z.string(),
    requestedAt: wireTimestamp(),
    expiryDate: wireTimestamp(),
    orderedBy: z.string(),
  }),
  codes: part({
    id: z.number().int(),
    fullCode: z.string(),
    codeType: z.string(),
    entityName: z.string(),
    status: z.string(),
    createdAt: wireTimestamp(),
    registeredBy: z.string(),
  }),
  orders: part({
    id: z.number().int(),
    orderNumber: z.string(),
    orderType: z.string(),
    createdAt: wireTimestamp(),
    orderTotal: z.number().describe("Euro, with VAT"),
    status: z.string(),
    orderedBy: z.string(),
  }),
  invoices: part({
    id: z.number().int(),
    number: z.string(),
    kind: z.string(),
    orderId: z.number().int(),
    issuedAt: wireTimestamp(),
    total: z.number().describe("Euro, with VAT"),
  }),
  checks: part({
    certificateId: z.number().int(),
    what: z.string(),
    by: z.string(),
    at: wireTimestamp(),
    note: z.string(),
  }),
  notes: part(note),
  history: part({
    at: wireTimestamp(),
    who: z.string(),
    event: z.string(),
    message: z.string(),
  }),
});

/** Converts the rows of a part. A part that the rights do not show stays null. */
const toPart = <Row, Wire>(
  given: { rows: readonly Row[]; total: number } | null,
  toRow: (row: Row) => Wire,
): { rows: Wire[]; total: number } | null => given && { total: given.total, rows: given.rows.map(toRow) };

const toOwned = (page: CompanyPage) => ({
  certificates: toPart(page.certificates, ({ requestedAt, expiryDate, ...row }) => ({
    ...row,
    requestedAt: toWireTimestamp(requestedAt),
    expiryDate: toWireTimestamp(expiryDate),
  })),
  codes: toPart(page.codes, ({ createdAt, ...row }) => ({ ...row, createdAt: toWireTimestamp(createdAt) })),
  orders: toPart(page.orders, ({ createdAt, totalCents, ...row }) => ({
    ...row,
    createdAt: toWireTimestamp(createdAt),
    orderTotal: totalCents / 100,
  })),
  invoices: toPart(page.invoices, ({ issuedAt, totalCents, ...row }) => ({
    ...row,
    issuedAt: toWireTimestamp(issuedAt),
    total: totalCents / 100,
  })),
});

const toNote = ({ writtenAt, ...row }: CompanyNoteItem) => ({ ...row, writtenAt: toWireTimestamp(writtenAt) });

const toCompany = (page: CompanyPage): z.input<typeof company> => ({
  id: page.id,
  name: page.name,
  companyRegistrationNumber: page.companyRegistrationNumber ?? "",
  taxNumber: page.taxNumber ?? "",
  vatNumber: page.vat?.number ?? "",
  isVatNumberConfirmed: page.vat?.state === "confirmed",
  createdAt: toWireTimestamp(page.createdAt),
  mergedInto: page.mergedInto?.id ?? null,
  memberCount: page.memberCount.total,
  confirmedEmails: page.memberCount.confirmed,
  members: toPart(page.members, ({ id: userId, emailVerifiedAt, joinedAt, lastLoginAt, ...row }) => ({
    ...row,
    userId,
    emailVerifiedAt: toWireTimestamp(emailVerifiedAt),
    joinedAt: toWireTimestamp(joinedAt),
    lastLoginAt: toWireTimestamp(lastLoginAt),
  })),
  domains: page.domains && page.domains.map(toCompanyDomain),
  ...toOwned(page),
  checks: toPart(page.checks, ({ certificateId, what, by, at, note }) => ({
    certificateId,
    what,
    by: by ?? "",
    at: toWireTimestamp(at),
    note: note ?? "",
  })),
  notes: toPart(page.notes, toNote),
  history: toPart(page.history, ({ at, actorName, event, message }) => ({
    at: toWireTimestamp(at),
    who: actorName,
    event,
    message,
  })),
});

const notesOf = z.object({ companyId: queryId() }).extend(pageShape).strict();

async function notesAbout({ companyId, ...query }: z.output<typeof notesOf>) {
  const wanted = { ...companyNoteList.read(new URLSearchParams()), ...pageOf(query) };
  const { rows, params } = await loadCompanyNotes(companyId, wanted);
  return params.page === wanted.page ? rows.map(toNote) : [];
}

const NO_COMPANY = { 404: "There is no such company" };

export const staffCompanyCalls = group("Companies", [
  call({
    path: "Companies/SearchCompanies",
    method: "GET",
    who: "see-companies",
    summary: "The companies of all customers, or those that match a search",
    notes: `By name. Companies that only staff use are left out. ${PAGE_NOTES}`,
    input: criteria,
    output: z.array(listed),
    handle: search,
  }),
  call({
    path: "Companies/GetCompany",
    method: "GET",
    who: "see-companies",
    summary: "One company, with what the caller's rights show of it",
    refuses: NO_COMPANY,
    input: z.object({ companyId: queryId() }).strict(),
    output: company,
    handle: async ({ companyId }, { user }) => toCompany(await getCompanyPage(companyId, user)),
  }),
  call({
    path: "Companies/GetCompanyNotes",
    method: "GET",
    who: "see-customers",
    summary: "The notes of staff about a company, the latest first",
    notes: PAGE_NOTES,
    refuses: NO_COMPANY,
    input: notesOf,
    output: z.array(z.object(note)),
    handle: notesAbout,
  }),
  call({
    path: "Companies/AddCompanyNote",
    method: "POST",
    who: "write-company-notes",
    summary: "Adds a note of staff about a company",
    notes: "Nobody can change or delete it.",
    refuses: NO_COMPANY,
    input: z.object({ companyId: id(), note: textBy(companyNoteSchema.shape.note) }).strict(),
    output: z.boolean(),
    handle: async ({ companyId, ...input }, { user }) => {
      await addCompanyNote(user, companyId, { text: check(companyNoteSchema, input).note, seen: null });
      return true;
    },
  }),
]);
