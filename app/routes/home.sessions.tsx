import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { END_SESSION_FORM, EndSession } from "~/components/accounts/end-session";
import { SessionsTable } from "~/components/accounts/sessions-table";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  endOtherSession,
  endOtherSessions,
  listOwnSessions,
  requireOtherSession,
  type SessionView,
} from "~/domain/accounts/sessions/sessions.service.server";
import { endSessionValidator as validator } from "~/domain/accounts/sessions/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireAccountHolder } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "sessions";
/** The value of the button that ends all other sessions. The other buttons have the id of their session. */
const OTHERS = "others";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireAccountHolder(request);
  return json({ sessions: await listOwnSessions(user), isActing: user.impersonator !== null });
}

/** Asks whether to end a session or all others. */
async function ask(user: SessionUser, sent: FormDataEntryValue | null) {
  const end = typeof sent === "string" ? sent : "";
  try {
    if (end !== OTHERS) await requireOtherSession(user, end);
    return json({ asked: { end } });
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

/** Ends a session or all others. Returns the message about it. */
async function carryOut(user: SessionUser, end: string, password: string): Promise<string> {
  if (end !== OTHERS) {
    return `The session has been ended: ${await endOtherSession(user, end, password)}.`;
  }
  const count = await endOtherSessions(user, password);
  return count > 0 ? `Other sessions ended: ${count}.` : "You have no other sessions.";
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireAccountHolder(request);
  const sent = await readForm(request);
  if (!sent.has("currentPassword")) return ask(user, sent.get("end"));
  const form = await validator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  const { end, currentPassword } = form.data;
  try {
    const text = await carryOut(user, end, currentPassword);
    return await redirectWithToast(request, paths.sessions, { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, END_SESSION_FORM);
  }
}

const END: Column<SessionView> = {
  key: "end",
  label: "End",
  cell: ({ id, device, isCurrent }) =>
    !isCurrent && (
      <SubmitButton name="end" value={id} variant="secondary" small>
        End<span className="vh"> the session: {device}</span>
      </SubmitButton>
    ),
};

interface Answer {
  asked?: { end: string };
  /** The question that came back with an error. */
  repopulateFields?: { end?: string };
}

export default function Sessions() {
  const { sessions, isActing } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const end = answer?.asked?.end ?? answer?.repopulateFields?.end;
  const session = sessions.find(({ id }) => id === end);
  if (end !== undefined && (session || end === OTHERS)) return <EndSession end={end} session={session} />;
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  return (
    <div className="stack-l">
      <ErrorSummary formId={end === undefined ? FORM : END_SESSION_FORM} />
      <PageHeader title="Your sessions and devices" back={{ to: paths.userManagement, label: "User Details" }}>
        <p>
          Where your account is logged in. If you do not know one of these sessions, end it, change your password, and
          look at your <Link to={paths.secondFactors()}>second factors</Link>.
        </p>
      </PageHeader>
      <Form method="post" className="stack">
        <CsrfField />
        <SessionsTable caption="Open sessions" sessions={sessions} {...(!isActing && { more: END })} />
        {hasOthers && !isActing && (
          <ButtonRow>
            <SubmitButton name="end" value={OTHERS} variant="caution">
              End all others
            </SubmitButton>
          </ButtonRow>
        )}
      </Form>
      <p className="hint">
        A session ends after 8 hours without use, and 24 hours after the login. Its last use is recorded every five
        minutes.
      </p>
    </div>
  );
}

export const meta = pageTitle("Your sessions and devices");
