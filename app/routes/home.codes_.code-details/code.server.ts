import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { loadCodeDraft } from "~/domain/codes/code-draft.server";
import { readCodeType } from "~/domain/codes/code-types";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { openCode, type OpenCode } from "~/domain/codes/open-code.server";
import { startEntity, startSubEntity } from "~/domain/codes/registration-start.service.server";
import { draftIdOf } from "~/http/draft-id.server";
import { leadElsewhere } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { isPortalError, notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { backFrom, cameFrom } from "./came-from";

const queryOf = (request: Request) => new URL(request.url).searchParams;

/** Begins a registration and redirects to its form. Redirects to the list page with the reason when there is nothing to register. */
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
 * Returns the code that an address identifies by `draft`, `code`, `type` or `parent` (see `paths.codeDetails`). Otherwise throws a
 * redirect: from the beginning of a registration to its form, from a saved form to its code, and without a parameter to the list page
 * (COD-03). Throws a PortalError (404) for a code of somebody else.
 */
export async function requireCode(request: Request, user: SessionUser): Promise<OpenCode> {
  const query = queryOf(request);
  if (query.has("draft")) {
    const draftId = draftIdOf(request);
    const draft = await loadCodeDraft(user.id, draftId);
    if (!draft && draftId !== null) await leadElsewhere(request, user, `code-details.${draftId}`, paths.codes);
    if (!draft) throw await redirectWithToast(request, paths.codes, { kind: "warn", text: ENDED });
    const { saved, target } = draft.data;
    if (saved !== undefined && request.method === "GET")
      throw redirect(paths.codeDetails({ code: saved, ...cameFrom(request) }));
    return openCode(user, target, draft);
  }
  if (query.has("code")) {
    const code = readId(query.get("code") ?? "");
    await leadElsewhere(request, user, `code.${code}`, paths.codes);
    return openCode(user, { code }, null);
  }
  const type = query.get("type");
  const parent = query.get("parent");
  if (type === null && parent === null) throw redirect(paths.codes);
  const codeType = readCodeType(type ?? "");
  if (type !== null && !codeType) throw notFound();
  throw await begin(request, () =>
    codeType ? startEntity(user, codeType) : startSubEntity(user, readId(parent ?? "")),
  );
}

/**
 * Returns the answer to a form of a code that its sender cannot edit, or no longer: a redirect to the stored code, with a message that says
 * why nothing was saved.
 */
export function notEditable(request: Request, { stored, barrier }: OpenCode): Promise<Response> {
  if (!stored) throw notFound();
  const code = paths.codeDetails({ code: stored.id, ...cameFrom(request) });
  return redirectWithToast(request, code, { kind: "warn", text: barrier ?? NOT_EDITABLE });
}
