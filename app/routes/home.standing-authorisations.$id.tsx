import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { EndStandingForm } from "~/components/standing/end-standing-form";
import { OrdersUnder, StandingCards } from "~/components/standing/standing-parts";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { may, rightNeeded } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { needsGrants } from "~/domain/certificates/issuing/granting.service.server";
import {
  approveStanding,
  checkStanding,
  endStandingForStaff,
} from "~/domain/certificates/standing/decisions.service.server";
import { CHECK_STANDING_FORM, END_STANDING_FORM, STANDING_NOTE_LIMIT } from "~/domain/certificates/standing/standing";
import { type StandingAtSigner } from "~/domain/certificates/standing/standing-grants.service.server";
import { checkStandingValidator, endStandingValidator } from "~/domain/certificates/standing/validators";
import { getStandingForStaff, type StaffStandingPage } from "~/domain/certificates/standing/views.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { readId } from "~/lib/ids";
import { staffPaths } from "~/lib/staff-paths";

const INTENTS = ["check", "approve", "end"] as const;
type Intent = (typeof INTENTS)[number];

const END = { title: "End it", button: "End" } as const;
const REJECT = { title: "Do not approve it", button: "Reject" } as const;
const TOLD = "The owners of the company get it.";

const LABELS = { note: "How the contact was asked", reason: "Reason" } as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  const page = await getStandingForStaff(user, readId(params.id));
  const lacks = (task: "check-orders" | "approve-orders") => (may(user, task) ? null : rightNeeded(task));
  return json({
    page,
    whyNotChecked: lacks("check-orders") ?? page.whyNotChecked,
    whyNotApproved: lacks("approve-orders") ?? page.whyNotApproved,
    mayConfirm: may(user, "approve-orders"),
    mayEnd: may(user, "end-orders") && page.endedAt === null,
  });
}

/** Does what a button is for. Returns the message about it, and the page that comes next. */
async function carryOut(intent: Intent, user: SessionUser, id: number, text: string): Promise<[string, string]> {
  const own = staffPaths.standingAuthorisation(id);
  if (intent === "check") {
    await checkStanding(user, id, text);
    return ["The answer of the contact has been recorded.", own];
  }
  if (intent === "approve") {
    await approveStanding(user, id);
    return [`Standing authorisation ${id} is in force.`, (await needsGrants()) ? staffPaths.confirmStanding(id) : own];
  }
  await endStandingForStaff(user, id, text);
  return [`Standing authorisation ${id} has ended.`, own];
}

const FORMS: Record<Intent, string> = {
  check: CHECK_STANDING_FORM,
  approve: CHECK_STANDING_FORM,
  end: END_STANDING_FORM,
};

/** Returns what was typed, or the answer with the rule that it breaks. */
async function typedText(intent: Intent, sent: FormData): Promise<string | Response> {
  if (intent === "approve") return "";
  if (intent === "check") {
    const form = await checkStandingValidator.validate(sent);
    return form.error ? invalid(form.error, form.submittedData) : form.data.note;
  }
  const form = await endStandingValidator.validate(sent);
  return form.error ? invalid(form.error, form.submittedData) : form.data.reason;
}

/** Records the contact's answer, approves the authorisation, or ends it. */
export async function action({ request, params }: ActionFunctionArgs) {
  await requireUser(request, "see-queue");
  const id = readId(params.id);
  const sent = await readForm(request);
  const intent = intentOf<Intent>(sent, INTENTS);
  const task = intent === "check" ? "check-orders" : intent === "approve" ? "approve-orders" : "end-orders";
  const text = await typedText(intent, sent);
  if (typeof text !== "string") return text;
  const user = await requireUser(request, task);
  if (intent === "approve")
    await requireFormStepUp(request, user, { fields: sent }, () => FORM_TASKS.approveStanding(id));
  try {
    const [message, next] = await carryOut(intent, user, id, text);
    return await redirectWithToast(request, next, { kind: "ok", text: message });
  } catch (error) {
    return refused(error, Object.fromEntries(sent), FORMS[intent]);
  }
}

const checkFacts = ({ contact, ...page }: StaffStandingPage) => [
  { term: "Telephone number of the contact", detail: contact.phoneNumber },
  { term: "Contact agreed", detail: page.contactCheckedAt && <Time value={page.contactCheckedAt} withTime /> },
  { term: "Recorded by", detail: page.contactCheckedBy && <bdi>{page.contactCheckedBy}</bdi> },
  { term: "Note", detail: page.contactNote },
  { term: "Approved by", detail: page.approvedBy && <bdi>{page.approvedBy}</bdi> },
];

/** The checks, with the forms of those who may make them. */
function Decision({
  page,
  whyNotChecked,
  whyNotApproved,
}: Omit<ReturnType<typeof useLoaderData<typeof loader>>, "mayEnd" | "mayConfirm">) {
  return (
    <Card title="Checks and approval">
      <DescriptionList hideEmpty items={checkFacts(page)} />
      {page.state === "Waiting" &&
        (whyNotChecked === null ? (
          <PortalForm id={CHECK_STANDING_FORM} validator={checkStandingValidator}>
            <TextareaField
              name="note"
              label={LABELS.note}
              hint="Ask the contact whether the company may order within these limits."
              limit={STANDING_NOTE_LIMIT}
              rows={3}
              required
            />
            <ButtonRow>
              <SubmitButton intent="check" variant="secondary">
                {page.contactCheckedAt === null ? "Record that the contact agrees" : "Record it again"}
              </SubmitButton>
            </ButtonRow>
          </PortalForm>
        ) : (
          <p className="hint">Check: {whyNotChecked}</p>
        ))}
      {page.state === "Waiting" &&
        page.contactCheckedAt !== null &&
        (whyNotApproved === null ? (
          <Form method="post">
            <CsrfField />
            <ButtonRow>
              <SubmitButton intent="approve">Approve</SubmitButton>
            </ButtonRow>
          </Form>
        ) : (
          <p className="hint">Approval: {whyNotApproved}</p>
        ))}
    </Card>
  );
}

interface SignerProps extends StandingAtSigner {
  id: number;
  mayConfirm: boolean;
}

/** What the signer knows of a standing authorisation, and the way to confirm it there. */
const AtSigner = ({ id, text, isConfirmed, mayConfirm }: SignerProps) => (
  <Card title="Signer">
    <p>{text}</p>
    {!isConfirmed && mayConfirm && (
      <ButtonRow>
        <LinkButton to={staffPaths.confirmStanding(id)} variant="primary">
          Confirm to the signer
        </LinkButton>
      </ButtonRow>
    )}
  </Card>
);

/** A standing authorisation for staff: what it covers, the checks, and what was ordered under it. */
export default function StaffStandingAuthorisation() {
  const { mayEnd, mayConfirm, ...shown } = useLoaderData<typeof loader>();
  const { page } = shown;
  return (
    <div className="stack-l">
      <ErrorSummary formId={CHECK_STANDING_FORM} labels={LABELS} />
      <ErrorSummary formId={END_STANDING_FORM} labels={LABELS} />
      <PageHeader
        title={`Standing authorisation ${page.id}`}
        back={{ to: staffPaths.standing, label: "Standing authorisations" }}
      >
        <p>
          <bdi>{page.company}</bdi>: orders within it are issued without a decision about each of them.
        </p>
      </PageHeader>
      <StandingCards page={page} />
      <Decision {...shown} />
      {page.atSigner && <AtSigner id={page.id} {...page.atSigner} mayConfirm={mayConfirm} />}
      <OrdersUnder orders={page.orders} isStaff />
      {mayEnd && <EndStandingForm {...(page.state === "Waiting" ? REJECT : END)} hint={TOLD} />}
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Standing authorisation ${data.page.id}` : "Standing authorisation",
);
