import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { DonePanel } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { findFollowed, stopFollowing } from "~/domain/codes/certificates/stop-following.service.server";
import { clientOf } from "~/http/client.server";
import { isOneClick, readForm } from "~/http/forms.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const link = await findFollowed(params.token ?? "", clientOf(request));
  return json({ link }, { status: link ? 200 : 404 });
}

/** Handles the page's button and the one-click request of a mail program (RFC 8058), which has no CSRF token. */
export async function action({ request, params }: ActionFunctionArgs) {
  if (!(await isOneClick(request))) await readForm(request);
  const isStopped = await stopFollowing(params.token ?? "", clientOf(request));
  return json({ isStopped }, { status: isStopped ? 200 : 404 });
}

export default function StopFollowing() {
  const { link } = useLoaderData<typeof loader>();
  const isStopped = useActionData<typeof action>()?.isStopped ?? link?.entity === null;
  if (!link)
    return (
      <div className="narrow">
        <PageHeader title="This link cannot be used">
          It is not complete or too old. Please use the link in a newer message, or log in and open the entities that
          you follow.
        </PageHeader>
      </div>
    );
  if (isStopped)
    return (
      <div className="narrow">
        <DonePanel title="These messages are stopped">
          <p>
            You get no more messages by which this link came. If another one arrives, use the link in it. To follow the
            entity again, log in and open its page in the register.
          </p>
        </DonePanel>
      </div>
    );
  return (
    <div className="narrow stack-l">
      <PageHeader title="Stop these messages">
        <p>
          You get a message when the certificates of <bdi>{link.entity}</bdi> change, because you asked for it.
        </p>
      </PageHeader>
      <p>All other messages of your account are not affected.</p>
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          <SubmitButton>Stop these messages</SubmitButton>
        </ButtonRow>
      </Form>
    </div>
  );
}

export const meta = pageTitle("Stop these messages");
