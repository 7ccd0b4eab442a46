import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ALLOW_MESSAGES } from "~/components/mail/contact-stop-note";
import { USER_ACTIONS } from "~/domain/accounts/administration/user-administration.policy";
import { PASSKEY_ADD, PASSKEY_USE } from "~/domain/accounts/factors/passkey-intents";
import { UPDATE_COUNTRY } from "~/domain/accounts/invoiced-country";
import { COMMENT_FORM, PAYMENT, RELEASE, TAKE } from "~/domain/certificates/queue/queue-fields";
import { REMOVE } from "~/routes/home.manage/form";

/** The intents of buttons whose intent is not a literal, by file and expression. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  "app/components/accounts/passkey-prompt.tsx PASSKEY_ADD": [PASSKEY_ADD],
  "app/components/accounts/passkey-prompt.tsx PASSKEY_USE": [PASSKEY_USE],
  "app/components/accounts/details-fields.tsx UPDATE_COUNTRY": [UPDATE_COUNTRY],
  "app/components/certificates/order-work.tsx COMMENT_FORM": [COMMENT_FORM],
  "app/components/certificates/order-work.tsx workIntent": [RELEASE, TAKE],
  "app/components/mail/contact-stop-note.tsx ALLOW_MESSAGES": [ALLOW_MESSAGES],
  "app/components/users/user-actions.tsx action": USER_ACTIONS,
  "app/routes/home.certificate-queue.$id/route.tsx PAYMENT": [PAYMENT],
  "app/routes/home.manage/route.tsx REMOVE.intent": [REMOVE.intent],
};

/** Properties of components, to which the page gives the literal. */
const PROPERTIES = ["intent", "defaultIntent", "updateIntent", "props.updateIntent", "action.intent"];

/** A module of a page or a component that a file imports. */
function imported(from: string, name: string): string | undefined {
  const path = name.startsWith("~/") ? join("app", name.slice(2)) : join(dirname(from), name);
  return [path, `${path}.ts`, `${path}.tsx`].find((file) => existsSync(file) && statSync(file).isFile());
}

/** Adds a file with all modules of pages and components that it imports. */
function addModules(file: string, known: Set<string>): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
    / from "((?:~\/(?:components|routes)\/|\.)[^"]+)"/g,
  )) {
    const next = imported(file, name);
    if (next) addModules(next, known);
  }
  return known;
}

/** What a form sends as `intent`: an attribute of a button or a field, or a member of a list of buttons. Types are left out. */
const SENT = /\b(?:\w*[iI]ntent(?:=|: )|name="intent" value=)(?:"([\w-]+)"|\{([\w.]+)\})/g;

function intentsIn(file: string): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(SENT)].flatMap(([, literal, expression]) => {
    if (literal !== undefined) return literal;
    if (PROPERTIES.includes(expression ?? "")) return [];
    const found = COMPUTED[`${file} ${expression}`];
    if (!found) throw new Error(`COMPUTED of page-intents.ts does not say what {${expression}} in ${file} can be.`);
    return found;
  });
}

/** Returns what the forms of a page send as `intent`, by the source of the page and of its components. */
export const intentsOf = (file: string): string[] =>
  [...new Set([...addModules(file, new Set())].flatMap(intentsIn))].toSorted();
