import { Form, Link } from "@remix-run/react";
import { type WaitingRequest } from "~/domain/accounts/administration/dual-control-view.server";
import { type WaitingErasure } from "~/domain/accounts/personal-data/erasure.service.server";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

/** The requests about an account that wait for a second user administrator, with the buttons to decide them. */
export function WaitingRequests({ requests }: { requests: readonly WaitingRequest[] }) {
  return requests.map((request) => (
    <Note key={request.id} tone="warn" title="A request waits for a second user administrator.">
      <p>
        <bdi>{request.requestedBy}</bdi> asked <Time value={request.requestedAt} withTime /> {request.what}. It can be
        decided until <Time value={request.expiresAt} withTime />.
      </p>
      {request.reason && (
        <p>
          Reason: <bdi>{request.reason}</bdi>
        </p>
      )}
      {request.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {request.mayDecide && request.barrier && <p>{request.barrier}</p>}
      {request.mayWithdraw && (
        <Form method="post">
          <CsrfField />
          <input type="hidden" name="request" value={request.id} />
          <SubmitButton intent="refuse-request" variant="secondary">
            Withdraw request
          </SubmitButton>
        </Form>
      )}
      {request.mayRefuseOwn && (
        <Form method="post">
          <CsrfField />
          <input type="hidden" name="request" value={request.id} />
          <SubmitButton intent="refuse-request" variant="secondary">
            Refuse request
          </SubmitButton>
        </Form>
      )}
      {request.mayDecide && !request.barrier && (
        <Form method="post">
          <CsrfField />
          <input type="hidden" name="request" value={request.id} />
          <ButtonRow>
            <SubmitButton intent="approve-request">Approve request</SubmitButton>
            <SubmitButton intent="refuse-request" variant="secondary">
              Refuse request
            </SubmitButton>
          </ButtonRow>
        </Form>
      )}
    </Note>
  ));
}

/** Links to the accounts with requests that wait for a second user administrator. */
export function WaitingRequestList({ requests }: { requests: readonly WaitingRequest[] }) {
  if (requests.length === 0) return null;
  return (
    <Note tone="warn" title="Requests that wait for a second user administrator">
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <Link to={paths.user(request.userId)}>
              <bdi>{request.name}</bdi>
            </Link>
            : <bdi>{request.requestedBy}</bdi> asks {request.what}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** Links to the accounts whose persons ask for the erasure of their data. */
export function WaitingErasureList({ erasures }: { erasures: readonly WaitingErasure[] }) {
  if (erasures.length === 0) return null;
  return (
    <Note tone="warn" title="People who ask for the erasure of their data">
      <ul>
        {erasures.map(({ id, name, requestedAt, isEmailConfirmed }) => (
          <li key={id}>
            <Link to={paths.user(id)}>
              <bdi>{name}</bdi>
            </Link>
            , asked <Time value={requestedAt} withTime />
            {!isEmailConfirmed && ", email address not confirmed"}
          </li>
        ))}
      </ul>
    </Note>
  );
}
