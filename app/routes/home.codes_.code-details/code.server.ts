import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { loadCodeDraft } from "~/domain/codes/code-draft.server";
import { readCodeType } from "~/domain/codes/code-types";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { openCode, type OpenCode } from "~/domain/codes/open-code.server";
import { startEntity, startSubEntity } from "~/domain/codes/registration.service.server";
import { draftIdOf } from "~/http/draft-id.server";
import { redirectWithToast } from "~/http/flash.server";
import { isPortalError, notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const queryOf = (request: Request) => new URL(request.url).searchParams;

const LISTS: readonly string[] = [paths.codes, paths.searchCodes];

/** The list or search that a code was opened from, with its place; goes with every address of that code. */
export function cameFrom(request: Request): { from?: string } {
  const from = queryOf(request).get("from") ?? "";
  return LISTS.includes(from.split("?", 1)[0] ?? "") ? { from } : {};
}

/** Where Back leads. */
export const backFrom = (request: Request): string => cameFrom(request).from ?? paths.codes;

/** Begins a registration and goes to its form; to the list with the reason when there is nothing to register. */
async function begin(request: Request, start: () => Promise<string>): Promise<Response> {
  try {
    return redirect(paths.codeDetails({ draft: await start(), ...cameFrom(request) }));
  } catch (error) {
    if (!isPortalError(error) || error.status !== 409) throw error;
    return redirectWithToast(request, backFrom(request), { kind: "warn", text: error.message });
  }
}

const ENDED =
  "There is no such open form. Changes that are not saved are kept for 7 days after the last of them. Please begin again.";

/**
 * The code that an address is about: `draft`, `code`, `type` or `parent` (see `paths.codeDetails`). Else a redirect is thrown: from the
 * beginning of a registration to its form, from a form that was saved to its code, from nothing to the list (COD-03). Throws a 404
 * PortalError for somebody else's.
 */
export async function requireCode(request: Request, user: SessionUser): Promise<OpenCode> {
  const query = queryOf(request);
  if (query.has("draft")) {
    const draft = await loadCodeDraft(user.id, draftIdOf(request));
    if (!draft) throw await redirectWithToast(request, paths.codes, { kind: "warn", text: ENDED });
    const { saved, target } = draft.data;
    if (saved !== undefined && request.method === "GET")
      throw redirect(paths.codeDetails({ code: saved, ...cameFrom(request) }));
    return openCode(user, target, draft);
  }
  if (query.has("code")) return openCode(user, { code: readId(query.get("code") ?? "") }, null);
  const type = query.get("type");
  const parent = query.get("parent");
  if (type === null && parent === null) throw redirect(paths.codes);
  const codeType = readCodeType(type ?? "");
  if (type !== null && !codeType) throw notFound();
  throw await begin(request, () =>
    codeType ? startEntity(user, codeType) : startSubEntity(user, readId(parent ?? "")),
  );
}

/** The answer to a form of a code that its owner can edit no more: the code as it is now, and that nothing was saved. */
export function notEditable(request: Request, { stored }: OpenCode): Promise<Response> {
  if (!stored) throw notFound();
  const code = paths.codeDetails({ code: stored.id, ...cameFrom(request) });
  return redirectWithToast(request, code, { kind: "warn", text: NOT_EDITABLE });
}
