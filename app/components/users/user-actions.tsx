import {
  ACTION_CARDS,
  ACTION_REASON_LIMIT,
  userActionTexts,
} from "~/domain/accounts/administration/user-administration-texts";
import { type AdministeredUserView } from "~/domain/accounts/administration/user-administration-view.server";
import { type UserAction } from "~/domain/accounts/administration/user-administration.policy";
import { RIGHT_NAMES, RIGHTS } from "~/domain/accounts/rights.policy";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, type ButtonVariant, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Time } from "../ui/time";

/** The labels of the page's fields, for its error summary. */
export const USER_LABELS = {
  reason: "Reason for locking or disabling the account, resetting its second factors, or erasing the data",
};

interface Props {
  barriers: AdministeredUserView["barriers"];
}

interface ActionProps extends Props {
  action: UserAction;
  variant?: ButtonVariant;
}

function Action({ barriers, action, variant = "secondary" }: ActionProps) {
  if (barriers[action]) return null;
  return (
    <SubmitButton intent={action} variant={variant}>
      {userActionTexts(action).button}
    </SubmitButton>
  );
}

interface LogInProps extends Props {
  hasFactor: boolean;
}

interface DisablingProps extends LogInProps {
  isDisabled: boolean;
}

/**
 * A button that is always shown. When the action is not possible it is greyed, with the reason beside it. Without scripts the server gives
 * the reason.
 */
function ExplainedAction({ barriers, action, variant = "secondary" }: ActionProps) {
  const reason = barriers[action];
  if (!reason) return <Action barriers={barriers} action={action} variant={variant} />;
  const id = `why-not-${action}`;
  return (
    <>
      <SubmitButton intent={action} variant="secondary" aria-disabled aria-describedby={id}>
        {userActionTexts(action).button}
      </SubmitButton>
      <span id={id} className="hint">
        {reason}
      </span>
    </>
  );
}

export function LogInCard({ barriers, hasFactor }: LogInProps) {
  const isDisabled = barriers.enable === null;
  return (
    <Card title="Login" level={3} anchor={ACTION_CARDS.login}>
      <ButtonRow>
        <ExplainedAction barriers={barriers} action="log-in-as" />
        <Action barriers={barriers} action="unlock" />
        <Action barriers={barriers} action="enable" />
        <Action barriers={barriers} action="send-verification" />
        {!isDisabled && <ExplainedAction barriers={barriers} action="send-reset-link" />}
        <Action barriers={barriers} action="withdraw-email" />
        <Action barriers={barriers} action="end-sessions" />
        <Action barriers={barriers} action="unlink-sign-on" />
      </ButtonRow>
      {barriers["log-in-as"] === null && (
        <p className="hint">When logged in as the user, you can correct the company, its numbers and its addresses.</p>
      )}
      <Disabling barriers={barriers} hasFactor={hasFactor} isDisabled={isDisabled} />
    </Card>
  );
}

const WITH_REASON = ["disable", "lock", "reset-factors", "erase"] as const satisfies readonly UserAction[];

function Disabling({ barriers, hasFactor, isDisabled }: DisablingProps) {
  return (
    <>
      <hr />
      {WITH_REASON.some((action) => barriers[action] === null) && (
        <TextareaField
          name="reason"
          label={USER_LABELS.reason}
          hint="Kept in the audit trail; the user does not see it. Do not name people: an erasure replaces the person of this account here, but nobody else."
          limit={ACTION_REASON_LIMIT}
          rows={3}
        />
      )}
      <ButtonRow>
        <Action barriers={barriers} action="lock" variant="caution" />
        {!isDisabled && <ExplainedAction barriers={barriers} action="disable" variant="caution" />}
        {hasFactor && !isDisabled && <ExplainedAction barriers={barriers} action="reset-factors" variant="caution" />}
        <ExplainedAction barriers={barriers} action="erase" variant="caution" />
      </ButtonRow>
    </>
  );
}

type Held = AdministeredUserView["rights"][number];

/** The rights of an account with who granted them and when, and a button for each right. */
export function RightsCard({ barriers, rights }: Props & { rights: readonly Held[] }) {
  const held = rights.map(({ right }) => right);
  return (
    <Card title="Rights" level={3} anchor={ACTION_CARDS.rights}>
      <p>{rights.length === 0 ? "The account has no right." : `The account has the ${heldText(rights)}.`}</p>
      {RIGHTS.map((right) => (
        <div key={right} className="row spread">
          <span>
            {RIGHT_NAMES[right]} <Grant held={rights.find((one) => one.right === right)} />
          </span>
          {held.includes(right) ? (
            <ExplainedAction barriers={barriers} action={`withdraw-${right}`} />
          ) : (
            <ExplainedAction barriers={barriers} action={`grant-${right}`} />
          )}
        </div>
      ))}
    </Card>
  );
}

/** Returns rights as words: `right Applicant`, `rights Applicant, Finance and Auditor`. */
const heldText = (rights: readonly Held[]) =>
  `${rights.length === 1 ? "right" : "rights"} ${LIST.format(rights.map(({ name }) => name))}`;
const LIST = new Intl.ListFormat("en-GB");

/** Says who granted a right and when, or that a group of the identity provider gives it. For Applicant and Admin the audit trail says it. */
function Grant({ held }: { held: Held | undefined }) {
  if (held?.isFromGroups)
    return <span className="hint">given by a group at the identity provider, which every login checks</span>;
  if (!held?.grantedAt) return null;
  return (
    <span className="hint">
      granted by <bdi>{held.grantedBy}</bdi>, <Time value={held.grantedAt} withTime />
    </span>
  );
}
