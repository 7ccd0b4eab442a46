import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { DEAD_LINK, isUsable, redeemAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireSession, requireUser } from "~/http/guard.server";
import { findSessionRow, replaceSession } from "~/http/session.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/**
 * Returns the administrator and the login that the address asks for. Throws a redirect when the administrator already acts as a user, and a
 * PortalError (409) when the user of the address is logged in already.
 */
async function requireAttempt({ request, params }: LoaderFunctionArgs) {
  const attempt = { userId: readId(params.userId), authString: params.authString ?? "" };
  const user = await requireSession(request);
  if (user.id === attempt.userId)
    throw new PortalError("You are logged in as this user already.", { code: "account.log-in-as", status: 409 });
  if (user.impersonator) {
    const text = `You act as ${user.firstName} ${user.lastName}. Go back to your own account before you log in as another user.`;
    throw await redirectWithToast(request, landingOf(user), { kind: "warn", text });
  }
  return { admin: await requireUser(request, "change-users"), attempt };
}

/** Opening the address does not log in, because browsers prefetch pages and any site can link here. Sending the form on the page does. */
export async function loader(args: LoaderFunctionArgs) {
  const { admin, attempt } = await requireAttempt(args);
  const problem = (await isUsable(attempt, admin)) ? null : DEAD_LINK;
  return json({ problem }, { status: problem ? 404 : 200 });
}

export async function action(args: ActionFunctionArgs) {
  const { admin, attempt } = await requireAttempt(args);
  await readForm(args.request);
  try {
    const user = await redeemAuthString(attempt, admin);
    const epoch = (await findSessionRow(args.request))?.epoch ?? -1;
    const cookie = await replaceSession(args.request, user, { impersonator: { id: admin.id, epoch } });
    return redirect(paths.dashboard, { status: 303, headers: { "Set-Cookie": cookie } });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return json({ problem: error.message }, { status: error.status });
  }
}

export default function LogInAsUser() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const problem = answer?.problem ?? loaded.problem;
  return (
    <div className="narrow stack-l">
      <PageHeader title="Log in as user" />
      {problem ? <Refused problem={problem} /> : <Waiting />}
    </div>
  );
}

/** Submits the form automatically where scripts run, and shows the button where they do not. */
function Waiting() {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  const submit = useSubmit();
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    submit(form.current, { replace: true });
  }, [submit]);
  return (
    <Form method="post" ref={form} className="stack">
      <CsrfField />
      <p role="status">Please wait while log in completes</p>
      <div className="no-js">
        <SubmitButton>Continue</SubmitButton>
      </div>
    </Form>
  );
}

function Refused({ problem }: { problem: string }) {
  return (
    <Note tone="warn">
      <p>{problem}</p>
      <p>It works once, for a minute, and only for the administrator who asked for it.</p>
    </Note>
  );
}

export const meta = pageTitle("Log in as user");
