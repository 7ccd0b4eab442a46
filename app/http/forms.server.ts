import { timingSafeEqual } from "node:crypto";
import { stripHtml } from "string-strip-html";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { FORM_LIMIT } from "./limits";
import { errorResponse } from "./responses.server";
import { getSession } from "./session.server";

const refuse = (message: string, code: string, status: number) =>
  errorResponse(new PortalError(message, { code, status }));

async function readBody(request: Request) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const chunk = part.value as Uint8Array;
    size += chunk.byteLength;
    if (size > FORM_LIMIT) {
      await reader?.cancel();
      throw refuse("The form is too large: 8 MB is the most that is accepted.", "form.too-large", 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Browsers send Origin with every POST; one from another place is refused, whatever token it brings. */
function checkOrigin(request: Request): void {
  const origin = request.headers.get("Origin");
  const allowed = [new URL(request.url).origin, new URL(getEnv().publicUrl).origin];
  const isForeign = origin ? !allowed.includes(origin) : request.headers.get("Sec-Fetch-Site") === "cross-site";
  if (isForeign) throw refuse("This form was sent from another site.", "form.origin", 403);
}

function isSameToken(given: unknown, expected: string | undefined): boolean {
  if (typeof given !== "string" || !expected) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Passwords and requests are taken as they are typed: a `<` in them is theirs. */
const VERBATIM = /password|^csr$/i;

/** Control characters that no field means: PostgreSQL refuses NUL, and the others hide in names. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Takes markup (A §5) and control characters out of every text; `5 < 6` and `A & B` stay as they are. */
function clean(form: FormData): FormData {
  const cleaned = new FormData();
  for (const [name, value] of form) {
    if (typeof value !== "string") cleaned.append(name, value);
    else cleaned.append(name, cleanText(value.replace(CONTROLS, ""), VERBATIM.test(name)));
  }
  return cleaned;
}

const cleanText = (text: string, isVerbatim: boolean) =>
  isVerbatim || !text.includes("<") ? text : stripHtml(text, { skipHtmlDecoding: true }).result;

/**
 * Reads a state-changing form: checks its size, where it came from and its CSRF token, and cleans its texts.
 * Out: the fields without the token.
 * Throws a 403 or 413 response for the error boundary.
 */
export async function readForm(request: Request): Promise<FormData> {
  checkOrigin(request);
  const session = await getSession(request);
  let form: FormData;
  const body = await readBody(request);
  try {
    const contentType = request.headers.get("Content-Type") ?? "";
    form = await new Response(body, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw refuse("The form could not be read.", "form.malformed", 400);
  }
  if (!isSameToken(form.get("csrf"), session.get("csrf")))
    throw refuse(
      "This form is too old or was not made by this portal. Please go back, reload the page and try again.",
      "form.csrf",
      403,
    );
  form.delete("csrf");
  return clean(form);
}
