import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Outlet, useLoaderData } from "@remix-run/react";
import { MissingFactor } from "~/components/accounts/missing-factor";
import { CsrfField } from "~/components/forms/csrf-field";
import { SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { isLinkOpen } from "~/domain/accounts/verification.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const { id, emailVerified, factorDueAt, impersonator } = await requireUser(request);
  const unverified = emailVerified ? null : { isLinkOpen: await isLinkOpen(id) };
  return json({ unverified, factorDueAt: impersonator ? null : factorDueAt });
}

export { ErrorBoundary, meta } from "~/components/shell/error-boundary";

export default function LoggedInPages() {
  const { unverified, factorDueAt } = useLoaderData<typeof loader>();
  return (
    <>
      {unverified && <UnverifiedEmail {...unverified} />}
      {factorDueAt && <MissingFactor dueAt={factorDueAt} isOverdue={false} hasLink />}
      <Outlet />
    </>
  );
}

/**
 * Asks the user to confirm the email address. Imported accounts never got a link, and a link can have expired, so the text depends on
 * whether there is a valid link.
 */
function UnverifiedEmail({ isLinkOpen }: { isLinkOpen: boolean }) {
  const way = isLinkOpen ? "Follow the link in the message that was sent to you." : "Request a link and follow it.";
  return (
    <Note tone="warn" title="Please confirm your email address.">
      <Form method="post" action={paths.resendVerification()} className="row spread">
        <CsrfField />
        <p>
          {way} Until then, orders cannot be approved, we do not write to people whom you name, and we send you only a
          few messages.
        </p>
        <SubmitButton variant="secondary" small>
          {isLinkOpen ? "Send the link again" : "Send the link"}
        </SubmitButton>
      </Form>
    </Note>
  );
}
