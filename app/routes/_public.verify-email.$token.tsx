import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { confirmEmail, findEmailLink } from "~/domain/accounts/email-link.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { beginFirstOrder } from "~/domain/homepage/first-certificate.server";
import { clientOf } from "~/http/client.server";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { getSession } from "~/http/session.server";
import { isPortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";

/** Opening the link changes nothing, because mail scanners open links too. The button confirms the address. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const link = await findEmailLink(params.token ?? "", clientOf(request));
  const user = link ? null : await findUser(request);
  return json({ link, confirmed: user?.emailVerified ? user.email : null }, { status: link ? 200 : 404 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  await readForm(request);
  let confirmed: Awaited<ReturnType<typeof confirmEmail>>;
  try {
    const sessionId = (await getSession(request)).get("id") ?? null;
    confirmed = await confirmEmail(params.token ?? "", { client: clientOf(request), sessionId });
  } catch (error) {
    if (!isPortalError(error) || error.status === 429) throw error;
    return json({ problem: error.message }, { status: error.status });
  }
  if (!confirmed) return json({ problem: null }, { status: 422 });
  const { email, isChange } = confirmed;
  const user = await findUser(request);
  // The link can belong to another account than the one that is logged in here.
  const isOther = user !== null && user.email !== email;
  const target = targetOf(request);
  const next = user ? await nextOf(user, target, isChange || isOther) : paths.login(target);
  const text = isOther ? `${email} is confirmed.` : "Your email address is confirmed.";
  return redirectWithToast(request, next, { kind: "ok", text });
}

/** Returns the page after the confirmation: a duty, the page that was requested, or, for a newcomer, the first order of the company. */
async function nextOf(user: SessionUser, target: string, isKnown: boolean): Promise<string> {
  const landing = landingOf(user, target);
  if (isKnown || landing !== paths.dashboard) return landing;
  return (await beginFirstOrder(user)) ?? landing;
}

export default function VerifyEmail() {
  const { link, confirmed } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  if (problem)
    return (
      <div className="narrow stack-l">
        <PageHeader title="The email address cannot be confirmed" back={{ to: paths.dashboard, label: "Home" }} />
        <Note tone="bad">{problem} Your account keeps the address that it has.</Note>
      </div>
    );
  if (!link)
    return (
      <div className="narrow stack-l">
        <PageHeader title="This link can no longer be used" back={{ to: paths.dashboard, label: "Home" }} />
        {confirmed ? (
          <Note>
            Your email address <bdi>{confirmed}</bdi> is confirmed: there is nothing to do.
          </Note>
        ) : (
          <>
            <Note tone="warn">
              The link was used before, a newer one took its place, it was withdrawn, or it is older than 7 days. If
              your address is not confirmed yet, log in and request a new link.
            </Note>
            <p>
              <LinkButton to={paths.login()}>Log in</LinkButton>
            </p>
          </>
        )}
      </div>
    );
  return (
    <div className="narrow stack-l">
      <PageHeader title="Confirm your email address" />
      <p>
        Confirm that <strong>{link.email}</strong> is your address.
        {link.isChange && " From then on, log in with it; messages go to it, too."}
      </p>
      {link.mergesInto && (
        <Note tone="warn" title="Several accounts have this email address.">
          Whoever is logged in as {link.mergesInto} asks to merge them into that account. Please confirm only if this is
          you: it will then take the place of the other accounts in their companies, with everything that these own.
        </Note>
      )}
      <Form method="post">
        <CsrfField />
        <SubmitButton>Confirm email address</SubmitButton>
      </Form>
    </div>
  );
}

export const meta = pageTitle("Confirm your email address");
