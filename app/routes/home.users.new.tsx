import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { PERSON_LABELS, PersonEmailField, PersonNameFields, PersonWorkFields } from "~/components/users/person-fields";
import { createAccountFor } from "~/domain/accounts/administration/new-user.service.server";
import { EMAIL_TAKEN } from "~/domain/accounts/duplicate-email";
import { may } from "~/domain/accounts/rights.policy";
import { newUserValidator as validator } from "~/domain/accounts/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { paths } from "~/lib/paths";

const FORM = "new-user";
const LABELS = { ...PERSON_LABELS, company: "Company" };
const ORDER = ["firstName", "lastName", "email", "company", "position", "telephoneNumber"];

const MADE = "The account has been made. The link to choose a password is on its way to the person.";
/** What the page says about the mail and the company. It is sent with the page, not with the scripts. */
const TEXTS = {
  intro:
    "The person gets a message with a link to choose a password. The link can be used for seven days and confirms the address. Rights of staff are granted afterwards, on the page of the account.",
  company:
    "The person becomes the owner of this company, as after a registration. Into a company that exists, its owners invite people themselves.",
  namesake:
    "The person becomes the owner of the new company, and sees nothing of a company that exists. Into that one, its owners invite people themselves.",
};

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "change-users");
  return json(TEXTS);
}

export async function action({ request }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const submitted = await readForm(request);
  await requireFormStepUp(request, admin, { fields: submitted, formId: FORM }, FORM_TASKS.makeUser);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  try {
    const isConfirmed = submitted.get("confirmed") === "yes";
    const outcome = await createAccountFor(form.data, { actor: admin.actor, isConfirmed });
    if ("id" in outcome) return await redirectWithToast(request, paths.user(outcome.id), { kind: "ok", text: MADE });
    if ("namesakes" in outcome) {
      const isLinked = may(admin, "see-companies");
      return json({ asked: form.data, namesakes: outcome.namesakes.map((company) => ({ ...company, isLinked })) });
    }
    const answer = { fieldErrors: { email: EMAIL_TAKEN }, formId: FORM, taken: outcome.taken };
    return invalid(answer, form.submittedData);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

/** Links to the accounts that have the email address already. */
function TakenNote({ accounts }: { accounts: readonly { id: number; username: string }[] }) {
  return (
    <Note tone="warn" title="Somebody has this email address already.">
      <ul>
        {accounts.map(({ id, username }) => (
          <li key={id}>
            <Link to={paths.user(id)}>Account {username}</Link>
          </li>
        ))}
      </ul>
    </Note>
  );
}

interface Answer {
  taken?: { id: number; username: string }[];
  asked?: Record<string, string>;
  namesakes?: { id: number; name: string; isLinked: boolean }[];
}

export default function NewUser() {
  const { intro, company, namesake } = useLoaderData<typeof loader>();
  const { taken, asked, namesakes = [] } = useActionData<Answer>() ?? {};
  return (
    <ConfirmStep
      asked={asked}
      title="New user"
      question="A company with this name exists already. Do you wish to make another one of the same name?"
      confirmLabel="Make account"
      variant="primary"
      details={
        <>
          <ul>
            {namesakes.map(({ id, name, isLinked }) => (
              <li key={id}>
                {isLinked ? <Link to={paths.companyPage(id)}>{name}</Link> : <bdi>{name}</bdi>}, company {id}
              </li>
            ))}
          </ul>
          <p>{namesake}</p>
        </>
      }
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={FORM} order={ORDER} labels={LABELS} />
        <PageHeader title="New user" back={{ to: paths.users, label: "Back to the users" }}>
          <p>{intro}</p>
        </PageHeader>
        {taken && <TakenNote accounts={taken} />}
        <PortalForm id={FORM} validator={validator}>
          <Card title="Person">
            <PersonNameFields />
            <PersonEmailField />
            <TextField
              name="company"
              label={LABELS.company}
              hint={company}
              autoComplete="off"
              maxLength={120}
              required
            />
            <PersonWorkFields />
          </Card>
          <ButtonRow>
            <SubmitButton busyText="Making the account…">Make account</SubmitButton>
            <LinkButton to={paths.users}>Cancel</LinkButton>
          </ButtonRow>
          <UnsavedChanges formId={FORM} />
        </PortalForm>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("New user");
