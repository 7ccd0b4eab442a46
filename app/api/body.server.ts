import { createScanner } from "jsonc-parser";
import { cleanFields, cleanValues } from "~/http/form-fields.server";
import { readBody } from "~/http/forms.server";
import { FORM_LIMITS } from "~/http/limits";
import { PortalError } from "~/lib/errors";

/** Objects and lists within each other. */
export const DEEPEST = 20;

/** The scanner's kinds of token: its own names for them are a `const enum`, which no single file can see. */
const KIND = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, colon: 6, text: 10, end: 17 };

const malformed = (message: string, status = 400) => new PortalError(message, { code: "body.malformed", status });

function demandType(request: Request, type: string): void {
  const given = (request.headers.get("Content-Type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (given !== type) throw malformed(`The body must be of the type ${type}.`, 415);
}

/** `JSON.parse` takes the last of several members of one name without a word; who sent both meant something else. */
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
  }
}

/** The object in a JSON body, its texts cleaned as those of a form. Throws a PortalError (400, 413, 415) that says what is wrong. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request, FORM_LIMITS.bytes);
  demandType(request, "application/json");
  const text = bytes.toString("utf8");
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

/** The fields of a form-encoded body (OAuth 2), likewise. */
export async function readFormBody(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, FORM_LIMITS.bytes);
  demandType(request, "application/x-www-form-urlencoded");
  return onlyOnce(cleanFields(await new Response(bytes, { headers: request.headers }).formData()));
}

/** Parameters, each of them once. */
export function onlyOnce(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    if (found.has(name)) throw malformed(`The parameter ${name} is there twice.`);
    found.set(name, value);
  }
  return Object.fromEntries(found);
}
