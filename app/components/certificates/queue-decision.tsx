import { useActionData } from "@remix-run/react";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { DECISION_ANCHOR, OTHER_NOTE, QUEUE_FORM } from "~/domain/certificates/queue/queue-fields";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { queueValidator } from "~/domain/certificates/validators";
import { FieldError } from "../forms/field-error";
import { PortalForm } from "../forms/form";
import { usePortalField } from "../forms/portal-field";
import { RadioField } from "../forms/radio-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

type Check = QueueOrder["checks"][number];

const REASON = "Reason to reject or cancel";

/** The labels of the form's fields, for the error summary. */
export const queueLabels = (checks: readonly Check[]) => ({
  ...Object.fromEntries(
    checks.flatMap(({ name, title }) => [
      [name, title],
      [`${name}Note`, `${title}, note`],
    ]),
  ),
  decisionReason: REASON,
});

interface Props {
  order: QueueOrder;
  /** Shown below the buttons where checking and approving are separate duties. */
  children?: React.ReactNode;
}

/** The checks and the decision about an order: one form while the order is open, otherwise what was recorded. */
export function QueueDecision({ order, children }: Props) {
  const { checks, outcome, checkBarrier, isCheckable, decision } = order;
  const list = (
    <ol className="checks" role="list">
      {checks.map((check) => (
        <li key={check.name}>
          <CheckItem check={check} order={order} />
          {check.evidence.map(({ id, line }) => (
            <p key={id} className="hint lines">
              {line}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
  const typed = Object.fromEntries(
    checks.flatMap(({ name, note, isDone }): [string, string][] => [
      [name, ""],
      [`${name}Note`, isDone ? "" : (note ?? "")],
    ]),
  );
  return (
    <Card title="Checks and decision" className="decide" anchor={DECISION_ANCHOR}>
      {checkBarrier && <Note>{checkBarrier}</Note>}
      {outcome === null ? (
        <PortalForm
          id={QUEUE_FORM}
          validator={queueValidator}
          defaultValues={{ ...typed, decisionReason: decision.reason ?? "" }}
          {...(isCheckable && { defaultIntent: "record" })}
        >
          {list}
          <Decision order={order} />
          {!order.isOneStep && children}
          {order.may.end && <Ending />}
        </PortalForm>
      ) : (
        list
      )}
    </Card>
  );
}

function CheckItem({ check, order }: { check: Check; order: QueueOrder }) {
  const { title, at, by, note, isDone, isRefused, missing, name } = check;
  const isOpen = order.isCheckable && !isRefused;
  const [tone, text] = isDone ? ["ok", "Done"] : order.outcome ? ["", "Not recorded"] : ["warn", "Missing"];
  const badge = <span className={`tag ${tone}`}>{text}</span>;
  if (isOpen && !isDone) return <CheckFields check={check} badge={badge} />;
  return (
    <>
      <h3>
        {title} {badge}
      </h3>
      <p className="hint">
        {!isDone && missing}
        {at && (
          <>
            {" "}
            Recorded <Time value={at} withTime />
            {by && ` by ${by}`}
            {note && `: ${note}`}
          </>
        )}
      </p>
      {order.isCheckable && isRefused && <p>Staff cannot record a different answer: reject or cancel the order.</p>}
      {isOpen && (name === "contact" ? <UnstoredNote name={name} /> : <Again check={check} />)}
    </>
  );
}

/**
 * The choices of a check. Nothing is chosen beforehand. The hidden value says which record the page shows, so that a newer one is not
 * overwritten.
 */
function CheckFields({ check: { name, title, choices, at }, badge }: { check: Check; badge?: React.ReactNode }) {
  const options = [["", "Not checked yet"], ...choices.map((text) => [text, text]), [OTHER_NOTE, "Other note…"]].map(
    ([value = "", label = ""]) => ({ value, label }),
  );
  return (
    <>
      {name !== "contact" && <input type="hidden" name={`${name}Seen`} value={at ?? ""} />}
      <RadioField
        name={name}
        legend={
          <>
            {title} {badge}
          </>
        }
        options={options}
      />
      <TextField name={`${name}Note`} label={`${title}, note`} hint={`At most ${NOTE_LIMIT} characters.`} />
    </>
  );
}

/** A recorded check can be recorded again, except for the contact's answer. */
function Again({ check }: { check: Check }) {
  const { error } = usePortalField(check.name);
  return (
    <details open={error !== undefined}>
      <summary>Record this check again</summary>
      <CheckFields check={check} />
      <SubmitButton intent="record" variant="secondary">
        Record
      </SubmitButton>
    </details>
  );
}

/** The note for a check that somebody else has recorded meanwhile, so that what was typed is not lost. */
function UnstoredNote({ name }: { name: "contact" }) {
  const { id, error } = usePortalField(name);
  const typed = useActionData<{ repopulateFields?: Partial<Record<string, string>> }>()?.repopulateFields;
  if (!error) return null;
  return (
    <>
      <FieldError fieldId={id} error={error} />
      <p id={id} tabIndex={-1}>
        Your note: {typed?.[name] === OTHER_NOTE ? typed[`${name}Note`] : typed?.[name]}
      </p>
    </>
  );
}

/**
 * The buttons Record and Approve that the user's rights and the four-eyes principle allow. Approving asks first. Whoever may not approve reads
 * who decides.
 */
function Decision({ order }: { order: QueueOrder }) {
  const { checks, waitsFor, isApprovable, isCheckable, isOneStep, approvalBarrier } = order;
  const isOpen = isCheckable && checks.some(({ isDone, isRefused }) => !isDone && !isRefused);
  const approves = isApprovable && (isOneStep || !isOpen);
  return (
    <>
      {approvalBarrier && <Note>{approvalBarrier}</Note>}
      {order.handedOn && <p>{order.handedOn}</p>}
      {waitsFor.length > 0 && (
        <div className="hint">
          <p>The order cannot be approved yet. It waits for:</p>
          <ul>
            {waitsFor.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {approves && <SubmitButton intent="approve">{isOpen ? "Record and approve" : "Approve"}</SubmitButton>}
      {isOpen && (
        <SubmitButton intent="next" variant={approves ? "secondary" : "primary"}>
          Record and next
        </SubmitButton>
      )}
    </>
  );
}

const Ending = () => (
  <>
    <hr />
    <TextareaField name="decisionReason" label={REASON} hint="The customer sees it." rows={2} />
    <div className="pair">
      <SubmitButton intent="reject" variant="caution">
        Reject
      </SubmitButton>
      <SubmitButton intent="cancel" variant="secondary">
        Cancel order
      </SubmitButton>
    </div>
  </>
);
