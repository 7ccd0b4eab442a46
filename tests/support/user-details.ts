import * as userManagement from "~/routes/home.user-management";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { createMember } from "./recovery";
import { HMRC_NUMBERS } from "./vat-server";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "./visitor";

export const USER_MANAGEMENT = "/home/user-management";

/** A VAT number that the stand-in for HMRC knows. */
export const GB_VAT = `GB${HMRC_NUMBERS[0]}`;

export type Fields = Record<string, string>;

/** A customer with complete details, a VAT number that is known, and a security question. */
export async function customer(given: Parameters<typeof createMember>[0] = {}) {
  const user = await createMember(given);
  await updateUser(getDb(), user.id, { vatNumber: GB_VAT, vatNumberChecked: true });
  return { user, visitor: await signedInAs(user) };
}

interface Page {
  values: Record<string, string | boolean | Record<string, string>>;
  rules: { locked: Fields };
}

const flat = (values: Page["values"]): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "string") return [[name, value]];
    if (typeof value === "boolean") return value ? [[name, "on"]] : [];
    return Object.entries(value).map(([part, text]) => [`${name}.${part}`, text]);
  });

/** What a browser without scripts sends of the page as it comes: disabled fields are left out, the company is only read-only. */
export async function pageFields(visitor: Visitor): Promise<Fields> {
  const page = await jsonOf<Page>(await run(userManagement.loader, visitor.get(USER_MANAGEMENT)));
  const { company: _, ...disabled } = page.rules.locked;
  return Object.fromEntries(flat(page.values).filter(([name]) => !(name in disabled)));
}

export const send = async (visitor: Visitor, fields: Fields): Promise<Response> =>
  run(userManagement.action, await visitor.post(USER_MANAGEMENT, fields));

/** Opens the page, changes these fields and saves. */
export const save = async (visitor: Visitor, change: Fields = {}): Promise<Response> =>
  send(visitor, { ...(await pageFields(visitor)), ...change });

/** The refusal of such a save. */
export const refusalOf = async (visitor: Visitor, change: Fields) => errorsOf(await save(visitor, change));
