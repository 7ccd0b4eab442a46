import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { findBanner, removeBanner, saveBanner } from "~/domain/homepage/homepage.service.server";
import { SETTINGS_SAVED } from "~/domain/homepage/texts";
import { homepageValidator as validator } from "~/domain/homepage/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { paths } from "~/lib/paths";
import { FORM, REMOVE } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-settings");
  return json({ settings: await findBanner(), mayChange: may(user, "change-settings") });
}

/**
 * Redirects to the dashboard with a full load, because the Content-Security-Policy of a loaded page allows the banner's origin at the time
 * of loading.
 */
async function toDashboard(request: Request, text: string) {
  const answer = await redirectWithToast(request, paths.dashboard, { kind: "ok", text });
  answer.headers.set("X-Remix-Reload-Document", "true");
  return answer;
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "change-settings");
  const { actor } = user;
  const submitted = await readForm(request);
  const isRemoval = submitted.get("intent") === REMOVE.intent;
  const task = isRemoval ? FORM_TASKS.removeBanner : FORM_TASKS.saveBanner;
  await requireFormStepUp(request, user, { fields: submitted }, task);
  if (isRemoval && submitted.get("confirmed") !== "yes") return json({ asked: REMOVE });
  const form = isRemoval ? null : await validator.validate(submitted);
  if (form?.error) return invalid(form.error, form.submittedData);
  try {
    if (form) {
      await saveBanner(form.data, actor);
      return await toDashboard(request, SETTINGS_SAVED);
    }
    await removeBanner(actor);
    return await toDashboard(request, "The banner has been removed.");
  } catch (error) {
    return refused(error, form?.submittedData ?? (await findBanner()) ?? {}, FORM);
  }
}
