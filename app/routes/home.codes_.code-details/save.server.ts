import { json, type ActionFunctionArgs } from "@remix-run/node";
import { ALL_CODE_LABELS, CODE_FORM } from "~/components/codes/code-form";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { quoted, takenText } from "~/domain/changed-meanwhile";
import { saveCode } from "~/domain/codes/change.service.server";
import { beginningOf, expiredWith } from "~/domain/codes/code-page.server";
import { mergeContacts } from "~/domain/codes/contact-form.server";
import { entityTypeLabel, type EntityType } from "~/domain/codes/entity-types";
import { registerCode } from "~/domain/codes/registration.service.server";
import { registerProblems } from "~/domain/codes/store-code.server";
import { codeDetailsValidator } from "~/domain/codes/validators";
import { type MergedForm, mergeForm } from "~/domain/merge-form.server";
import { countryName, listCountryOptions } from "~/domain/reference/countries.server";
import { redirectWithToast } from "~/http/flash.server";
import { asFormError } from "~/http/form-actions.server";
import { collided, invalid, refused, typedAgain } from "~/http/responses.server";
import { isPortalError, notFound } from "~/lib/errors";
import { FORM_ERROR } from "~/lib/form-error";
import { paths } from "~/lib/paths";
import { cameFrom } from "./came-from";
import { notEditable, requireCode } from "./code.server";
import { typedOf } from "./contacts.server";

const SAVED = "Details have been saved successfully";

/** Separates entity types that are sent in one text, as a confirmed form does. */
export function separateEntityTypes(form: FormData): void {
  const names = form.getAll("entityTypes").flatMap((value) => (typeof value === "string" ? value.split(",") : []));
  form.delete("entityTypes");
  for (const name of names.filter(Boolean)) form.append("entityTypes", name);
}

const typeLabels = (names: string) =>
  names
    .split(",")
    .map((name) => entityTypeLabel(name as EntityType))
    .join(", ");

const isOf = (group: string) => (name: string) => name.startsWith(`${group}.`);

/** Merges the form of a stored code and its contacts with the values that are stored now (`mergeForm`). */
export async function mergeCode(
  request: Request,
  user: SessionUser,
  sent: FormData,
  labels: Readonly<Record<string, string>>,
): Promise<MergedForm> {
  const open = await requireCode(request, user);
  const countries = await listCountryOptions();
  const { entityTypes, otherText, ...others } = labels;
  const names = Object.keys(labels);
  const { draft } = open;
  const contacts = draft ? await mergeContacts(user.id, { open, draft }) : "";
  const merged = mergeForm(sent, await beginningOf(open), {
    labels: open.rules.entityTypes ? labels : others,
    version: "version",
    joined: [
      { names: ["entityTypes", "otherText"] },
      { names: ["useCompanyAddress", ...names.filter(isOf("physicalAddress"))], instead: "useCompanyAddress" },
      { names: ["usePhysicalAddress", ...names.filter(isOf("mailingAddress"))], instead: "usePhysicalAddress" },
    ],
    boxes: ["entityTypes", "useCompanyAddress", "usePhysicalAddress"],
    shown: (name, text) => (name === "entityTypes" ? quoted(typeLabels(text)) : countryName(countries, name, text)),
  });
  if (contacts !== "") merged.collisions[FORM_ERROR] = contacts;
  return merged;
}

type At = Pick<ActionFunctionArgs, "request" | "context"> & { user: SessionUser };

interface Merged {
  /** The labels of the fields with values that somebody else stored in the meantime. */
  taken: readonly string[];
  /** The form as it was sent, which a question repeats. */
  typed: FormData;
}

/** Saves the form. When the code was changed in the meantime, the form is merged with it first. */
export async function saveSent(
  at: At,
  sent: FormData,
  { taken, typed }: Merged = { taken: [], typed: sent },
): Promise<Response> {
  const { request, context, user } = at;
  const open = await requireCode(request, user);
  const { stored, draft, rules } = open;
  if (!rules.statuses) sent.set("status", "Registered"); // for a new code: a disabled field is not sent
  const form = await codeDetailsValidator(rules).validate(sent);
  // Cancel in the question restores the status (COD-06).
  if (sent.has("back")) return typedAgain({ ...form.submittedData, status: stored?.status }, CODE_FORM);
  if (form.error) {
    if (!open.mayEdit) return notEditable(request, open);
    const others = await registerProblems(stored, sent.get("directParentId"));
    const fieldErrors = { ...others, ...form.error.fieldErrors };
    return invalid({ ...form.error, fieldErrors }, form.submittedData);
  }
  try {
    if (!stored) {
      if (!draft) throw notFound();
      const { id, name } = await registerCode({ user, open, draft, form: form.data });
      const text = `New code ${name} has been successfully registered.`;
      return await redirectWithToast(request, paths.codeDetails({ code: id, ...cameFrom(request) }), {
        kind: "ok",
        text,
      });
    }
    const isCancelling = form.data.status === "Cancelled" && stored.status !== "Cancelled";
    const asks = isCancelling && !may(user, "change-codes") && sent.get("confirmed") !== "yes";
    const conflict = await saveCode({ user, open, form: form.data, isTrial: asks });
    if (conflict) {
      const merged = await mergeCode(request, user, sent, ALL_CODE_LABELS);
      if (Object.keys(merged.collisions).length > 0) return await collided(merged, CODE_FORM, "Update");
      return await saveSent(at, merged.form, { taken: [...taken, ...merged.taken], typed });
    }
    if (asks) return json({ asked: typedOf(typed) });
    const code = paths.codeDetails({ code: stored.id, ...cameFrom(request) });
    const expired = stored.status === form.data.status ? "" : await expiredWith(stored.id);
    const text = [SAVED, expired, takenText(taken)].filter(Boolean).join(". ");
    return await redirectWithToast(request, code, { kind: "ok", text });
  } catch (error) {
    if (isPortalError(error) && error.code === "codes.not-editable") return notEditable(request, open);
    const code = stored ? "OCA0A02E" : open.parent ? "OCA0A04E" : "OCA0A03E";
    return refused(asFormError(error, { request, context, code }), form.submittedData, CODE_FORM);
  }
}
