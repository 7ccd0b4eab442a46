import { createScanner } from "jsonc-parser";
import { cleanFields, cleanValues } from "~/http/form-fields.server";
import { readBody, refuseHugeBody } from "~/http/forms.server";
import { FORM_LIMITS } from "~/http/limits";
import { PortalError } from "~/lib/errors";

/** The maximum nesting depth of the objects and arrays in a body. */
export const DEEPEST = 20;

/** The scanner's token kinds. The scanner declares them as a `const enum`, which cannot be used when each file is compiled on its own. */
const KIND = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, colon: 6, text: 10, end: 17 };

const malformed = (message: string, status = 400) => new PortalError(message, { code: "body.malformed", status });

/** Reads the body. Throws a PortalError (413) when it is too large. */
function readBytes(request: Request) {
  refuseHugeBody(request, FORM_LIMITS.bytes, "body");
  return readBody(request, FORM_LIMITS.bytes, "body");
}

/** Throws a PortalError (415) unless the body has this media type, is in UTF-8 (the default), and is not compressed. */
function demandType({ headers }: Request, type: string): void {
  const [given = "", ...parameters] = (headers.get("Content-Type") ?? "").split(";");
  if (given.trim().toLowerCase() !== type) throw malformed(`The body must be of the type ${type}.`, 415);
  const charset =
    parameters.map((one) => /^\s*charset\s*=\s*"?([^"]*?)"?\s*$/i.exec(one)?.[1]).find(Boolean) ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) throw malformed("The body must be in UTF-8.", 415);
  if (!/^(identity)?$/i.test((headers.get("Content-Encoding") ?? "").trim()))
    throw malformed("The body must be sent without a Content-Encoding.", 415);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8.");
  }
}

/** An unpaired surrogate. An escape in JSON can stand for one, but UTF-8 cannot encode it. */
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/**
 * Throws a PortalError (400) for duplicate members, for unpaired surrogates, and for nesting that is too deep. `JSON.parse` silently takes
 * the last of several members with the same name, which may not be the one that the sender meant.
 */
function demandPlain(text: string): void {
  const scanner = createScanner(text, true);
  const open: Set<string>[] = [];
  let name: string | null = null;
  for (let kind: number = scanner.scan(); kind !== KIND.end; kind = scanner.scan()) {
    if (kind === KIND.openBrace || kind === KIND.openBracket) open.push(new Set());
    if (kind === KIND.closeBrace || kind === KIND.closeBracket) open.pop();
    if (open.length > DEEPEST) throw malformed("The body is nested too deeply.");
    if (kind === KIND.colon && name !== null) {
      if (open.at(-1)?.has(name)) throw malformed(`The body has the member ${name} twice.`);
      open.at(-1)?.add(name);
    }
    name = kind === KIND.text ? scanner.getTokenValue() : null;
    if (name !== null && HALF_A_CHARACTER.test(name)) throw malformed("The body has a text that is not valid Unicode.");
  }
}

/**
 * Returns the object in a JSON body. Its texts are cleaned in the same way as those of a form. Throws a PortalError (400, 413, 415) that
 * says what is wrong.
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  demandType(request, "application/json");
  const text = textOf(bytes);
  demandPlain(text);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw malformed("The body must be a JSON object.");
  return cleanValues(body);
}

/**
 * Returns the fields of a form-encoded body (OAuth 2), with their texts cleaned. Throws a PortalError (400, 413, 415) that says what is
 * wrong.
 */
export async function readFormBody(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  demandType(request, "application/x-www-form-urlencoded");
  return onlyOnce(cleanFields(await new Response(bytes, { headers: request.headers }).formData(), "body"));
}

/** Returns the parameters as an object. Throws a PortalError (400) when a name occurs twice. */
export function onlyOnce(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    if (found.has(name)) throw malformed(`The parameter ${name} is there twice.`);
    found.set(name, value);
  }
  return Object.fromEntries(found);
}
