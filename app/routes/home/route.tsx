import { Form, Link, Outlet, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { type unverifiedTexts } from "~/domain/accounts/verification.service.server";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { loader } from "./page.server";
export { ErrorBoundary, meta } from "~/components/shell/error-boundary";

export default function LoggedInPages() {
  const { unverified, missingFactor } = useLoaderData<typeof loader>();
  return (
    <>
      {unverified && <UnverifiedEmail {...unverified} />}
      {missingFactor && (
        <div className="no-print">
          <Note tone="warn">
            <p>
              {missingFactor} <Link to={paths.secondFactors()}>Add a second factor</Link>
            </p>
          </Note>
        </div>
      )}
      <Outlet />
    </>
  );
}

/** Asks the user to confirm the email address, and offers a link. */
const UnverifiedEmail = ({ title, text, button }: ReturnType<typeof unverifiedTexts>) => (
  <Note tone="warn" title={title}>
    <Form method="post" action={paths.resendVerification()} className="row spread">
      <CsrfField />
      <p>{text}</p>
      <SubmitButton variant="secondary" small>
        {button}
      </SubmitButton>
    </Form>
  </Note>
);
