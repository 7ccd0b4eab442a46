import * as verify from "~/routes/_public.verify-email.$token";
import * as userManagement from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { TEST_PASSWORD } from "./factories";
import { createMember, mailsTo } from "./recovery";
import { HMRC_NUMBERS } from "./vat-server";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "./visitor";

export const USER_MANAGEMENT = "/home/user-management";

/** A VAT number that the stand-in for HMRC knows. */
export const GB_VAT = `GB${HMRC_NUMBERS[0]}`;

export type Fields = Record<string, string>;

/** Creates a customer with complete details, a known VAT number, and a security question. */
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

/**
 * Returns the fields that a browser without scripts sends from the unchanged page. Disabled fields are omitted; the company is read-only
 * and is sent.
 */
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

/** Returns the refusal of a save with these changes. */
export const refusalOf = async (visitor: Visitor, change: Fields) => errorsOf(await save(visitor, change));

let count = 0;
export const newEmail = () => `changed-${(count += 1)}@example-parts.com`;

/** Saves with the current password, which a change of the email address requires. */
export const saveSecret = async (visitor: Visitor, change: Fields): Promise<Response> =>
  save(visitor, { currentPassword: TEST_PASSWORD, ...change });

/** Returns the tokens of the links that were sent to this address, oldest first. */
export const linksTo = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).map(({ text }) => /\/verify-email\/(\S+)/.exec(text)?.[1] ?? "").filter(Boolean);

/** Presses the button on the page of a link. */
export async function useLink(token: string, given?: Visitor): Promise<Response> {
  const visitor = given ?? (await anonymous());
  return run(verify.action, await visitor.post(`/verify-email/${token}`), { token });
}

/** Changes the email and uses the link in the same browser, whose session continues. */
export async function moveTo(visitor: Visitor, email: string): Promise<void> {
  const saved = await saveSecret(visitor, { email });
  const confirmed = await useLink((await linksTo(email)).at(-1) ?? "", visitor);
  if (saved.status !== 303 || confirmed.status !== 303)
    throw new Error(`Not moved: ${saved.status}, ${confirmed.status}`);
}
