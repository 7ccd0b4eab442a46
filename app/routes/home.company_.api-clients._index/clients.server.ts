import { json } from "@remix-run/node";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { changeApiClient, createApiClient, revokeApiClient } from "~/domain/api-clients/api-clients.service.server";
import { type ApiClientView, getClientFor, listClientsFor } from "~/domain/api-clients/client-list.service.server";
import { CLIENT_FORM, latestEnd, SECRET_FORM } from "~/domain/api-clients/forms";
import { type ClientKind, hasNoScope, scopesBeyond } from "~/domain/api-clients/scopes.policy";
import { addSecret, endSecret } from "~/domain/api-clients/secrets.service.server";
import { apiClientValidator, newSecretValidator } from "~/domain/api-clients/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp, requireStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";

/** What the pages of a client's owner have in common. */
interface Page {
  request: Request;
  user: SessionUser;
  kind: ClientKind;
}

const beyondOf = (user: SessionUser, kind: ClientKind) => (kind === "staff" ? scopesBeyond(user) : {});

/** Returns the data of the list. `lacksScopes` says that the user's rights allow no scope to a new client. */
export const listPage = async (user: SessionUser, kind: ClientKind, mayChange: boolean) =>
  json({
    clients: await listClientsFor(user, kind),
    mayChange: mayChange && user.impersonator === null,
    lacksScopes: hasNoScope(kind, beyondOf(user, kind)),
  });

/**
 * Returns the data of the form of a new client. The user proves first who they are, unless there is no form because their rights allow no
 * scope. Throws a PortalError (403) for an acting administrator.
 */
export async function newPage(request: Request, user: SessionUser, kind: ClientKind) {
  requireNoImpersonation(user, "API clients");
  const beyond = beyondOf(user, kind);
  const lacksScopes = hasNoScope(kind, beyond);
  if (!lacksScopes) await requireStepUp(request, user, "client");
  return json({ latest: latestEnd(), beyond, lacksScopes });
}

const NO_STORE = { headers: { "Cache-Control": "no-store" } };

/** Makes a client. The answer shows its secret; no other answer ever does. */
export async function create({ request, user, kind }: Page): Promise<Response> {
  const fields = await readForm(request);
  await requireFormStepUp(request, user, { fields, formId: CLIENT_FORM }, FORM_TASKS.makeClient);
  const form = await apiClientValidator.validate(fields);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    return json({ shown: await createApiClient(user, kind, form.data) }, NO_STORE);
  } catch (error) {
    return refused(error, form.submittedData, CLIENT_FORM);
  }
}

/** Returns the data of a client's page. Throws a PortalError (404) when there is no such client. */
export const clientPage = async (user: SessionUser, kind: ClientKind, id: string | undefined, mayChange: boolean) =>
  json({ client: await getClientFor(user, kind, readId(id)), mayChange: mayChange && user.impersonator === null });

const QUESTIONS = ["revoke", "end-secret"] as const;

/** Asks before a client or a secret ends, and then ends it. */
async function endOne({ request, user, kind }: Page, id: number, sent: FormData): Promise<Response> {
  const intent = sent.get("intent") === "revoke" ? "revoke" : "end-secret";
  const secret = sent.get("secret");
  const secretId = readId(typeof secret === "string" ? secret : "");
  if (sent.get("confirmed") !== "yes")
    return json({ asked: { intent, ...(intent === "end-secret" && { secret: String(secretId) }) } });
  const back = (kindOfToast: "ok" | "warn", text: string) =>
    redirectWithToast(request, accountPaths.apiClient(kind, id), { kind: kindOfToast, text });
  try {
    await (intent === "revoke" ? revokeApiClient(user, kind, id) : endSecret(user, kind, { id, secretId }));
    return await back("ok", intent === "revoke" ? "The client was revoked." : "The secret has ended.");
  } catch (error) {
    if (isPortalError(error) && error.status === 422) return back("warn", error.message);
    return refused(error, {});
  }
}

async function makeSecret(
  { request, user, kind }: Page,
  { id, name }: ApiClientView,
  sent: FormData,
): Promise<Response> {
  await requireFormStepUp(request, user, { fields: sent, formId: SECRET_FORM }, () => FORM_TASKS.makeSecret(name));
  const form = await newSecretValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  const { newest, overlap } = form.data;
  try {
    return json({ shown: await addSecret(user, kind, id, { newest: Number(newest), overlap }) }, NO_STORE);
  } catch (error) {
    return refused(error, form.submittedData, SECRET_FORM);
  }
}

const REQUESTED = "The client was saved. A second user administrator has been asked to approve the scopes that write.";

/** Changes, rotates or ends a client, by the button that was pressed. */
export async function change(page: Page, givenId: string | undefined): Promise<Response> {
  const { request, user, kind } = page;
  const sent = await readForm(request);
  const client = await getClientFor(user, kind, readId(givenId));
  const { id, name } = client;
  if (QUESTIONS.some((one) => one === sent.get("intent"))) return endOne(page, id, sent);
  if (sent.get("intent") === "secret") return makeSecret(page, client, sent);
  await requireFormStepUp(request, user, { fields: sent, formId: CLIENT_FORM }, () => FORM_TASKS.changeClient(name));
  const form = await apiClientValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const isRequested = await changeApiClient(user, kind, id, form.data);
    const text = isRequested ? REQUESTED : "The client was saved.";
    return await redirectWithToast(request, accountPaths.apiClient(kind, id), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, CLIENT_FORM);
  }
}
