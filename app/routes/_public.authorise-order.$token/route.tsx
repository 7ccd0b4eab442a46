import { Form, useActionData, useLoaderData, useParams, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { AuthorisationDetails } from "~/components/purchase/authorisation-details";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { ConfirmPanel } from "~/components/ui/confirm-panel";
import { DonePanel, Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { type ContactAnswer } from "~/domain/certificates/queue/authorisation.service.server";
import { rarePaths } from "~/lib/rare-paths";
import { type Intent, type loader, type action } from "./page.server";

export { action, loader } from "./page.server";

const QUESTIONS: Record<Intent, { title: string; question: string; confirmLabel: string }> = {
  authorise: {
    title: "Authorise this order",
    question: "Are you sure you wish to authorise this order? This answer can be given once.",
    confirmLabel: "Authorise",
  },
  refuse: {
    title: "Refuse this order",
    question: "Are you sure you wish to refuse this order? This answer can be given once.",
    confirmLabel: "Refuse",
  },
};

/** The answer has used up the link. Loading its order again would count as a try with a wrong link. */
export const shouldRevalidate = ({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  !(actionResult as { answered?: unknown } | undefined)?.answered && defaultShouldRevalidate;

export default function AuthoriseOrder() {
  const { authorisation } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const { token = "" } = useParams();
  if (outcome?.answered) return <Answered answer={outcome.answered} />;
  if (!authorisation) return <DeadLink />;
  const details = <AuthorisationDetails {...authorisation} />;
  if (outcome?.asked && !(outcome.asked === "authorise" && authorisation.barrier)) {
    const { asked } = outcome;
    const variant = asked === "refuse" ? "danger" : "primary";
    return (
      <ConfirmPanel
        {...QUESTIONS[asked]}
        variant={variant}
        cancelTo={rarePaths.authoriseOrder(token)}
        fields={{ intent: asked }}
      >
        {details}
      </ConfirmPanel>
    );
  }
  return (
    <div className="narrow stack-l">
      <PageHeader title={`Authorise order ${authorisation.orderNumber}`}>{introduction(authorisation)}</PageHeader>
      {authorisation.barrier && (
        <Note tone="warn" title="You cannot authorise this order">
          <p>{authorisation.barrier}</p>
          <p>
            {authorisation.isNamesake
              ? "If you are another person, there is nothing to do: we call you through your organisation and record your answer."
              : "Please tell us who else at the organisation can authorise it. Staff ask that person and record the answer."}{" "}
            You can refuse the order.
          </p>
        </Note>
      )}
      {details}
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          {authorisation.barrier === null && <SubmitButton intent="authorise">Authorise</SubmitButton>}
          <SubmitButton intent="refuse" variant="caution">
            Refuse
          </SubmitButton>
        </ButtonRow>
      </Form>
    </div>
  );
}

/** Says what the contact is asked to authorise. */
function introduction({ renewed, replaced, corrected }: Record<"renewed" | "replaced" | "corrected", unknown>): string {
  const successor = replaced ? "replacement" : corrected ? "correction" : renewed ? "renewal" : null;
  const ordered = successor === null ? "certificate order" : `${successor} of a certificate`;
  const named = `One of our customers has named you as the person who can authorise this ${ordered} for your organisation. Nothing is issued without your answer.`;
  if (replaced) return `${named} The new certificate has a new key. Everything else stays as it is.`;
  const stated = `${named} The customer stated the details below; we have not checked them yet.`;
  return corrected ? `${stated} When the new certificate is in use, the one that it corrects is revoked.` : stated;
}

function Answered({ answer }: { answer: ContactAnswer }) {
  return (
    <div className="narrow">
      <DonePanel title={answer === "authorised" ? "Order authorised" : "Order refused"}>
        <p>
          {answer === "authorised"
            ? "Thank you. We continue with our identity checks and then issue the certificate."
            : "Thank you. No certificate is issued for this order, and we will look into it."}
        </p>
      </DonePanel>
    </div>
  );
}

function DeadLink() {
  return (
    <div className="narrow">
      <PageHeader title="This link cannot be used">
        It was used already, is older than 30 days, is not complete, or the order needs no answer any more. If you want
        to change an answer, please contact us.
      </PageHeader>
    </div>
  );
}

export const meta = pageTitle("Authorise order");
