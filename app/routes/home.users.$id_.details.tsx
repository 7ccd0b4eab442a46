import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/portal-field";
import { Remount, useShownVersion } from "~/components/forms/remount";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { PERSON_LABELS, PersonEmailField, PersonNameFields, PersonWorkFields } from "~/components/users/person-fields";
import { loadPerson, previewPerson, savePerson } from "~/domain/accounts/administration/person-change.service.server";
import { personValidator } from "~/domain/accounts/validators";
import { takenText } from "~/domain/changed-meanwhile";
import { mergeForm } from "~/domain/merge-form.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { collided, errorResponse, invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const FORM = "person";
const ORDER = ["firstName", "lastName", "email", "position", "telephoneNumber"];

const CONFIRMED = "A new address counts once the person has used the link that is sent to it. The present one is told.";
const UNCONFIRMED = "The present address was never confirmed. A new one replaces it at once and gets a link.";

const saved = (changes: readonly string[], email: string | null) =>
  [
    changes.length > 0 ? "The details have been changed." : "They are the same as before.",
    email && `A link is on its way to ${email}.`,
  ]
    .filter(Boolean)
    .join(" ");

/** Returns the person, or throws the page of the error that says why the details cannot be changed. */
async function getPerson(...[id, actor]: Parameters<typeof loadPerson>) {
  try {
    return await loadPerson(id, actor);
  } catch (error) {
    throw isPortalError(error) ? errorResponse(error) : error;
  }
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const person = await getPerson(readId(params.id), { ...admin.actor, id: admin.id });
  const emailHint = person.emailBarrier ?? (person.isEmailConfirmed ? CONFIRMED : UNCONFIRMED);
  return json({ ...person, emailHint });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const actor = { ...admin.actor, id: admin.id };
  const id = readId(params.id);
  const sent = await readForm(request);
  const { name, values, isEmailConfirmed } = await getPerson(id, actor);
  await requireFormStepUp(request, admin, { fields: sent, formId: FORM }, () => FORM_TASKS.changePerson(name));
  const isChanged = sent.get("version") !== values.version;
  const merged = isChanged
    ? mergeForm(sent, values, { labels: PERSON_LABELS, version: "version", joined: [] })
    : { form: sent, taken: [], collisions: {} };
  if (Object.keys(merged.collisions).length > 0) return collided(merged, FORM, "Save");
  const form = await personValidator(values).validate(merged.form);
  if (form.error) return invalid(form.error, form.submittedData);
  if (sent.has("back")) return typedAgain(form.submittedData, FORM);
  try {
    const changes = await previewPerson(id, form.data);
    const isNewEmail = form.data.email.toLowerCase() !== values.email.toLowerCase();
    // What was changed meanwhile has not been seen yet, so the question is asked again.
    if (changes.length > 0 && (sent.get("confirmed") !== "yes" || isChanged)) {
      const notes = [takenText(merged.taken), isNewEmail ? (isEmailConfirmed ? CONFIRMED : UNCONFIRMED) : ""];
      return json({ asked: { ...form.data, opened: values.opened }, changes, notes: notes.filter(Boolean) });
    }
    if (changes.length > 0) await savePerson(id, form.data, actor);
    const text = saved(changes, isNewEmail ? form.data.email : null);
    return await redirectWithToast(request, paths.user(id), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

interface Asked {
  asked?: Record<string, string>;
  changes?: string[];
  notes?: string[];
}

export default function ChangePerson() {
  const { id, name, values, emailBarrier, emailHint } = useLoaderData<typeof loader>();
  const { asked, changes = [], notes = [] } = useActionData<Asked>() ?? {};
  const validator = useMemo(() => personValidator(values), [values]);
  const version = useShownVersion("version", values.version);
  return (
    <ConfirmStep
      asked={asked}
      title="Change details"
      question={`Are you sure you wish to change the details of ${name}?`}
      confirmLabel="Save"
      variant="primary"
      details={
        <>
          <ul>
            {changes.map((change) => (
              <li key={change}>
                <bdi>{change}</bdi>
              </li>
            ))}
          </ul>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      }
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={FORM} order={ORDER} labels={PERSON_LABELS} />
        <PageHeader
          title={
            <>
              Details of <bdi>{name}</bdi>
            </>
          }
          back={{ to: paths.user(id), label: "Back to the account" }}
        />
        <Remount on={version}>
          <PortalForm id={FORM} validator={validator} defaultValues={values}>
            <HiddenField name="version" />
            <HiddenField name="opened" />
            <Card title="Person">
              <PersonNameFields />
              <PersonEmailField hint={emailHint} readOnly={emailBarrier !== null} />
              <PersonWorkFields />
            </Card>
            <ButtonRow>
              <SubmitButton>Save</SubmitButton>
              <LinkButton to={paths.user(id)}>Cancel</LinkButton>
            </ButtonRow>
            <UnsavedChanges formId={FORM} />
          </PortalForm>
        </Remount>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? `Details of ${data.name}` : "Details of a person"));
