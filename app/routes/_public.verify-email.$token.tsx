import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { SubmitButton } from "~/components/buttons";
import { CsrfField } from "~/components/csrf-field";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { findVerification, verifyEmail } from "~/domain/accounts/verification.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, landingOf } from "~/http/guard.server";
import { addressOf, countTry } from "~/http/rate-limit.server";
import { paths } from "~/lib/paths";

/** Opening the link changes nothing: mail scanners open links too. The button verifies. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await countTry("authorise-address", addressOf(request));
  return json({ verification: await findVerification(params.token ?? "") });
}

export async function action({ request, params }: ActionFunctionArgs) {
  await readForm(request);
  await countTry("authorise-address", addressOf(request));
  const token = params.token ?? "";
  const verification = await findVerification(token);
  if (!verification || !(await verifyEmail(token))) return json(null, { status: 422 });
  const user = await findUser(request);
  const next = user ? landingOf(user, request) : paths.login();
  // The link can be another account's than the one that is signed in here.
  const isOther = user !== null && user.email !== verification.email;
  const text = isOther ? `${verification.email} is confirmed.` : "Your e-mail address is confirmed.";
  return redirectWithToast(request, next, { kind: "ok", text });
}

export default function VerifyEmail() {
  const { verification } = useLoaderData<typeof loader>();
  if (!verification)
    return (
      <div className="narrow stack-l">
        <PageHeader title="This link can no longer be used" back={{ to: paths.dashboard, label: "Home" }} />
        <Note tone="warn">
          The link was used before, or it is older than 7 days. If your address is not confirmed yet, log in and let a
          new link be sent to you.
        </Note>
      </div>
    );
  return (
    <div className="narrow stack-l">
      <PageHeader title="Confirm your e-mail address" />
      <p>
        Confirm that <strong>{verification.email}</strong> is your address.
      </p>
      <Form method="post">
        <CsrfField />
        <SubmitButton>Confirm e-mail address</SubmitButton>
      </Form>
    </div>
  );
}

export const meta = pageTitle("Confirm your e-mail address");
