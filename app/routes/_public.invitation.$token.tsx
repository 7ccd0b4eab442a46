import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { DescriptionList } from "~/components/ui/description-list";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { acceptInvitation, INVITATION_ENDED, openInvitation } from "~/domain/companies/invitations.service.server";
import { whyNotJoin } from "~/domain/companies/no-staff.server";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { clientOf } from "~/http/client.server";
import { landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, requireSession } from "~/http/guard.server";
import { noteRefusal } from "~/http/noted-refusals.server";
import { isPortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";

/** Opening the link changes nothing, because mail scanners open links too. The button joins the company. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  const invitation = await openInvitation(token, clientOf(request));
  const user = await findUser(request);
  const problem = invitation ? null : INVITATION_ENDED;
  const barrier = user && whyNotJoin(user);
  return json({ invitation, token, problem, barrier, email: user?.email ?? null }, { status: invitation ? 200 : 404 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireSession(request);
  await readForm(request);
  try {
    const company = await acceptInvitation(user, params.token ?? "");
    const text = `You are now a member of ${company} and work for it.`;
    const joined = (await findUser(request)) ?? user; // the company that was joined may have no duty that the own one had
    return await redirectWithToast(request, landingOf(joined, paths.company), { kind: "ok", text });
  } catch (error) {
    if (!isPortalError(error) || error.status === 429) throw error;
    noteRefusal(request, error);
    return json({ refusal: error.message }, { status: error.status });
  }
}

/** The page of an invitation to a company. It works for whoever is logged in with the address, logs in with it, or registers with it. */
export default function Invitation() {
  const { invitation, token, problem, barrier, email } = useLoaderData<typeof loader>();
  const refusal = useActionData<{ refusal?: string }>()?.refusal ?? problem;
  if (!invitation || refusal)
    return (
      <div className="narrow stack-l">
        <PageHeader title="This invitation cannot be used" back={{ to: paths.dashboard, label: "Home" }} />
        <Note tone="warn">{refusal}</Note>
      </div>
    );
  const { company, role, hasAccount } = invitation;
  return (
    <div className="narrow stack-l">
      <PageHeader title={`Join ${company}`} />
      <DescriptionList
        items={[
          { term: "Company", detail: company },
          { term: "Your role", detail: ROLE_NAMES[role] },
          { term: "For", detail: invitation.email },
        ]}
      />
      <WayOn barrier={barrier} token={token} email={email} invited={invitation.email} hasAccount={hasAccount} />
    </div>
  );
}

interface Way {
  /** Why the account that is logged in cannot join, or null. */
  barrier: string | null;
  token: string;
  /** The address of the account that is logged in, or null. */
  email: string | null;
  invited: string;
  hasAccount: boolean;
}

function WayOn({ barrier, token, email, invited, hasAccount }: Way) {
  if (email === invited && barrier) return <Note tone="warn">{barrier}</Note>;
  if (email === invited)
    return (
      <Form method="post">
        <CsrfField />
        <SubmitButton>Join the company</SubmitButton>
      </Form>
    );
  if (email !== null)
    return (
      <Note tone="warn" title={`You are logged in as ${email}.`}>
        This invitation is for {invited}. Log out, and open it again{" "}
        {hasAccount ? "with the account that has this address." : "to register with this address."}
      </Note>
    );
  const logIn = paths.login(rarePaths.invitation(token));
  return hasAccount ? (
    <>
      <p>Log in with your account to join the company.</p>
      <ButtonRow>
        <LinkButton to={logIn} variant="primary">
          Log in
        </LinkButton>
      </ButtonRow>
    </>
  ) : (
    <>
      <p>There is no account with this address yet. Register to join the company.</p>
      <ButtonRow>
        <LinkButton to={rarePaths.registerInvited(token)} variant="primary">
          Register
        </LinkButton>
      </ButtonRow>
    </>
  );
}

export const meta = pageTitle("Invitation to a company");
