import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { UNCONFIRMED_ERASURE } from "~/domain/accounts/personal-data/erasure.policy";
import { getErasure, requestErasure, withdrawErasure } from "~/domain/accounts/personal-data/erasure.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUserFor } from "~/http/guard.server";
import { refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp, requireStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";

const FORM = "erasure";

const ASKED = "You have asked for the erasure of your data. You get a message when it is done.";
const KEPT = "You have withdrawn your request. Your data will not be erased.";
const WITHDRAWN = "You have withdrawn your request. User administrators have another reason to erase your data.";
const OTHER_REASON =
  "User administrators have asked for the erasure of your data for another reason than a request on this page. A second one decides about it, whether or not you withdraw. Contact us if you wish to keep your data.";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingDetails");
  await requireStepUp(request, user, "erasure");
  const { invoiceYears, evidenceYears } = getConfig().privacy;
  const { isEmailConfirmed, isAskedByStaff, stops, ...erasure } = await getErasure(user);
  const notices = [
    ...(isEmailConfirmed ? [] : [UNCONFIRMED_ERASURE]),
    ...(isAskedByStaff ? [OTHER_REASON] : []),
    ...stops,
  ];
  return json({ ...erasure, notices, email: user.email, invoiceYears, evidenceYears });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUserFor(request, "missingDetails");
  const sent = await readForm(request);
  const isRequest = sent.get("intent") === "request-erasure";
  await requireFormStepUp(request, user, { fields: sent }, isRequest ? FORM_TASKS.askErasure : FORM_TASKS.keepData);
  if (isRequest && sent.get("confirmed") !== "yes") return json({ asked: { intent: "request-erasure" } });
  try {
    await (isRequest ? requestErasure(user) : withdrawErasure(user));
  } catch (error) {
    return refused(error, {}, FORM);
  }
  const text = isRequest ? ASKED : (await getErasure(user)).isAskedByStaff ? WITHDRAWN : KEPT;
  return redirectWithToast(request, accountPaths.eraseData, { kind: "ok", text });
}

function WhatHappens({ invoiceYears, evidenceYears }: { invoiceYears: number; evidenceYears: number }) {
  return (
    <>
      <Card title="What is erased">
        <ul>
          <li>
            your name, email address, position and telephone number; a number takes their place: “Erased person 123”
          </li>
          <li>your password, security question, second factors, sessions, known browsers and networks, and settings</li>
          <li>your drafts, your memberships of companies, and invitations by and to you</li>
          <li>your address on messages, security events and entries of the audit trail</li>
          <li>you as a contact in orders that have ended, and as a contact of ID codes</li>
        </ul>
        <p>
          Nobody can log in to the account any more. This cannot be undone. You can register again later, as a new
          account.
        </p>
      </Card>
      <Card title="What is kept, and why">
        <ul>
          <li>Orders and invoices, at least {invoiceYears} years, because tax law asks for them.</li>
          <li>
            Certificates, requests and checks, at least {evidenceYears} years after the certificate has ended, because
            they are evidence of what was certified. You are replaced as a contact when the certificate ends.
          </li>
          <li>What happened and when, in the audit trail, under your number.</li>
          <li>That your address wants no messages as a contact, if you asked for that.</li>
          <li>Backups, until the operator deletes them.</li>
        </ul>
      </Card>
    </>
  );
}

export default function EraseData() {
  const { requestedAt, barriers, notices, email, ...years } = useLoaderData<typeof loader>();
  const asked = useActionData<{ asked?: { intent: string } }>()?.asked;
  return (
    <ConfirmStep
      asked={asked}
      title="Erase your data"
      question="Are you sure you wish to have your data erased? This cannot be undone."
      confirmLabel="Ask for the erasure"
      cancelTo={accountPaths.eraseData}
      details={
        <>
          <p>The account: {email}</p>
          <WhatHappens {...years} />
        </>
      }
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={FORM} />
        <PageHeader title="Erase your data" back={{ to: accountPaths.personalData, label: "Your data" }}>
          {!requestedAt && <p>A user administrator carries this out, within a month.</p>}
        </PageHeader>
        {requestedAt && (
          <Note title="You have asked for the erasure.">
            <p>
              You asked for this on <Time value={requestedAt} withTime />. A user administrator carries it out, within a
              month. Until then you can keep your data.
            </p>
          </Note>
        )}
        {notices.map((notice) => (
          <Note key={notice} tone="warn" title="Please note">
            <p>{notice}</p>
          </Note>
        ))}
        {barriers.length > 0 && (
          <Note tone="warn" title="What must happen first">
            <ul>
              {barriers.map((barrier) => (
                <li key={barrier}>
                  <bdi>{barrier}</bdi>
                </li>
              ))}
            </ul>
            {!requestedAt && <p>You can ask for the erasure on this page as soon as this is done.</p>}
          </Note>
        )}
        <Form method="post">
          <CsrfField />
          <ButtonRow>
            {requestedAt ? (
              <SubmitButton intent="withdraw-erasure">Keep your data</SubmitButton>
            ) : (
              barriers.length === 0 && (
                <SubmitButton intent="request-erasure" variant="caution">
                  Erase your data
                </SubmitButton>
              )
            )}
          </ButtonRow>
        </Form>
        <WhatHappens {...years} />
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Erase your data");
