import { Form } from "@remix-run/react";
import { COMMENT_LIMIT, REFERENCE_LIMIT } from "~/domain/certificates/queue/note-limit";
import {
  COMMENT_FORM,
  COMMENTS_ANCHOR,
  EVIDENCE_FORM,
  RELEASE,
  TAKE,
  WORK_ANCHOR,
} from "~/domain/certificates/queue/queue-fields";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { evidenceValidator, orderCommentValidator } from "~/domain/certificates/validators";
import { CsrfField } from "../forms/csrf-field";
import { PortalForm } from "../forms/form";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Time } from "../ui/time";
import { Fold } from "./queue-cards";

/** The labels of the comment form's fields, for the error summary. */
export const COMMENT_LABELS = { comment: "New comment" } as const;

/** The labels of the evidence form's fields, for the error summary. */
export const EVIDENCE_LABELS = { check: "For the check", text: "What was found", reference: "Document" } as const;

/** Who works on an order, and the button that changes it while the order is open. */
export function AssigneeCard({ order: { assignee, outcome, may } }: { order: QueueOrder }) {
  if (outcome !== null && !assignee) return null;
  const isChangeable = outcome === null && may.work;
  const workIntent = assignee?.isOwn ? RELEASE : TAKE;
  return (
    <Card title="Who works on it" anchor={WORK_ANCHOR}>
      <Form method="post" className="row spread">
        <CsrfField />
        <input type="hidden" name="seen" value={assignee?.id ?? ""} />
        <p>
          {assignee ? (
            <>
              <bdi>{assignee.name}</bdi>
              {assignee.isOwn && " (you)"}, since <Time value={assignee.at} withTime toMinute />
            </>
          ) : (
            "Nobody yet"
          )}
        </p>
        {isChangeable && (
          <SubmitButton intent={workIntent} variant="secondary" small>
            {assignee?.isOwn ? "Release" : assignee ? "Take over" : "Take"}
          </SubmitButton>
        )}
      </Form>
    </Card>
  );
}

/** What staff have written about an order for each other, and the form that adds a comment. */
export const CommentsCard = ({ order: { comments, may } }: { order: QueueOrder }) => (
  <Card title="Comments of staff" anchor={COMMENTS_ANCHOR}>
    <ol className="log" role="list">
      {comments.map(({ id, text, by, writtenAt }) => (
        <li key={id}>
          <Time value={writtenAt} withTime toMinute />
          <div>
            <bdi>{by}</bdi>
            <div className="lines">{text}</div>
          </div>
        </li>
      ))}
    </ol>
    {may.work && (
      <PortalForm key={comments[0]?.id} id={COMMENT_FORM} validator={orderCommentValidator} className="form">
        <input type="hidden" name="seen" value={comments[0]?.id ?? 0} />
        <TextareaField
          name="comment"
          label={COMMENT_LABELS.comment}
          hint="Staff read it, the customer does not. Nobody can change or delete it."
          limit={COMMENT_LIMIT}
          rows={2}
        />
        <ButtonRow>
          <SubmitButton intent={COMMENT_FORM} variant="secondary">
            Add comment
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    )}
  </Card>
);

/** The form that adds evidence to a check without recording the check, for whoever may record it. */
export function EvidenceFold({ order: { checks, isCheckable }, isOpen }: { order: QueueOrder; isOpen: boolean }) {
  if (!isCheckable) return null;
  const given = checks.flatMap(({ evidence }) => evidence).length;
  return (
    <Fold key={given} title="Add evidence" note="what a register or a directory says" isOpen={isOpen}>
      <PortalForm id={EVIDENCE_FORM} validator={evidenceValidator} className="form">
        <SelectField
          name="check"
          label={EVIDENCE_LABELS.check}
          placeholder="Select a check"
          options={checks.map(({ name, title }) => ({ value: name, label: title }))}
        />
        <TextareaField
          name="text"
          label={EVIDENCE_LABELS.text}
          hint="Staff read it beside the check. It does not record the check, and nobody can change or delete it."
          limit={COMMENT_LIMIT}
          rows={2}
        />
        <TextField
          name="reference"
          label={EVIDENCE_LABELS.reference}
          hint="Its number or address."
          maxLength={REFERENCE_LIMIT}
          autoComplete="off"
          optional
        />
        <ButtonRow>
          <SubmitButton intent={EVIDENCE_FORM} variant="secondary">
            Add evidence
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Fold>
  );
}
