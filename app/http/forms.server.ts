import { timingSafeEqual } from "node:crypto";
import { PortalError } from "~/lib/errors";
import { cleanFields, type Sent } from "./form-fields.server";
import { BODY_LIMIT, FORM_LIMITS } from "./limits";
import { getSession, isOfSameUser } from "./session.server";
import { StaleForm } from "./stale-form.server";

const refuse = (message: string, code: string, status: number) => new PortalError(message, { code, status });

const tooLarge = (limit: number, sent: Sent = "form") =>
  refuse(
    `The ${sent} is too large: ${Math.round(limit / 1024)} KB is the most that is accepted.`,
    `${sent}.too-large`,
    413,
  );

/** Throws a PortalError (413) when the Content-Length of a body exceeds that of any form. The gate has read the body to its end. */
export function refuseHugeBody(request: Request, limit: number = BODY_LIMIT, sent: Sent = "form"): void {
  if (Number(request.headers.get("Content-Length") ?? 0) > BODY_LIMIT) throw tooLarge(limit, sent);
}

/** Returns the next part of a body. Throws a PortalError when the client has disconnected, because that is not a failure of the portal. */
async function nextPart(reader: ReadableStreamDefaultReader<unknown> | undefined, sent: Sent) {
  try {
    return await reader?.read();
  } catch (cause) {
    throw new PortalError(`The ${sent} broke off.`, { code: `${sent}.broken-off`, status: 400, cause });
  }
}

/**
 * Reads a body and throws a PortalError (413) when it is larger than `limit` bytes. A refused body is still read up to BODY_LIMIT, because
 * a client whose connection is cut sees no message. The rest of a longer body without Content-Length is left to Node.js, which discards it
 * after the answer.
 */
export async function readBody(request: Request, limit: number, sent: Sent = "form") {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await nextPart(reader, sent); part && !part.done; part = await nextPart(reader, sent)) {
    const chunk = part.value as Uint8Array;
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    if (size > BODY_LIMIT) throw tooLarge(limit, sent);
  }
  if (size > limit) throw tooLarge(limit, sent);
  return Buffer.concat(chunks);
}

function isSameToken(given: unknown, expected: string | undefined): boolean {
  if (typeof given !== "string" || !expected) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

type Entries = [name: string, value: FormDataEntryValue][];

/** The forms of requests that have been read, as they were sent. A body can be read only once. */
const received = new WeakMap<Request, Entries>();

/** Reads the body as a form. Throws a PortalError (400 or 413) when it is not a form or is too large. */
async function parseForm(request: Request, limit: number): Promise<FormData> {
  const body = await readBody(request, limit);
  try {
    const contentType = request.headers.get("Content-Type") ?? "";
    const form = await new Response(body, { headers: { "Content-Type": contentType } }).formData();
    received.set(request, [...form]);
    return form;
  } catch {
    throw refuse("The form could not be read.", "form.malformed", 400);
  }
}

/**
 * Returns the fields as they were sent, including the CSRF token. It works both before and after an action has read the form. Throws a
 * PortalError for a form that cannot be read.
 */
export async function sentFields(request: Request): Promise<Entries> {
  if (!request.bodyUsed) await parseForm(request, BODY_LIMIT);
  return received.get(request) ?? [];
}

/**
 * Reads a form that changes something: checks its size and its CSRF token, and cleans its texts. Returns the fields without the token.
 * Throws a PortalError (400, 403 or 413) for the error boundary. The 403 is a StaleForm, and so is the 422 of an incomplete form.
 * @param options.limit The largest size in bytes, where more than an ordinary form is expected.
 */
export async function readForm(
  request: Request,
  { limit = FORM_LIMITS.bytes }: { limit?: number } = {},
): Promise<FormData> {
  const session = await getSession(request);
  const form = await parseForm(request, limit);
  const [given, expected] = [form.get("csrf"), session.get("csrf")];
  form.delete("csrf");
  if (!isSameToken(given, expected))
    throw await StaleForm.of(isOfSameUser(given, expected) ? cleanFields(form) : new FormData());
  const fields = cleanFields(form);
  const incomplete = await StaleForm.ofIncomplete(fields);
  if (incomplete) throw incomplete;
  return fields;
}

/**
 * Returns whether a mail program or mail provider sends this request for a user who chose to unsubscribe (RFC 8058). It has no cookie and
 * no CSRF token: the secret is the address to which it is sent. The request can still be read afterwards.
 */
export async function isOneClick(request: Request): Promise<boolean> {
  const copy = request.clone();
  const body = await readBody(copy, FORM_LIMITS.bytes);
  const headers = { "Content-Type": copy.headers.get("Content-Type") ?? "" };
  const form = await new Response(body, { headers }).formData().catch(() => null);
  return form?.get("List-Unsubscribe") === "One-Click";
}
