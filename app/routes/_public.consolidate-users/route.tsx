import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import {
  CompanyOutcomes,
  CONSOLIDATION_LABELS,
  CONSOLIDATION_ORDER,
  ConsolidationFields,
  NewPasswordFields,
} from "~/components/accounts/consolidation-fields";
import { MergedAccounts, MergeWarning } from "~/components/accounts/merge-warning";
import { type FieldsToSend } from "~/components/forms/confirmed-fields";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DescriptionList } from "~/components/ui/description-list";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { type ComparedDetail } from "~/domain/accounts/consolidation/consolidation.policy";
import { consolidationValidator } from "~/domain/accounts/consolidation/validators";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

/** Returns the details that the remaining account will have after a merge with these choices. */
const keptItems = (details: readonly ComparedDetail[], asked: FieldsToSend) =>
  details.map(({ name, options }) => ({
    term: CONSOLIDATION_LABELS[name],
    detail: (options.find(({ accountId }) => String(accountId) === asked[name]) ?? options[0])?.text,
  }));

export default function ConsolidateUsers() {
  const { accounts, details, companies, version, rules, email, isVerified, target } = useLoaderData<typeof loader>();
  const validator = useMemo(() => consolidationValidator(rules), [rules]);
  const preset = Object.entries(rules.choices).map(([name, [own]]) => [name, own]);
  const asked = useActionData<{ asked?: FieldsToSend }>()?.asked;
  const closed = accounts.filter(({ isOwn }) => !isOwn).map(({ username }) => username);
  return (
    <ConfirmStep
      asked={asked}
      title="Merge accounts"
      question="Do you want to merge these accounts? This cannot be undone."
      confirmLabel="Merge accounts"
      details={
        asked && (
          <>
            <p>
              <bdi>{accounts.find(({ isOwn }) => isOwn)?.username}</bdi> remains and takes the place of the others in
              their companies. Closed for good: <bdi>{closed.join(", ")}</bdi>.
            </p>
            <CompanyOutcomes companies={companies} />
            <DescriptionList items={keptItems(details, asked)} />
          </>
        )
      }
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={FORM} order={CONSOLIDATION_ORDER} labels={CONSOLIDATION_LABELS} />
        <PageHeader title="Complete Registration" />
        <MergeWarning accounts={accounts} email={email} />
        {isVerified ? (
          <PortalForm
            id={FORM}
            validator={validator}
            method="post"
            defaultValues={Object.fromEntries(preset) as Record<string, string>}
          >
            <input type="hidden" name="version" value={version} />
            <p>
              {preset.length > 0
                ? "Where the accounts differ, choose what is kept."
                : "There are no details to choose."}
            </p>
            <ConsolidationFields
              details={details}
              usernames={new Map(accounts.map(({ id, username }) => [id, username]))}
              email={email}
            />
            <CompanyOutcomes companies={companies} />
            {rules.passwordMinLength !== null && <NewPasswordFields minLength={rules.passwordMinLength} />}
            <ButtonRow>
              <SubmitButton>Merge accounts</SubmitButton>
            </ButtonRow>
          </PortalForm>
        ) : (
          <UnverifiedEmail target={target} />
        )}
        <MergedAccounts accounts={accounts} />
      </div>
    </ConfirmStep>
  );
}

/**
 * Nothing is merged until the user has proved that the mailbox is theirs, because all accounts with the same email belong to one mailbox.
 */
function UnverifiedEmail({ target }: { target: string }) {
  return (
    <Note title="Please confirm your email address first.">
      <p>
        Before accounts are merged, you must confirm that the email address is yours. Request a message, follow the link
        in it, then come back here.
      </p>
      <Form method="post" action={paths.resendVerification(target)} className="stack">
        <CsrfField />
        <SubmitButton>Send the link</SubmitButton>
      </Form>
    </Note>
  );
}

export const meta = pageTitle("Complete Registration");
