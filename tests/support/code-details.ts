import { getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import * as details from "~/routes/home.codes_.code-details/route";
import * as contactDetails from "~/routes/home.codes_.code-details_.contact-details";
import { getDb } from "~db/connection.server";
import { findCode } from "~db/repositories/codes.server";
import { createCode } from "./codes";
import { type Person } from "./people";
import { anonymous, errorsOf, jsonOf, run, type Visitor } from "./visitor";

export type Fields = Record<string, string | string[]>;

/** The required fields of a code's form. */
export const ENTITY: Fields = { entityName: "Plant Nord", useCompanyAddress: "on", usePhysicalAddress: "on" };

export const CONTACT: Fields = {
  contactType: "IT",
  firstName: "Ida",
  lastName: "Berg",
  emailAddress: "ida.berg@example-parts.com",
};

type Query = Parameters<typeof paths.codeDetails>[0];

export const open = (visitor: Visitor, path: string): Promise<Response> => run(details.loader, visitor.get(path));

/** Opens a code's page and returns its data. */
export const pageOf = async (visitor: Visitor, path: string) =>
  jsonOf<{
    code: { id: number; fullCode: string; oftpIdentifier: string; status: string } | null;
    values: Record<string, unknown> & { version?: string };
    contacts: ({ id: number } & Record<string, string>)[];
    owner: Record<string, string>;
    mayEdit: boolean;
    rules: { statuses: string[] | null; entityTypes: string[] | null };
    entityTypes: string[];
    back: string;
  }>(await open(visitor, path));

/** Begins a registration. Returns the address of its form, or the status when there is none. */
export async function begin(visitor: Visitor, query: Query): Promise<string> {
  const response = await open(visitor, paths.codeDetails(query));
  visitor.follow(response);
  return response.headers.get("Location") ?? `${response.status}`;
}

export const send = async (visitor: Visitor, path: string, fields: Fields): Promise<Response> =>
  run(details.action, await visitor.post(path, fields));

/** Registers with this form. Returns the answer. */
export const register = async (visitor: Visitor, query: Query, fields: Fields = {}): Promise<Response> =>
  send(visitor, await begin(visitor, query), { ...ENTITY, ...fields });

export const idIn = (response: Response): number =>
  Number(/code=(\d+)/.exec(response.headers.get("Location") ?? "")?.[1] ?? 0);

/** Returns the stored code to which an answer redirects. */
export async function codeIn(response: Response) {
  const code = await findCode(getDb(), idIn(response));
  if (!code) throw new Error(`No code was registered: ${response.status} ${JSON.stringify(await errorsOf(response))}`);
  return code;
}

/** Sends a code's page as a browser would, with these changes. */
export async function update(visitor: Visitor, id: number, change: Fields = {}): Promise<Response> {
  const path = paths.codeDetails({ code: id });
  const { values } = await pageOf(visitor, path);
  return send(visitor, path, { ...ENTITY, status: "Registered", version: values.version ?? "", ...change });
}

/** Fills in the contact form at this address, for an opened contact or a new one. */
export async function fillContact(visitor: Visitor, path: string, fields: Fields): Promise<Response> {
  const at = new URL(path, "http://portal.invalid");
  return run(contactDetails.action, await visitor.post(at.pathname + at.search, fields));
}

/** Presses Add New Contact, or View Details of a contact. Returns the contact's address. */
export const openContact = async (visitor: Visitor, path: string, typed: Fields, contact = "new"): Promise<string> =>
  (await send(visitor, path, { ...typed, contact })).headers.get("Location") ?? "";

/** Returns the refusal of a form. */
export const refusal = async (response: Promise<Response>) => errorsOf(await response);

/** Returns the message that an answer leaves for the next page. */
export async function toastOf(response: Response) {
  const visitor = await anonymous();
  visitor.follow(response);
  return (await getSession(visitor.get("/"))).get("toast");
}

/** Returns the fields of an address with this name. */
export const addressFields = (name: string, change: Record<string, string> = {}) => {
  const parts = { addressLine1: "2 High Street", city: "York", postalCode: "YO1 7HH", country: "276", ...change };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${name}.${part}`, value]));
};

/** Returns the fields of a separate address, with its box unticked. */
export const ownAddress = (name: string, change: Record<string, string> = {}) => ({
  [name === "physicalAddress" ? "useCompanyAddress" : "usePhysicalAddress"]: [],
  ...addressFields(name, change),
});

/** Creates a code of this user and sends its page with a change. */
export async function updateNewCode(
  owner: Person,
  change: Fields,
  given: Parameters<typeof createCode>[1] = {},
): Promise<Response> {
  const { id } = await createCode(owner, given);
  return update(owner.visitor, id, change);
}
