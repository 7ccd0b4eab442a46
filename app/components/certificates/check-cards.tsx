import { CHECK_TITLES } from "~/domain/certificates/queue/checks.policy";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { checkAnchor } from "~/domain/certificates/queue/queue-fields";
import { type QueueOrder } from "~/domain/certificates/queue/queue.service.server";
import { usePortalField } from "../forms/portal-field";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface CheckTexts {
  title: string;
  /** The label of the note. */
  label: string;
  hint: string;
  button: string;
}

const TEXTS = {
  contact: {
    title: CHECK_TITLES.contact,
    label: "Note on the contact's authorisation",
    hint: "When and how the contact authorised the order, for example by telephone. The contact's own link records it too.",
    button: "Record Authorisation",
  },
  organisation: {
    title: CHECK_TITLES.organisation,
    label: "Note on the organisation's document",
    hint: "Which document proves that the organisation exists, and where it was seen.",
    button: "Record Document",
  },
  csr: {
    title: CHECK_TITLES.csr,
    label: "Note on the CSR",
    hint: "Why names, organisation and country of the CSR agree with the company.",
    button: "Record Comparison",
  },
} as const satisfies Record<string, CheckTexts>;

type RecordedCheck = keyof typeof TEXTS;

/** The intent of the form with the invoice and the payment. */
export const PAYMENT = "payment";

/** The labels of the page's fields, for its error summary. */
export const QUEUE_LABELS = {
  contactNote: TEXTS.contact.label,
  organisationNote: TEXTS.organisation.label,
  csrNote: TEXTS.csr.label,
  decisionReason: "Reason for the rejection or the cancellation",
};

const noteOf = (name: RecordedCheck) => `${name}Note` as const;

const isRecorded = (name: string): name is RecordedCheck => name in TEXTS;

/** The typed notes of checks that are not recorded yet. */
export const typedNotes = (checks: QueueOrder["checks"]) =>
  Object.fromEntries(checks.flatMap(({ name, note }) => (isRecorded(name) ? [[noteOf(name), note ?? ""]] : [])));

interface CheckProps {
  checks: QueueOrder["checks"];
  /** Whether the user can record checks. */
  isOpen: boolean;
  /** Whether the order is decided, so that a check that was not recorded is not missing any more. */
  hasEnded?: boolean;
  /** Why the four-eyes principle keeps the user from recording them, or null. */
  barrier?: string | null;
}

export function CheckCards({ checks, barrier, ...state }: CheckProps) {
  return (
    <>
      {barrier && <Note>{barrier}</Note>}
      {checks.map((check) =>
        isRecorded(check.name) ? <CheckCard key={check.name} check={check} name={check.name} {...state} /> : null,
      )}
    </>
  );
}

type Check = QueueOrder["checks"][number];

interface CardProps extends Pick<CheckProps, "isOpen" | "hasEnded"> {
  check: Check;
  name: RecordedCheck;
}

function CheckCard({ check, name, isOpen, hasEnded }: CardProps) {
  const texts = TEXTS[name];
  return (
    <Card
      title={texts.title}
      level={3}
      anchor={checkAnchor(name)}
      actions={<CheckBadge isDone={check.isDone} hasEnded={hasEnded} />}
    >
      <CheckRecord check={check} />
      {isOpen && check.isRefused && <p>Staff cannot record a different answer: reject or cancel the order.</p>}
      {isOpen && !check.isRefused && <CheckFields name={name} check={check} />}
    </Card>
  );
}

function CheckBadge({ isDone, hasEnded }: { isDone: boolean; hasEnded?: boolean }) {
  if (isDone) return <Badge tone="ok">Done</Badge>;
  return hasEnded ? <Badge tone="mute">Not recorded</Badge> : <Badge tone="warn">Missing</Badge>;
}

/**
 * The form of a check. Its hidden value says which record the page shows, so that a newer one is not overwritten. A recorded check can be
 * recorded again, except for the contact's answer; its field only shows a note that was not stored. The elements stay the same when
 * a check turns out to be recorded, so that the browser keeps what was typed.
 */
function CheckFields({ name, check: { isDone, at } }: { name: RecordedCheck; check: Check }) {
  const { label, hint, button } = TEXTS[name];
  const { error } = usePortalField(noteOf(name));
  const isFinal = isDone && name === "contact";
  if (isFinal && !error) return null;
  return (
    <details open={!isDone || error !== undefined}>
      <summary hidden={!isDone}>{isFinal ? "Your note" : "Record this check again"}</summary>
      <div className="stack">
        {name !== "contact" && <input type="hidden" name={`${name}Seen`} value={at ?? ""} />}
        <TextareaField name={noteOf(name)} label={label} hint={hint} limit={NOTE_LIMIT} rows={3} />
        {!isFinal && (
          <ButtonRow>
            <SubmitButton intent={name} variant="secondary">
              {button}
            </SubmitButton>
          </ButtonRow>
        )}
      </div>
    </details>
  );
}

function CheckRecord({ check: { at, by, note, isDone, missing } }: { check: Check }) {
  if (!at) return <p>{missing}</p>;
  return (
    <p>
      {!isDone && `${missing} `}
      Recorded <Time value={at} withTime />
      {by && ` by ${by}`}
      {note && `: ${note}`}
    </p>
  );
}

type Decision = Pick<QueueOrder, "checks" | "waitsFor" | "isApprovable" | "approvalBarrier" | "may">;

/**
 * The buttons Approve, Reject and Cancel that the user's rights and the four-eyes principle allow. Each asks first. Whoever may not approve
 * reads who decides.
 */
export function DecisionCard({ checks, waitsFor, isApprovable, approvalBarrier, may }: Decision) {
  const isReadyForOther = !may.approve && checks.every(({ isDone }) => isDone);
  return (
    <Card title="Decision" level={3} anchor={checkAnchor(null)}>
      {approvalBarrier && <Note>{approvalBarrier}</Note>}
      {isReadyForOther && <p>Every check is recorded. An approver decides about the order now.</p>}
      {waitsFor.length > 0 && (
        <>
          <p>The order cannot be approved yet. It waits for:</p>
          <ul>
            {waitsFor.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      {isApprovable && (
        <ButtonRow>
          <SubmitButton intent="approve">Approve</SubmitButton>
        </ButtonRow>
      )}
      {isApprovable && may.end && <hr />}
      {may.end && <EndingFields />}
    </Card>
  );
}

function EndingFields() {
  return (
    <>
      <TextareaField
        name="decisionReason"
        label={QUEUE_LABELS.decisionReason}
        hint="The customer receives it by email and sees it with the order."
        limit={NOTE_LIMIT}
        rows={3}
      />
      <ButtonRow>
        <SubmitButton intent="reject" variant="danger">
          Reject
        </SubmitButton>
        <SubmitButton intent="cancel" variant="secondary">
          Cancel Order
        </SubmitButton>
      </ButtonRow>
    </>
  );
}
