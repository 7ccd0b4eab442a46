import { z } from "zod";
import { may } from "~/domain/accounts/rights.policy";
import { loadAuditLog } from "~/domain/codes/audit-log.service.server";
import { type CodeData, getCodeData, listCodeData } from "~/domain/codes/code-data.service.server";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { statusChoices } from "~/domain/codes/code-status.policy";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { listAvailableFor } from "~/domain/codes/list/service.server";
import { CODE_LIMIT, SEARCH_LIMITS } from "~/domain/codes/search-texts";
import { countOwnCodes, maySearchCodes, searchCodesFor } from "~/domain/codes/search.service.server";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { CODE_STATUSES } from "~db/tables/codes";
import { call, group, Reply, type SignedCaller } from "../call";
import { InvalidInput } from "../check";
import { answeredCode, answeredCodeType, answeredContact, toAnsweredCode, toAnsweredContact } from "../code-data";
import { PART_NOTES, partOf, partQueryOf, partShape } from "../cursor.server";
import { PAGE_NOTES, pageOf, pageShape } from "../paging";
import { nothing, queryId, toWireTimestamp, wireTimestamp, wireVersion } from "../wire";
import { codePurchaseCalls } from "./code-purchase.server";
import { codeRegistrationCalls } from "./code-registration.server";
import { entityCertificateCalls } from "./entity-certificates.server";

const ofCode = z.object({ codeId: queryId() }).strict();

const found = z.object({
  id: z.number().int(),
  code: z.string(),
  subcode: z.string(),
  company: z.string(),
  entityName: z.string(),
  city: z.string(),
  country: z.string(),
  status: z.enum(CODE_STATUSES),
});

const criteria = z
  .object({
    code: z.string().openapi({
      maxLength: CODE_LIMIT,
      description: "The beginning of a code, or its four characters with the sub-code or without: `AB1C`, `AB1C01`",
    }),
    subCode: z.string().describe("Only with a code; must be the same as a sub-code that the code already includes"),
    company: z.string().openapi({ maxLength: SEARCH_LIMITS.company, description: "Beginnings of its words" }),
    city: z.string().openapi({ maxLength: SEARCH_LIMITS.city, description: "Beginnings of its words" }),
    country: z.string().describe("`id` of UserRegistration/GetCountries; `-1`: none"),
  })
  .partial()
  .extend(pageShape)
  .strict();

type Criteria = z.output<typeof criteria>;

/**
 * Returns the names and texts of the search criteria. A text of a single space becomes empty. Other leading spaces stay, because a sub-code
 * is searched for without its code when four spaces precede it.
 */
const givenTexts = ({ page: _page, pageSize: _size, ...given }: Criteria) =>
  Object.entries(given).map(([name, value]) => [name, value === " " ? "" : value]);

const MORE = "There are more than a thousand: narrow the search.";

async function search(query: Criteria, { user }: SignedCaller) {
  if (!(await maySearchCodes(user)))
    throw new PortalError("Only staff with access to the register and owners of codes can search it.", {
      code: "account.right",
      status: 403,
    });
  const { page, size } = pageOf(query);
  const params = { ...codeSearchList.read(new URLSearchParams(givenTexts(query))), isAsked: true, page, size };
  const { errors, results, params: shown } = await searchCodesFor(user, params);
  const { form, ...fields } = errors;
  if (Object.keys(fields).length > 0) throw new InvalidInput(fields);
  if (form) throw new PortalError(form, { code: "code.search-empty" });
  const rows = shown.page === page ? (results?.rows ?? []) : [];
  return new Reply(rows, results?.hasMore ? MORE : "");
}

const auditRow = z.object({
  email: z.string().describe("Who did it"),
  purchaseOrderNumber: z.string(),
  code: z.string(),
  message: z.string(),
  dateTime: wireTimestamp(),
  auditReference: z.string().describe("What it refers to: the number of an order, the name of a file"),
});

async function auditLog({
  codeId,
  ...query
}: {
  codeId: number;
  page?: number | undefined;
  pageSize?: number | undefined;
}) {
  const { page, size } = pageOf(query);
  const { rows, params } = await loadAuditLog(codeId, { page, size, sort: { key: "dateTime", direction: "desc" } });
  if (params.page !== page) return [];
  return rows.map(({ dateTime, actorName, ...row }) => ({
    ...row,
    email: actorName,
    dateTime: toWireTimestamp(dateTime),
  }));
}

const readingCalls = group("Codes", [
  call({
    path: "codes/getcodes",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The caller's codes; for staff who see customers, all codes",
    notes: `In the order in which they were registered. ${PART_NOTES} What changes at the company alone is no change of its codes.`,
    failure: "OCA0B01E",
    isInParts: true,
    input: z.object({ status: z.enum(CODE_STATUSES).optional(), page: pageShape.page, ...partShape }).strict(),
    output: z.array(answeredCode),
    handle: async (query, { user }) => {
      const part = partQueryOf("codes/getcodes", query);
      const rows = await listCodeData(user, { ...part, status: query.status ?? null, page: query.page ?? 1 });
      const positionOf = ({ row }: CodeData) => ({
        at: part.updatedSince === null ? null : row.updatedAt,
        id: row.id,
      });
      return partOf(part, rows, { positionOf, toWire: toAnsweredCode });
    },
  }),
  call({
    path: "codes/getcode",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "One code with its contacts",
    failure: "OCA0A01E",
    refuses: { 404: "There is no such code, or it is somebody else's" },
    input: z.object({ id: queryId() }).strict(),
    output: z.object({
      code: answeredCode,
      useCompanyAddress: z.boolean(),
      usePhysicalAddress: z.boolean(),
      contacts: z.array(answeredContact),
      updatedAt: wireVersion(),
    }),
    handle: async ({ id }, { user }) => {
      const data = await getCodeData(user, id);
      return {
        code: toAnsweredCode(data),
        useCompanyAddress: data.physicalAddress === null,
        usePhysicalAddress: data.mailingAddress === null,
        contacts: data.contacts.map(toAnsweredContact),
        updatedAt: data.row.updatedAt,
      };
    },
  }),
  call({
    path: "codes/GetCodeContacts",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The contacts of a code",
    failure: "OCA0A01E",
    refuses: { 404: "There is no such code, or it is somebody else's" },
    input: ofCode,
    output: z.array(answeredContact),
    handle: async ({ codeId }, { user }) => (await getCodeData(user, codeId)).contacts.map(toAnsweredContact),
  }),
  call({
    path: "codes/getcodesavailable",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "How many paid codes of each type the caller can still register",
    failure: "OCA0B01E",
    input: nothing,
    output: z.array(z.object({ codeType: answeredCodeType(), quantity: z.number().int() })),
    handle: (_, { user }) => listAvailableFor(user),
  }),
  call({
    path: "codes/GetCodeCountForUser",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "How many codes the caller has",
    failure: "IMP0901E",
    input: nothing,
    output: z.number().int(),
    handle: (_, { user }) => countOwnCodes(user),
  }),
  call({
    path: "codes/getAuditLogs",
    method: "GET",
    who: "see-customers",
    clients: "read",
    summary: "The history of a code, latest first",
    notes: PAGE_NOTES,
    failure: "OCA0K01E",
    refuses: { 404: "There is no such code" },
    input: ofCode.extend(pageShape),
    output: z.array(auditRow),
    handle: auditLog,
  }),
  call({
    path: "codes/getPricings",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "What a code of each type costs, in euro without VAT",
    failure: "IMP0B01E",
    input: nothing,
    output: z.array(z.object({ codeType: answeredCodeType(), price: z.number() })),
    handle: () =>
      Promise.resolve(
        Object.entries(getConfig().prices.codeCents).map(([type, cents]) => ({
          codeType: CODE_TYPE_LABELS[type as keyof typeof CODE_TYPE_LABELS],
          price: cents / 100,
        })),
      ),
  }),
  call({
    path: "codes/search",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "Searches the register by code, company, city and country",
    notes: `At least one of the fields is required. Only for staff who see customers and for owners of codes. At most a thousand codes are found; \`responseText\` says when there are more. ${PAGE_NOTES}`,
    failure: "OCA0J01E",
    input: criteria,
    output: z.array(found),
    handle: search,
  }),
  call({
    path: "codes/GetCodeStatuses",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The statuses that the caller can give a code",
    failure: "OCA0A01E",
    input: nothing,
    output: z.array(z.enum(CODE_STATUSES)),
    handle: (_, { user }) => Promise.resolve(statusChoices(may(user, "change-codes"))),
  }),
  call({
    path: "codes/GetOrderStatuses",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The statuses of a sales order",
    failure: "OCA0L01E",
    input: nothing,
    output: z.array(z.enum(ORDER_STATUSES)),
    handle: () => Promise.resolve([...ORDER_STATUSES].sort()),
  }),
]);

export const codeCalls = [...readingCalls, ...codeRegistrationCalls, ...codePurchaseCalls, ...entityCertificateCalls];
