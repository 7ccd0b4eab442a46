import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { DonePanel } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { findStopLink, stopContact } from "~/domain/mail/contact-stop.service.server";
import { clientOf } from "~/http/client.server";
import { isOneClick, readForm } from "~/http/forms.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const link = await findStopLink(params.token ?? "", clientOf(request));
  return json({ link }, { status: link ? 200 : 404 });
}

/** Handles the page's button and the one-click request of a mail program (RFC 8058), which has no CSRF token. */
export async function action({ request, params }: ActionFunctionArgs) {
  if (!(await isOneClick(request))) await readForm(request);
  const isStopped = await stopContact(params.token ?? "", clientOf(request));
  return json({ isStopped }, { status: isStopped ? 200 : 404 });
}

export default function NoMoreMessages() {
  const { link } = useLoaderData<typeof loader>();
  const isStopped = useActionData<typeof action>()?.isStopped ?? link?.isStopped;
  if (!link) return <DeadLink />;
  if (isStopped) return <Stopped email={link.email} />;
  return (
    <div className="narrow stack-l">
      <PageHeader title="Send nothing more">
        <p>
          A customer named <bdi>{link.email}</bdi> as a contact
          {link.orderNumber !== null && (
            <>
              {" "}
              for order <span className="nowrap">{link.orderNumber}</span>
            </>
          )}
          . If that is not you, or you want none of these messages, we send nothing more to this address on behalf of
          customers.
        </p>
      </PageHeader>
      <p>Our staff see that you said so. Messages about an account of your own are not affected.</p>
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          <SubmitButton>Not me, send nothing more</SubmitButton>
        </ButtonRow>
      </Form>
    </div>
  );
}

const Stopped = ({ email }: { email: string }) => (
  <div className="narrow">
    <DonePanel title="Nothing more is sent">
      <p>
        We send no more messages to <bdi>{email}</bdi> on behalf of customers. If this was a mistake, please contact us:
        our staff can undo it.
      </p>
    </DonePanel>
  </div>
);

function DeadLink() {
  return (
    <div className="narrow">
      <PageHeader title="This link cannot be used">
        It is not complete or too old. Please use the link in a newer message, or contact us.
      </PageHeader>
    </div>
  );
}

export const meta = pageTitle("Send nothing more");
