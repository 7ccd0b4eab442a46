import { type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Outlet } from "@remix-run/react";
import { SubmitButton } from "~/components/buttons";
import { CsrfField } from "~/components/csrf-field";
import { Note } from "~/components/note";
import { useShell } from "~/components/shell";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request);
  return null;
}

export { ErrorBoundary, meta } from "~/components/error-boundary";

export default function SignedInPages() {
  const { user } = useShell();
  return (
    <>
      {user && !user.emailVerified && <UnverifiedEmail />}
      <Outlet />
    </>
  );
}

function UnverifiedEmail() {
  return (
    <Note tone="warn" title="Please confirm your e-mail address.">
      <Form method="post" action={paths.resendVerification} className="row spread">
        <CsrfField />
        <p>Follow the link in the message that was sent to you. Orders cannot be approved before that.</p>
        <SubmitButton variant="secondary" small>
          Send the link again
        </SubmitButton>
      </Form>
    </Note>
  );
}
