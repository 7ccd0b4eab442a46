import * as linkPage from "~/routes/_public.confirm-domain.$token";
import * as domainPage from "~/routes/home.company_.domains.$id";
import * as domainsPage from "~/routes/home.company_.domains._index";
import { getDb } from "~db/connection.server";
import { mailsTo, toastOf } from "./recovery";
import { openPage } from "./route-page";
import { anonymous, errorsOf, run, type Visitor } from "./visitor";

/** The page of all domains of a company. */
export const LIST = "/home/company/domains";

/** Adds a domain or mailbox with the form of the page. */
export const add = async (visitor: Visitor, domain: string) =>
  run(domainsPage.action, await visitor.post(LIST, { domain }));

/** Returns the message of a refused domain, or the address of the page that follows. */
export const added = async (visitor: Visitor, domain: string) => {
  const answer = await add(visitor, domain);
  return answer.status === 303 ? answer.headers.get("Location") : (await errorsOf(answer)).errors.domain;
};

/** Presses a button on the page of a domain. */
export const press = async (visitor: Visitor, id: number, fields: Record<string, string>) =>
  run(domainPage.action, await visitor.post(`${LIST}/${id}`, fields), { id: String(id) });

/** Opens the page of a domain. */
export const open = (visitor: Visitor, id: number) =>
  openPage(domainPage, visitor, `${LIST}/${id}`, { params: { id: String(id) } });

/** Presses a button. Returns the message on the next page, or what is refused. */
export const pressed = async (visitor: Visitor, id: number, fields: Record<string, string>) => {
  const answer = await press(visitor, id, fields);
  if (answer.status !== 303) return Object.values((await errorsOf(answer)).errors)[0];
  visitor.follow(answer);
  return toastOf(visitor);
};

/** Returns the messages of the audit trail about a company, in order. */
export const entriesOf = async (companyId: number) =>
  (
    await getDb()
      .selectFrom("auditEntries")
      .select("message")
      .where("reference", "=", `CO-${companyId}`)
      .orderBy("id")
      .execute()
  ).map(({ message }) => message);

/** Returns a domain as the database has it. */
export const rowOf = (id: number) =>
  getDb().selectFrom("companyDomains").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Returns the token of the latest link to an address. */
export const linkTo = async (address: string) =>
  /\/confirm-domain\/(\S+)/.exec((await mailsTo(address)).at(-1)?.text ?? "")?.[1] ?? "";

/** Opens the page behind a link, or sends its form. */
export const openLink = async (token: string, fields?: Record<string, string>) =>
  openPage(linkPage, await anonymous(), `/confirm-domain/${token}`, { params: { token }, ...(fields && { fields }) });
