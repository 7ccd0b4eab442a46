import { json } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { ACME_KEY_FORM } from "~/domain/acme/keys";
import {
  getAcmeKeysPage,
  linesWithNewKey,
  makeAcmeKey,
  requireOwnAcmeKeys,
  revokeAcmeKey,
} from "~/domain/acme/keys.service.server";
import { acmeKeyValidator } from "~/domain/acme/validators";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";

/**
 * Returns the data of the page. `?key=` names the key in the lines for clients. Throws a PortalError (404) when the company has no such
 * standing authorisation.
 */
export async function keysPage(request: Request, user: SessionUser, id: string | undefined) {
  const chosen = new URL(request.url).searchParams.get("key") ?? "";
  const page = await getAcmeKeysPage(user, readId(id), /^\d{1,9}$/.test(chosen) ? Number(chosen) : null);
  return json({ ...page, mayChange: user.impersonator === null });
}

/** Makes a key. The answer shows it; no other answer ever does. */
async function make(request: Request, user: SessionUser, standingId: number, sent: FormData): Promise<Response> {
  requireOwnAcmeKeys(user);
  await requireFormStepUp(request, user, { fields: sent, formId: ACME_KEY_FORM }, FORM_TASKS.makeAcmeKey);
  const form = await acmeKeyValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const shown = await makeAcmeKey(user, standingId, form.data);
    const clients = await linesWithNewKey(user, standingId, shown);
    return json({ shown: { ...shown, clients } }, { headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    return refused(error, form.submittedData, ACME_KEY_FORM);
  }
}

/** Revokes a key, after the question. */
async function revoke(request: Request, user: SessionUser, standingId: number, sent: FormData): Promise<Response> {
  const key = sent.get("key");
  const id = readId(typeof key === "string" ? key : undefined);
  const { keys } = await getAcmeKeysPage(user, standingId);
  if (!keys.some((one) => one.id === id)) throw notFound();
  if (sent.get("confirmed") !== "yes") return json({ asked: { intent: "revoke", key: String(id) } });
  try {
    const { description } = await revokeAcmeKey(user, { standingId, id });
    const text = `The key “${description}” was revoked.`;
    return await redirectWithToast(request, accountPaths.acmeKeys(standingId), { kind: "ok", text });
  } catch (error) {
    return refused(error, {}, ACME_KEY_FORM);
  }
}

/** Makes or revokes a key, by the button that was pressed. Throws a PortalError (404) when the company has no such authorisation or key. */
export async function changeKeys(request: Request, user: SessionUser, givenId: string | undefined): Promise<Response> {
  const sent = await readForm(request);
  const standingId = readId(givenId);
  await getAcmeKeysPage(user, standingId);
  const change = intentOf(sent, ["make", "revoke"]) === "make" ? make : revoke;
  return change(request, user, standingId, sent);
}
