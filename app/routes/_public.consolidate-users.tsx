import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import {
  CONSOLIDATION_LABELS,
  CONSOLIDATION_ORDER,
  ConsolidationFields,
  NewPasswordFields,
} from "~/components/accounts/consolidation-fields";
import { MergeWarning } from "~/components/accounts/merge-warning";
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
import {
  consolidateAccounts,
  type Consolidated,
  findConsolidationRules,
  loadConsolidation,
  prepareConsolidation,
} from "~/domain/accounts/consolidation/consolidation.service.server";
import { consolidationValidator } from "~/domain/accounts/consolidation/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { type Toast } from "~/domain/shell";
import { landingOf } from "~/http/duties";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, requireSession } from "~/http/guard.server";
import { signedInCookies } from "~/http/known-device.server";
import { mayChangeOwn } from "~/http/password-permit.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { endSessionWithToast, replaceSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

const FORM = "consolidate-users";
const LOG_IN_AGAIN: Toast = {
  kind: "warn",
  text: "Please log in again to choose a new password. It can be chosen for 30 minutes after a login, in the browser that logged in last.",
};

/**
 * Returns the logged-in user whose email has several accounts, and redirects everybody else. An administrator who acts as the user merges
 * no accounts.
 */
async function requireSeveralAccounts(request: Request): Promise<SessionUser> {
  const user = await requireSession(request);
  if (!user.hasSeveralAccounts || user.impersonator) throw redirect(landingOf(user, targetOf(request)));
  const needsPermit = user.emailVerified && user.passwordAge === "expired";
  if (!needsPermit || (await mayChangeOwn(request, user))) return user;
  // An expired password can be changed only soon after a login, not in a session that was left open.
  const cookie = await endSessionWithToast(request, LOG_IN_AGAIN);
  throw redirect(paths.login(paths.consolidateUsers(targetOf(request))), {
    status: 303,
    headers: { "Set-Cookie": cookie },
  });
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireSeveralAccounts(request);
  return json({
    ...(await loadConsolidation(user)),
    email: user.email,
    isVerified: user.emailVerified,
    target: targetOf(request),
  });
}

/** Redirects to the next duty or to the requested page. A new password has ended every session, so this browser gets a new one. */
async function goOn(request: Request, { id }: SessionUser, { merged, sessionEpoch }: Consolidated) {
  const count = merged > 0 ? ` Accounts merged: ${merged}.` : ""; // 0 when a second click or another window has already merged them
  const toast: Toast = { kind: "ok", text: `User details successfully updated.${count}` };
  const after = await (sessionEpoch === null ? findUser(request) : findSessionUser({ id, epoch: sessionEpoch }));
  const target = targetOf(request);
  const next = after ? landingOf(after, target) : target;
  if (sessionEpoch === null) return redirectWithToast(request, next, toast);
  const user = { id, sessionEpoch };
  const session = await replaceSession(request, user, { toast });
  return redirect(next, { status: 303, headers: await signedInCookies(request, user, session) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSeveralAccounts(request);
  const submitted = await readForm(request);
  const isConfirmed = submitted.get("confirmed") === "yes";
  const rules = await findConsolidationRules(user);
  // The confirmation contains no password: prepareConsolidation has checked and stored it.
  const form = await consolidationValidator(isConfirmed ? { ...rules, passwordMinLength: null } : rules).validate(
    submitted,
  );
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  try {
    if (!isConfirmed) return json({ asked: await prepareConsolidation(user, form.data) });
    return await goOn(request, user, await consolidateAccounts(user, form.data));
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

/** Returns the details that the remaining account will have after a merge with these choices. */
const keptItems = (details: readonly ComparedDetail[], asked: FieldsToSend) =>
  details.map(({ name, options }) => ({
    term: CONSOLIDATION_LABELS[name],
    detail: (options.find(({ accountId }) => String(accountId) === asked[name]) ?? options[0])?.text,
  }));

export default function ConsolidateUsers() {
  const { accounts, details, version, rules, email, isVerified, target } = useLoaderData<typeof loader>();
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
              <bdi>{accounts.find(({ isOwn }) => isOwn)?.username}</bdi> remains and gets everything that the others
              own. Closed for good: <bdi>{closed.join(", ")}</bdi>.
            </p>
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
                : "The accounts have the same details."}
            </p>
            <ConsolidationFields
              details={details}
              usernames={new Map(accounts.map(({ id, username }) => [id, username]))}
              email={email}
            />
            {rules.passwordMinLength !== null && <NewPasswordFields minLength={rules.passwordMinLength} />}
            <ButtonRow>
              <SubmitButton>Merge accounts</SubmitButton>
            </ButtonRow>
          </PortalForm>
        ) : (
          <UnverifiedEmail target={target} />
        )}
      </div>
    </ConfirmStep>
  );
}

/**
 * Nothing is merged until the user has proved that the mailbox is theirs, because all accounts with the same email belong to one mailbox.
 */
function UnverifiedEmail({ target }: { target: string }) {
  return (
    <Note title="Please confirm your e-mail address first.">
      <p>
        Before accounts are merged you have to show that the e-mail address is yours. Let a message be sent to it and
        follow the link in it, then come back here.
      </p>
      <Form method="post" action={paths.resendVerification(target)} className="stack">
        <CsrfField />
        <SubmitButton>Send the link</SubmitButton>
      </Form>
    </Note>
  );
}

export const meta = pageTitle("Complete Registration");
