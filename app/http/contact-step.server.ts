import { json, redirect } from "@remix-run/node";
import { typedValues } from "~/domain/drafts/typed-values";
import { CONTACT_FIELDS } from "~/domain/certificates/purchase/fields";
import { contactRules, contactStep, saveContact } from "~/domain/certificates/purchase/contact.service.server";
import { contactValidator } from "~/domain/certificates/purchase/validators";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { paths } from "~/lib/paths";
import { readForm } from "./forms.server";
import { requireOrder, type StepRequest } from "./purchase-draft.server";
import { invalid, refused } from "./responses.server";

/** What the first step's page shows. */
export async function loadContactStep(step: StepRequest) {
  const order = await requireOrder(step, "contact-details");
  return json({ ...(await contactStep(step.user, order)), countries: await listCountryOptions() });
}

/** Keeps the authentication contact and goes on to the order. */
export async function submitContactStep(step: StepRequest): Promise<Response> {
  const { request, user, wizard } = step;
  const { draft } = await requireOrder(step, "contact-details");
  const form = await contactValidator(contactRules(user)).validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await saveContact(user.id, draft, typedValues(form.submittedData, CONTACT_FIELDS), form.data);
    return redirect(paths.certificateWizard(wizard, "order", draft.id), 303);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}
