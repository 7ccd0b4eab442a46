import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { Anew, useShownVersion } from "~/components/forms/anew";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { AddressPanel } from "~/components/codes/address-panel";
import { ALL_CODE_LABELS, CODE_FORM } from "~/components/codes/code-form";
import { ContactsPanel } from "~/components/codes/contacts-panel";
import { DetailsPanel } from "~/components/codes/details-panel";
import { UnsavedNote } from "~/components/codes/unsaved-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { fieldId } from "~/components/forms/form-id";
import { HiddenField } from "~/components/forms/hidden-field";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { pageTitle } from "~/components/shell/page-title";
import { Badge } from "~/components/ui/status-badge";
import { Tile } from "~/components/ui/tile";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { type SessionUser } from "~/domain/accounts/session-user";
import { saveCode } from "~/domain/codes/change.service.server";
import { toldTaken } from "~/domain/changed-meanwhile";
import { CODE_FIELDS } from "~/domain/codes/code-details-fields";
import { codeDetailsValidator } from "~/domain/codes/validators";
import { codePage, expiredWith } from "~/domain/codes/code-page.server";
import { CANCEL_CODE_QUESTION } from "~/domain/codes/code-status.policy";
import { registerCode } from "~/domain/codes/registration.service.server";
import { registerProblems } from "~/domain/codes/store-code.server";
import { listCountryOptions } from "~/domain/reference/countries.server";
import {
  backFrom,
  cameFrom,
  changeHeldContacts,
  mergeCode,
  notEditable,
  requireCode,
  separateEntityTypes,
  toContact,
  typedOf,
} from "~/http/code-form.server";
import { redirectWithToast } from "~/http/flash.server";
import { foreseen } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { collided, invalid, refused, typedAgain } from "~/http/responses.server";
import { isPortalError, notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";

const SAVED = "Details have been saved successfully";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const [page, countries] = await Promise.all([codePage(user, open), listCountryOptions()]);
  return json({ ...page, countries, back: backFrom(request), from: cameFrom(request) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const sent = await readForm(request);
  separateEntityTypes(sent);
  if (sent.has("contact")) return toContact(request, user, open, sent);
  if (["remove", "restore", "keep"].some((button) => sent.has(button)))
    return changeHeldContacts(request, user, open, sent);
  return save({ request, context, user }, sent);
}

type At = Pick<ActionFunctionArgs, "request" | "context"> & { user: SessionUser };

interface Merged {
  /** The labels of the fields that have what somebody else stored meanwhile. */
  taken: readonly string[];
  /** The form as it was sent: a question keeps it. */
  typed: FormData;
}

/** Saves the form; one of a code that was changed meanwhile is merged with it. */
async function save(at: At, sent: FormData, { taken, typed }: Merged = { taken: [], typed: sent }): Promise<Response> {
  const { request, context, user } = at;
  const open = await requireCode(request, user);
  const { stored, draft, rules } = open;
  if (!rules.statuses) sent.set("status", "Registered"); // of a new code: a disabled field is not sent
  const form = await codeDetailsValidator(rules).validate(sent);
  // Cancel of the question restores the status (B §4).
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
    const asks = isCancelling && !user.isAdmin && sent.get("confirmed") !== "yes";
    const conflict = await saveCode({ user, open, form: form.data, isTrial: asks });
    if (conflict) {
      const merged = await mergeCode(request, user, sent, ALL_CODE_LABELS);
      if (Object.keys(merged.collisions).length > 0) return await collided(merged, CODE_FORM, "Update");
      return await save(at, merged.form, { taken: [...taken, ...merged.taken], typed });
    }
    if (asks) return json({ asked: typedOf(typed) });
    const code = paths.codeDetails({ code: stored.id, ...cameFrom(request) });
    const expired = stored.status === form.data.status ? "" : await expiredWith(stored.id);
    const text = [SAVED, expired, toldTaken(taken)].filter(Boolean).join(". ");
    return await redirectWithToast(request, code, { kind: "ok", text });
  } catch (error) {
    if (isPortalError(error) && error.code === "codes.not-editable") return notEditable(request, open);
    const code = stored ? "OCA0A02E" : open.parent ? "OCA0A04E" : "OCA0A03E";
    return refused(foreseen(error, { request, context, code }), form.submittedData, CODE_FORM);
  }
}

function titleOf({ code, parent }: { code: object | null; parent: object | null }): string {
  if (code) return "Code Details";
  return parent ? "Register Sub-Entity" : "Register Entity";
}

/** The question's Cancel, with scripts. */
function restoreStatus(): void {
  const field = document.getElementById(fieldId(CODE_FORM, "status"));
  if (!(field instanceof HTMLSelectElement)) return;
  field.value = Array.from(field.options).find((option) => option.defaultSelected)?.value ?? "Registered";
}

export default function CodeDetails() {
  const page = useLoaderData<typeof loader>();
  const { code, rules, mayEdit, countries, back } = page;
  const validator = useMemo(() => codeDetailsValidator(rules), [rules]);
  const version = useShownVersion("version", page.version);
  const answer = useActionData<{ asked?: Record<string, string> }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Code status"
      question={CANCEL_CODE_QUESTION}
      confirmLabel="OK"
      onCancel={restoreStatus}
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={CODE_FORM} order={CODE_FIELDS} labels={ALL_CODE_LABELS} />
        <PageHeader
          title={
            <>
              {titleOf(page)} {code && page.parent && <Badge tone="info">Sub-Entity</Badge>}
            </>
          }
          back={{ to: back }}
        />
        {code && !mayEdit && (
          <Note tone="warn">
            <p>This code is {code.status}: its details can only be changed by staff.</p>
          </Note>
        )}
        {page.unsaved && <UnsavedNote {...page} unsaved={page.unsaved} />}
        <Anew of={version}>
          <PortalForm id={CODE_FORM} validator={validator} defaultValues={page.values} defaultIntent="save">
            <HiddenField name="opened" />
            <DetailsPanel {...page} />
            <AddressPanel name="physicalAddress" countries={countries} disabled={!mayEdit} />
            <AddressPanel name="mailingAddress" countries={countries} disabled={!mayEdit} />
            <ContactsPanel {...page} />
            <ButtonRow>
              {mayEdit && (
                <SubmitButton intent="save" busyText="Saving…">
                  {code ? "Update" : "Save"}
                </SubmitButton>
              )}
              <LinkButton to={back}>Back</LinkButton>
            </ButtonRow>
            <UnsavedChanges formId={CODE_FORM} isChanged={page.isTyped} />
          </PortalForm>
        </Anew>
        {code && page.isAdmin && (
          <div className="no-print">
            <Tile title="View Audit Log" to={paths.codeAuditLog(code.id, page.from.from)}>
              Who changed this code, when and how.
            </Tile>
          </div>
        )}
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? titleOf(data) : "Code Details"));
