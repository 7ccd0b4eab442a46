import { Form } from "@remix-run/react";
import { COMMENT_LIMIT } from "~/domain/certificates/queue/note-limit";
import { COMMENT_FORM, COMMENTS_ANCHOR, RELEASE, TAKE, WORK_ANCHOR } from "~/domain/certificates/queue/queue-fields";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { orderCommentValidator } from "~/domain/certificates/validators";
import { CsrfField } from "../forms/csrf-field";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Time } from "../ui/time";

/** The labels of the comment form's fields, for the error summary. */
export const COMMENT_LABELS = { comment: "New comment" } as const;

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
          hint="For staff only. Nobody can change or delete it."
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
