import { type AppLoadContext, json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { registerUser } from "~/domain/accounts/registration.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { registrationValidator } from "~/domain/accounts/validators";
import { openInvitation } from "~/domain/companies/invitations.service.server";
import { clientOf } from "~/http/client.server";
import { asFormError } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { loggedInCookies } from "~/http/known-device.server";
import { invalid, refused } from "~/http/responses.server";
import { getSession, startSession } from "~/http/session.server";
import { isStaleForm } from "~/http/stale-form.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { serverPaths } from "~/lib/server-paths.server";
import { FORM, ORDER } from "./form";

/** Shown when the registration fails for an unknown reason (REG-03). */
const REGISTRATION_FAILED = "An error occurred when try to register a user details";
const NEVER_SHOWN = ["password", "confirmPassword", "securityAnswer"];

/**
 * Returns the typed values, without passwords and the answer. `isChanged` is true when any field was filled in, `hadSecrets` when one of
 * the omitted ones was.
 */
function readTyped(form: FormData) {
  const typed = [...form].filter(([name, value]) => ORDER.includes(name) && value !== "");
  const shown = typed.filter(([name]) => !NEVER_SHOWN.includes(name));
  const hadSecrets = shown.length < typed.length || form.has("hadSecrets");
  return { isChanged: typed.length > 0, hadSecrets, values: Object.fromEntries(shown) as Record<string, string> };
}

/** Handles Cancel without scripts. It leaves at once when nothing was typed, and asks otherwise; `keep` is the answer No. */
function cancelled(form: FormData) {
  const { isChanged, hadSecrets, values } = readTyped(form);
  const intent = form.get("intent");
  if (intent === "cancel" && !isChanged) return redirect(paths.login(), 303);
  return json({ asksToCancel: intent === "cancel", repopulateFields: values, hadSecrets });
}

/** Redirects a logged-in user to the missing details or to the dashboard (REG-04). */
const onward = (user: SessionUser) =>
  redirect(user.hasDetailsMissing ? serverPaths.completeRegistration() : paths.dashboard);

/**
 * Reads the form. A user who logged in in another tab gets it back as typed. A user who sends it a second time has just registered with it
 * and is redirected.
 */
async function readRegistration(request: Request, context: AppLoadContext): Promise<FormData> {
  const user = await findUser(request);
  if (!user) return readForm(request);
  context[IS_SHOWN_AGAIN] = true;
  try {
    return await readForm(request);
  } catch (error) {
    const typed: unknown = isStaleForm(error) ? error.typed.email : null;
    throw typeof typed === "string" && typed.trim().toLowerCase() === user.email ? onward(user) : error;
  }
}

/** Returns the token of the invitation in the page's address, or undefined for a registration without one. */
const invitationIn = (request: Request): string | undefined =>
  new URL(request.url).searchParams.get("invitation") ?? undefined;

/** Set for the loader that runs after the POST of a document. */
const IS_SHOWN_AGAIN = "registrationIsShownAgain";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = context[IS_SHOWN_AGAIN] ? null : await findUser(request);
  if (user) throw onward(user);
  const { securityQuestions, passwordMinLength } = getConfig().accounts;
  const token = invitationIn(request);
  const invitation = token === undefined ? null : await openInvitation(token, clientOf(request));
  if (token !== undefined && !invitation) throw redirect(rarePaths.invitation(token));
  return json({ securityQuestions, passwordMinLength, invitation });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const sent = await readRegistration(request, context);
  if (sent.get("intent") === "cancel" || sent.get("intent") === "keep") return cancelled(sent);
  const form = await registrationValidator(getConfig().accounts.passwordMinLength).validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const sender = (await getSession(request)).get("csrf") ?? "";
    const user = await registerUser(form.data, {
      sender,
      client: clientOf(request),
      invitation: invitationIn(request),
    });
    const headers = await loggedInCookies(request, user, await startSession(request, user));
    return redirect(serverPaths.completeRegistration(), { status: 303, headers });
  } catch (error) {
    const place = { request, context, code: "OCA0I01E", message: REGISTRATION_FAILED };
    return refused(asFormError(error, place), form.submittedData, FORM);
  }
}
