import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { USER_DETAILS_FORM as FORM, USER_DETAILS_MERGED } from "~/components/accounts/user-details-fields";
import { VAT_UNCHECKED } from "~/domain/accounts/company-details.server";
import { needsProofForSecurity } from "~/domain/accounts/factors/step-up.server";
import { followCountry } from "~/domain/accounts/invoiced-country";
import { weaknessFor } from "~/domain/accounts/security-change.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  loadUserDetails,
  type SavedDetails,
  saveUserDetails,
  userDetailsRules,
} from "~/domain/accounts/user-details.service.server";
import { userDetailsValidator } from "~/domain/accounts/validators";
import { takenText } from "~/domain/changed-meanwhile";
import { mergeForm } from "~/domain/merge-form.server";
import { countryName, listCountryOptions } from "~/domain/reference/countries.server";
import { normaliseVat } from "~/domain/reference/vat.schema";
import { type Toast } from "~/domain/shell";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { asFormError } from "~/http/form-actions.server";
import { loggedInCookies } from "~/http/known-device.server";
import { collided, invalid, refused } from "~/http/responses.server";
import { replaceSession } from "~/http/session.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { besideRefusal, withWeakPassword } from "~/http/weak-password.server";

const SAVED = "User details successfully updated.";
const UNCHANGED = "They are the same as before.";

/**
 * Answers a saved form. A new password has ended every session, so this browser gets a new one.
 *
 * @param isMerged Whether the details have changed since the form was opened, which also happens when it is sent twice.
 */
async function saved(request: Request, user: SessionUser, done: SavedDetails, taken: string[], isMerged: boolean) {
  const { sessionEpoch, pendingEmail, isVatUnchecked } = done;
  const then =
    pendingEmail && `The account gets the address ${pendingEmail} once the link that was sent to it is used.`;
  const text = [
    SAVED,
    !done.hasChanged && !isMerged && UNCHANGED,
    taken.length > 0 && `${takenText(taken)}.`,
    then,
    isVatUnchecked && VAT_UNCHECKED,
  ]
    .filter(Boolean)
    .join(" ");
  const toast: Toast = { kind: isVatUnchecked ? "warn" : "ok", text };
  const next = landingOf(user);
  if (sessionEpoch === null) return redirectWithToast(request, next, toast);
  const owner = { id: user.id, sessionEpoch };
  const session = await replaceSession(request, owner, { toast, given: "password" });
  return redirect(next, { status: 303, headers: await loggedInCookies(request, owner, session) });
}

const namesOf = (prefix: string) => Object.keys(USER_DETAILS_MERGED).filter((name) => name.startsWith(prefix));

/** Merges the form with the stored details when they have changed since the form was opened. */
async function mergeDetails(user: SessionUser, sent: FormData) {
  const { values } = await loadUserDetails(user);
  if (sent.get("version") === values.version) return { form: sent, taken: [], collisions: {} };
  const { invoicedCountry: _, ...stored } = values;
  const countries = await listCountryOptions();
  const merged = mergeForm(sent, stored, {
    labels: USER_DETAILS_MERGED,
    version: "version",
    joined: [
      { names: namesOf("companyAddress.") },
      { names: ["useCompanyAddress", ...namesOf("invoicingAddress.")], instead: "useCompanyAddress" },
    ],
    boxes: ["useCompanyAddress"],
    same: (name, text) => {
      if (name === "vatNumber") return normaliseVat(text);
      return name === "email" ? text.toLowerCase() : text;
    },
    shown: (name, text) => countryName(countries, name, text),
  });
  followCountry(merged.form);
  return merged;
}

type At = Pick<ActionFunctionArgs, "request" | "context"> & { user: SessionUser };

/** Saves the form. Details that were changed in the meantime are merged with it first. */
export async function saveSent(
  { request, context, user }: At,
  sent: FormData,
  taken: string[] = [],
): Promise<Response> {
  const merged = await mergeDetails(user, sent);
  if (Object.keys(merged.collisions).length > 0) return collided(merged, FORM, "Save");
  const all = [...taken, ...merged.taken];
  const form = await userDetailsValidator(await userDetailsRules(user)).validate(merged.form);
  const password = merged.form.get("password");
  const judge = (typed: string) => weaknessFor(user, typed);
  if (form.error) {
    const fieldErrors = await withWeakPassword(form.error.fieldErrors, password, judge);
    return invalid({ ...form.error, fieldErrors }, form.submittedData);
  }
  if (form.data.security && (await needsProofForSecurity(user)))
    await requireFormStepUp(request, user, { fields: merged.form, formId: FORM }, FORM_TASKS.security);
  try {
    const result = await saveUserDetails(user, form.data);
    if ("differing" in result) return await saveSent({ request, context, user }, merged.form, all);
    return await saved(request, user, result, all, merged.form !== sent || taken.length > 0);
  } catch (thrown) {
    const error = asFormError(thrown, { request, context, code: "OCA0F02E" });
    return refused(error, form.submittedData, FORM, await besideRefusal(error, password, judge));
  }
}
