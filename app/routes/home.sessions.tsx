import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { SessionsTable } from "~/components/accounts/sessions-table";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  endOtherSession,
  endOtherSessions,
  listOwnSessions,
  requireOtherSession,
  type SessionView,
} from "~/domain/accounts/sessions/sessions.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { refused, typedAgain } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "sessions";
/** The value of the button that ends all other sessions. The other buttons have the id of their session. */
const OTHERS = "others";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return json({ sessions: await listOwnSessions(user), isActing: user.impersonator !== null });
}

/** The question whether to end a session, with its browser and address, or all others. */
interface Question {
  asked: { end: string };
  about: string;
}

async function ask(user: SessionUser, end: string): Promise<Question> {
  const asked = { end };
  if (end === OTHERS) return { asked, about: "" };
  const { device, address } = await requireOtherSession(user, end);
  return { asked, about: [device, address].filter(Boolean).join(", ") };
}

/** Ends a session or all others. Returns the message about it. */
async function carryOut(user: SessionUser, end: string): Promise<string> {
  if (end !== OTHERS) {
    await endOtherSession(user, end);
    return "The session has been ended.";
  }
  const count = await endOtherSessions(user);
  return count > 0 ? `Other sessions ended: ${count}.` : "You have no other sessions.";
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await readForm(request);
  if (form.has("back")) return typedAgain({}, FORM);
  const end = String(form.get("end") ?? "");
  try {
    if (form.get("confirmed") !== "yes") return json(await ask(user, end));
    return await redirectWithToast(request, paths.sessions, { kind: "ok", text: await carryOut(user, end) });
  } catch (error) {
    return refused(error, {}, FORM);
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

const TEXTS = {
  one: { title: "End session", question: "Are you sure you wish to end this session?", confirmLabel: "End session" },
  others: {
    title: "End all other sessions",
    question: "Are you sure you wish to end all your other sessions, in browsers and in programs?",
    confirmLabel: "End all others",
  },
};

export default function Sessions() {
  const { sessions, isActing } = useLoaderData<typeof loader>();
  const { asked, about } = useActionData<Partial<Question>>() ?? {};
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  return (
    <ConfirmStep
      asked={asked}
      {...TEXTS[asked && asked.end !== OTHERS ? "one" : "others"]}
      details={about && <p>{about}</p>}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} />
        <PageHeader title="Your sessions and devices" back={{ to: paths.userManagement, label: "User Details" }}>
          <p>
            Where your account is logged in. If you do not know one of these sessions, end it and change your password.
          </p>
        </PageHeader>
        <Form method="post" className="stack">
          <CsrfField />
          <SessionsTable caption="Open sessions" sessions={sessions} {...(!isActing && { more: END })} />
          {hasOthers && !isActing && (
            <ButtonRow>
              <SubmitButton name="end" value={OTHERS} variant="danger">
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
    </ConfirmStep>
  );
}

export const meta = pageTitle("Your sessions and devices");
