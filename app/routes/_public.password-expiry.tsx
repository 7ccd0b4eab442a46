import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { SubmitButton } from "~/components/ui/buttons";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { PageHeader } from "~/components/ui/page-header";
import { hasGivenPassword, withdrawPasswordChange } from "~/domain/accounts/recovery/change-permit.service.server";
import { PASSWORD_EXPIRY, PASSWORD_EXPIRY_NEXT } from "~/domain/accounts/recovery/recovery-messages";
import { landingOf } from "~/http/duties.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { mayChangeOwn } from "~/http/password-permit.server";
import { targetOf } from "~/http/redirects";
import { commitSession, endSessionWithToast, getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

const LOG_IN_AGAIN =
  "Please log in again to change your password. It can be changed for 30 minutes after a login, in the browser that logged in last.";

/** Returns the user whose password has expired or is about to expire. Redirects everybody else to the requested page. */
async function requireAgeing(request: Request) {
  const user = await requireSession(request);
  if (user.impersonator || user.hasSeveralAccounts || user.passwordAge === "fresh")
    throw redirect(landingOf(user, targetOf(request)));
  return { user, age: user.passwordAge };
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { user, age } = await requireAgeing(request);
  return json({ age, isGiven: await hasGivenPassword(user.id) });
}

/**
 * No continues and gives back the permit of the login. Yes needs that permit: the user of a session that was merely left open must log in
 * again.
 */
export async function action({ request }: ActionFunctionArgs) {
  const { user, age } = await requireAgeing(request);
  const form = await readForm(request);
  const target = targetOf(request);
  if (form.has("back") && age === "aboutToExpire") {
    await withdrawPasswordChange(user.id);
    const session = await getSession(request);
    session.unset("changePermit");
    return redirect(target, { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
  }
  if (await mayChangeOwn(request, user)) return redirect(paths.changePassword(target), 303);
  const cookie = await endSessionWithToast(request, { kind: "warn", text: LOG_IN_AGAIN });
  return redirect(paths.login(target), { status: 303, headers: { "Set-Cookie": cookie } });
}

export default function PasswordExpiry() {
  const { age, isGiven } = useLoaderData<typeof loader>();
  if (age === "aboutToExpire")
    return (
      <ConfirmPanel
        title={PASSWORD_EXPIRY.aboutToExpire}
        question={PASSWORD_EXPIRY_NEXT}
        confirmLabel="Yes"
        cancelLabel="No"
        variant="primary"
      >
        <h2>Change it now?</h2>
      </ConfirmPanel>
    );
  return (
    <div className="narrow">
      <PageHeader title={isGiven ? PASSWORD_EXPIRY.given : PASSWORD_EXPIRY.expired}>{PASSWORD_EXPIRY_NEXT}</PageHeader>
      <Form method="post">
        <CsrfField />
        <SubmitButton>Change password</SubmitButton>
      </Form>
    </div>
  );
}

export const meta = pageTitle("Password expiry");
