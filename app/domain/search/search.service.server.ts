import { userList } from "~/domain/accounts/administration/user-list";
import { listUsersForAdmin } from "~/domain/accounts/administration/users-list.service.server";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { listCertificatesFor } from "~/domain/certificates/catalogue/list.service.server";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { codeList } from "~/domain/codes/list/code-list";
import { listCodesFor } from "~/domain/codes/list/service.server";
import { listMembersFor } from "~/domain/companies/members.service.server";
import { mayAsMember, ROLE_NAMES } from "~/domain/companies/roles.policy";
import { listCompaniesForStaff } from "~/domain/companies/staff/companies-list.service.server";
import { companyList } from "~/domain/companies/staff/company-list";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { PortalError } from "~/lib/errors";
import { foldForSearch } from "~/lib/fold-text";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { type ContactTexts, listContactTexts } from "~db/repositories/certificates.server";
import { findInvoicesStarting, findOrdersStarting } from "./number-start.server";
import {
  certificateResult,
  findCertificatesNumbered,
  findInvoicesNumbered,
  findOrderNumbered,
} from "./numbered.server";
import { SEARCH_KINDS, type SearchKind, SHOWN_RESULTS } from "./search-kinds";
import { type SearchGroup, type SearchResult, type Suggestion } from "./search-result";
import { readTypedWords, SEARCH_ERRORS, type TypedWords } from "./typed-words.policy";

type Found = Omit<SearchGroup, "kind">;

const NOTHING: Found = { results: [], total: 0, hasMore: false, all: null };

/** Returns results that were all found at once. There is no list with more of them. */
const these = (results: readonly SearchResult[], shown = SHOWN_RESULTS): Found => ({
  results: results.slice(0, shown),
  total: results.length,
  hasMore: false,
  all: null,
});

interface Page<Row> {
  rows: readonly Row[];
  total: number;
  hasMore: boolean;
}

/** Returns the first rows of a list, with the address of the whole list when it has more. */
const firstOf = <Row>(
  { rows, total, hasMore }: Page<Row>,
  all: string,
  toResult: (row: Row) => SearchResult,
): Found => ({
  results: rows.map(toResult),
  total,
  hasMore,
  all: total > rows.length ? all : null,
});

const FIRST_PAGE = { page: 1, size: SHOWN_RESULTS, isGlance: true };
const NO_QUERY = new URLSearchParams();

/** Finds the sales orders of companies with these words, or else of accounts whose user name or email contains the only word. */
async function findOrdersOf(words: string): Promise<Found> {
  const isOneWord = !words.includes(" ");
  const filters = [...(words.includes("@") ? [] : [{ company: words }]), ...(isOneWord ? [{ userName: words }] : [])];
  for (const filter of filters) {
    const { results } = await findSalesOrders({ ...salesOrderList.read(NO_QUERY), ...FIRST_PAGE, ...filter });
    if (results && results.total > 0)
      return firstOf(results, salesOrderList.href(filter), (row) => ({
        id: row.id,
        href: paths.salesOrder(row.id),
        title: row.orderNumber,
        detail: `${row.orderType} · ${row.company}`,
        status: row.status,
      }));
  }
  return NOTHING;
}

/** What has exactly the typed number. */
export interface Numbered {
  orders: readonly SearchResult[];
  certificates: readonly SearchResult[];
  invoices: readonly SearchResult[];
}

/** Returns what has exactly the typed number, of all that this user may see. */
export async function findNumbered(user: SessionUser, typed: TypedWords): Promise<Numbered> {
  const order = await findOrderNumbered(user, typed);
  return {
    orders: order ? [order] : [],
    certificates: await findCertificatesNumbered(user, typed),
    invoices: await findInvoicesNumbered(user, typed),
  };
}

async function findOrders(user: SessionUser, typed: TypedWords, { orders }: Numbered): Promise<Found> {
  if (orders.length > 0) return these(orders);
  const starting = await findOrdersStarting(user, typed);
  if (starting) return starting;
  return may(user, "see-sales-orders") && typed.words !== "" ? findOrdersOf(typed.words) : NOTHING;
}

async function findCertificates(user: SessionUser, typed: TypedWords, { certificates }: Numbered): Promise<Found> {
  if (certificates.length > 0) return these(certificates);
  if (typed.words === "") return NOTHING;
  const filter = { search: typed.words };
  const found = await listCertificatesFor(user, { ...certificateList.read(NO_QUERY), ...FIRST_PAGE, ...filter });
  const contacts = await listContactTexts(
    getDb(),
    found.rows.map(({ id }) => id),
  );
  return firstOf(found, certificateList.href(filter), ({ certificateStatus, certificateExpiryDate, ...row }) => {
    const result = certificateResult(user, { ...row, status: certificateStatus, expiryDate: certificateExpiryDate });
    const contact = contactFound(contacts.get(row.id), typed.words);
    return contact === null ? result : { ...result, detail: `${result.detail} · contact ${contact}` };
  });
}

/** Returns the name and email address of a certificate's contact when one of these words is in them, or null. */
function contactFound(stored: ContactTexts | undefined, words: string): string | null {
  const isFound = foldForSearch(words)
    .split(" ")
    .some((word) => stored?.contactSearchText.includes(word));
  if (!stored || !isFound) return null;
  const { name, email } = parseContact(stored.authenticationContact);
  return `${name}, ${email}`;
}

/** Returns whether a text contains every one of these words. */
function hasWords(text: string, words: string): boolean {
  const folded = foldForSearch(text);
  return foldForSearch(words)
    .split(" ")
    .every((word) => folded.includes(word));
}

/** Finds the companies, for staff who see them, and otherwise the one in which the user works. */
async function findCompanies(user: SessionUser, { words }: TypedWords): Promise<Found> {
  if (words === "") return NOTHING;
  if (!may(user, "see-companies")) {
    const isFound = mayAsMember(user, "see-company") && hasWords(user.company, words);
    return isFound
      ? these([{ id: user.companyId, href: paths.company, title: user.company, detail: "Your company" }])
      : NOTHING;
  }
  const filter = { search: words };
  const found = await listCompaniesForStaff({ ...companyList.read(NO_QUERY), ...FIRST_PAGE, ...filter });
  return firstOf(found, companyList.href(filter), (row) => ({
    id: row.id,
    href: paths.companyPage(row.id),
    title: row.name,
    detail: row.companyRegistrationNumber ?? "",
  }));
}

/** Finds all accounts, for staff who see them, and otherwise the members of the company in which the user works. */
async function findPeople(user: SessionUser, { words }: TypedWords): Promise<Found> {
  if (words === "") return NOTHING;
  if (may(user, "see-users")) {
    const filter = { search: words };
    const found = await listUsersForAdmin({ ...userList.read(NO_QUERY), ...FIRST_PAGE, ...filter });
    return firstOf(found, userList.href(filter), (row) => ({
      id: row.id,
      href: paths.user(row.id),
      title: row.name,
      detail: `${row.email} · ${row.company}`,
      status: row.state,
    }));
  }
  if (!mayAsMember(user, "see-company")) return NOTHING;
  const members = (await listMembersFor(user)).filter(({ name, email }) => hasWords(`${name} ${email}`, words));
  const results = members.map(({ id, name, email, role }) => ({
    id,
    href: paths.company,
    title: name,
    detail: `${email} · ${ROLE_NAMES[role]}`,
  }));
  return { ...these(results), all: results.length > SHOWN_RESULTS ? paths.company : null };
}

async function findInvoices(user: SessionUser, typed: TypedWords, { invoices }: Numbered): Promise<Found> {
  if (invoices.length === 0) return (await findInvoicesStarting(user, typed)) ?? NOTHING;
  return these(invoices, invoices.length); // no list has all orders of an invoice
}

async function findCodes(user: SessionUser, { words }: TypedWords): Promise<Found> {
  if (words === "") return NOTHING;
  const filter = { search: words, show: "codes" } as const;
  const found = await listCodesFor(user, { ...codeList.read(NO_QUERY), ...FIRST_PAGE, ...filter });
  return firstOf(found, codeList.href(filter), (row) => ({
    id: row.id,
    href: paths.codeDetails({ code: row.id }),
    title: row.fullCode,
    detail: [...new Set([row.entityName, row.company])].filter(Boolean).join(" · "),
    status: row.status,
  }));
}

type Finder = (user: SessionUser, typed: TypedWords, numbered: Numbered) => Promise<Found>;

/**
 * Finds the things of each kind. Each asks the service of a list, which decides what this user may see, unless `numbered` has exactly what
 * was typed.
 */
export const FINDERS: Readonly<Record<SearchKind, Finder>> = {
  orders: findOrders,
  certificates: findCertificates,
  companies: findCompanies,
  people: findPeople,
  invoices: findInvoices,
  codes: findCodes,
};

/** Returns what was found of each kind. Kinds without results are left out. All are looked for at once, which PostgreSQL does in parallel. */
async function findAll(user: SessionUser, typed: TypedWords, numbered: Numbered): Promise<SearchGroup[]> {
  const kinds = Object.keys(SEARCH_KINDS) as SearchKind[];
  const groups = await Promise.all(
    kinds.map(async (kind) => ({ kind, ...(await FINDERS[kind](user, typed, numbered)) })),
  );
  return groups.filter(({ results }) => results.length > 0);
}

/** Returns the page of the only thing that has exactly the typed number, or null. */
function exactPage(numbered: Numbered): string | null {
  const pages = new Set(Object.values(numbered).flatMap((results: SearchResult[]) => results.map(({ href }) => href)));
  return pages.size === 1 ? ([...pages][0] ?? null) : null;
}

/** What was searched for, with its results, or with the error of the words. */
export type Search =
  | { text: string; error: string }
  | { text: string; error: null; leftOut: string[]; exact: string | null; groups: SearchGroup[] };

/**
 * Searches everything that this user may see. `exact` is the page of what has exactly the typed number; then there are no groups. Returns
 * null when there are no words.
 */
export async function searchEverything(user: SessionUser, text: string): Promise<Search | null> {
  const typed = readTypedWords(text);
  if (typed === null || "error" in typed) return typed;
  const numbered = await findNumbered(user, typed);
  const exact = exactPage(numbered);
  const groups = exact === null ? await findAll(user, typed, numbered) : [];
  return { text: typed.text, error: null, leftOut: typed.leftOut, exact, groups };
}

/** Returns the same results for the JSON call, also those of an exact number. Throws a PortalError for the field `words`. */
export async function searchForCall(user: SessionUser, words: string): Promise<SearchGroup[]> {
  const typed = readTypedWords(words);
  if (typed === null || "error" in typed)
    throw new PortalError(typed?.error ?? SEARCH_ERRORS.short, { code: "search.words", field: "words" });
  return findAll(user, typed, await findNumbered(user, typed));
}

/** As many results are suggested. */
const SUGGESTED = 8;

/** Returns the first results of a search while its words are typed, none for words that cannot be looked up. */
export async function suggestResults(user: SessionUser, text: string): Promise<Suggestion[]> {
  const search = await searchEverything(user, text);
  if (search === null || search.error !== null) return [];
  const all: Suggestion[] = search.groups.flatMap(({ kind, results }) =>
    results.map(({ href, title, detail }) => ({ href, title, detail, kind: SEARCH_KINDS[kind] })),
  );
  if (search.exact !== null) all.unshift({ href: search.exact, title: search.text, detail: "", kind: "Exact number" });
  return all.slice(0, SUGGESTED);
}
