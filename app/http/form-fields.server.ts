import { PortalError } from "~/lib/errors";
import { isBlank, isOnlyMarkup, MARKUP_SIGN } from "~/lib/fields";
import { stripMarkup, withoutControls, withoutHidden } from "~/lib/plain-text.server";
import { FORM_LIMITS } from "./limits";

/**
 * Words joined by dots, such as `companyAddress.city`. remix-validated-form builds objects and arrays from more complex names. The only
 * other name is the library's own, with which every PortalForm states its id.
 */
const FIELD_NAME = /^(__rvfInternalFormId|[A-Za-z]\w{0,60}(\.[A-Za-z]\w{0,60}){0,2})$/;
const FORBIDDEN = /(^|\.)(constructor|prototype)(\.|$)/;

/** Passwords, CSRs and CSV files are taken as typed: a `<` in them is part of the value. */
const VERBATIM = /password|^cs[rv]$/i;

/** Names of accounts, email and web addresses. One with a `<` is not valid, and stripping it must not turn it into a valid one. */
const KEYS = /email|^(username|banner|link)$/i;

/**
 * Texts of several lines: the portal's text areas, and the names that API clients use. In all other fields a line break becomes a space.
 */
const MULTILINE = /note|reason|remarks|description|message|comment|^(signature|publicKey|partners|question|text)$/i;

/** What was sent, for error messages: people send forms, programs send bodies. */
export type Sent = "form" | "body";

const malformed = (sent: Sent, problem: string, status = 400) =>
  new PortalError(`The ${sent} has ${problem}.`, { code: `${sent}.malformed`, status });

/** Throws a PortalError for names that no form of the portal has, so that a name cannot make the validator build unexpected objects. */
function requireFieldNames(form: FormData, sent: Sent): void {
  const names = [...form.keys()];
  if (names.length > FORM_LIMITS.fields)
    throw malformed(sent, `too many fields: at most ${FORM_LIMITS.fields} are accepted`);
  const known = new Set(names);
  for (const name of known) {
    const isGroupToo = name
      .split(".")
      .some((_, index, parts) => index > 0 && known.has(parts.slice(0, index).join(".")));
    if (!FIELD_NAME.test(name) || FORBIDDEN.test(name) || isGroupToo)
      throw malformed(sent, "a field that does not belong to it");
  }
}

const needsStripping = (name: string, text: string) => !VERBATIM.test(name) && !KEYS.test(name) && text.includes("<");

function requireStrippable(texts: Iterable<[string, FormDataEntryValue]>, sent: Sent): void {
  let brackets = 0;
  for (const [name, value] of texts) {
    if (typeof value !== "string" || !needsStripping(name, value)) continue;
    if (value.length > FORM_LIMITS.text)
      throw malformed(
        sent,
        `a text that is too long: with a "<" in it at most ${FORM_LIMITS.text} characters are accepted`,
        413,
      );
    brackets += value.split("<").length - 1;
  }
  if (brackets > FORM_LIMITS.brackets) throw malformed(sent, "too much markup in it");
}

function cleanText(name: string, text: string): string {
  if (VERBATIM.test(name)) return withoutControls(text);
  const seen = withoutHidden(text);
  const shown = MULTILINE.test(name) ? seen : seen.replace(/[\t\r\n]+/g, " ");
  if (KEYS.test(name)) return shown;
  const plain = stripMarkup(shown);
  if (isOnlyMarkup(shown)) return shown;
  return isBlank(plain) && !isBlank(shown) ? shown + MARKUP_SIGN : plain;
}

/**
 * Removes markup (GEN-03) and invisible characters from every text, and line breaks from single-line texts. `A < B & C` and `a<b` stay as
 * they are; a text of nothing but markup stays and is refused later. Throws a PortalError for what no form of the portal sends: unexpected
 * names, too many fields, or excessive markup.
 */
export function cleanFields(form: FormData, sent: Sent = "form"): FormData {
  requireFieldNames(form, sent);
  requireStrippable(form, sent);
  const cleaned = new FormData();
  for (const [name, value] of form) cleaned.append(name, typeof value === "string" ? cleanText(name, value) : value);
  return cleaned;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Yields every text in a JSON value with the name of its member. A text in an array has the name of the array. */
function* textsIn(value: Json, name = ""): Generator<[string, string]> {
  if (typeof value === "string") yield [name, value];
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, name);
  else if (value !== null && typeof value === "object")
    for (const [member, inner] of Object.entries(value)) yield* textsIn(inner, member);
}

function cleanJson(value: Json, name = ""): Json {
  if (typeof value === "string") return cleanText(name, value);
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, name));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, cleanJson(inner, member)]));
}

/** Cleans all texts of a JSON body in the same way, at any depth. Throws a PortalError for excessive markup. */
export function cleanValues(body: unknown): unknown {
  requireStrippable(textsIn(body as Json), "body");
  return cleanJson(body as Json);
}
