import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type ElsewhereName, findElsewhere, whyLeftBehind } from "~/domain/companies/elsewhere.server";
import { paths } from "~/lib/paths";
import { redirectWithToast } from "./flash.server";

/**
 * Throws a redirect when this belongs to another company of the user's than the one in which they work now: to a list page, which says so
 * and offers to switch. When the user began it for a company that they have left, the list page says that.
 */
export async function leadElsewhere(
  request: Request,
  user: SessionUser,
  name: ElsewhereName,
  list: string = paths.certificates,
) {
  if (await findElsewhere(user, name)) throw redirect(`${list}?${new URLSearchParams({ elsewhere: name })}`, 303);
  const text = await whyLeftBehind(user, name);
  if (text !== null) throw await redirectWithToast(request, list, { kind: "warn", text });
}

/** Returns what the list page says about the address of `leadElsewhere`, or null. */
export const elsewhereOf = (request: Request, user: SessionUser) =>
  findElsewhere(user, new URL(request.url).searchParams.get("elsewhere"));

/**
 * Redirects to the certificate list, or to a page of it, with a message about a certificate that is missing, belongs to somebody else, or
 * has no CSR. Throws what `leadElsewhere` throws.
 */
export async function noSuchCertificate(
  request: Request,
  user: SessionUser,
  id: number,
  list: string = paths.certificates,
) {
  await leadElsewhere(request, user, `certificate.${id}`);
  return redirectWithToast(request, list, {
    kind: "warn",
    text: "There is no such certificate, or it is not yours.",
  });
}
