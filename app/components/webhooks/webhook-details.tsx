import { Form, Link } from "@remix-run/react";
import { type ShownWebhookSecret } from "~/domain/webhooks/endpoints.service.server";
import {
  DELIVERIES_KEPT_DAYS,
  deliveryList,
  type DeliveryListParams,
  ENDPOINT_FORM,
  OVERLAP_HOURS,
} from "~/domain/webhooks/events";
import { webhookValidator } from "~/domain/webhooks/validators";
import { type WebhookDeliveryView, type WebhookView } from "~/domain/webhooks/webhook-views.service.server";
import { accountPaths } from "~/lib/account-paths";
import { CsrfField } from "../forms/csrf-field";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { DataTable } from "../lists/data-table";
import { Pagination } from "../lists/pagination";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ConfirmStep } from "../ui/confirm-step";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { WebhookSecretPage } from "./new-webhook";
import { WEBHOOK_LABELS, WebhookFields } from "./webhook-fields";
import { EventNames } from "./webhook-list";

const factsOf = (webhook: WebhookView) => [
  { term: "State", detail: <StatusBadge status={webhook.state} /> },
  { term: "Address", detail: <bdi>{webhook.url}</bdi> },
  { term: "Description", detail: webhook.description && <bdi>{webhook.description}</bdi> },
  { term: "Events", detail: <EventNames events={webhook.events} /> },
  { term: "Days before the end", detail: webhook.expiryDays.join(", ") },
  { term: "Last delivery", detail: webhook.deliveredAt && <Time value={webhook.deliveredAt} withTime /> },
  { term: "Last failed try", detail: webhook.failedAt && <Time value={webhook.failedAt} withTime /> },
  { term: "Secret made", detail: <Time value={webhook.secretMadeAt} withTime /> },
  {
    term: "Former secret signs until",
    detail: webhook.earlierEndsAt && <Time value={webhook.earlierEndsAt} withTime />,
  },
  { term: "Made", detail: <Time value={webhook.createdAt} withTime /> },
];

const columnsOf = ({ id: webhook }: WebhookView): readonly Column<WebhookDeliveryView>[] => [
  {
    key: "event",
    label: "Event",
    rowHeader: true,
    cell: ({ id, event }) => (
      <Link to={accountPaths.webhookDelivery(webhook, id)} className="mono">
        {event}
      </Link>
    ),
  },
  { key: "queued", label: "Queued", cell: ({ createdAt }) => <Time value={createdAt} withTime /> },
  {
    key: "state",
    label: "State",
    cell: ({ state, lastError }) => (
      <div>
        <StatusBadge status={state} />
        {lastError && <span className="sub">{lastError}</span>}
      </div>
    ),
  },
  { key: "tries", label: "Tries", numeric: true, cell: ({ attempts }) => attempts },
  {
    key: "next",
    label: "Next try",
    cell: ({ nextAttemptAt }) => nextAttemptAt && <Time value={nextAttemptAt} withTime />,
  },
];

/** A form of one button. */
function OneButton({ intent, children, ...rest }: { intent: string } & React.ComponentProps<typeof SubmitButton>) {
  return (
    <Form method="post">
      <CsrfField />
      <SubmitButton intent={intent} variant="secondary" {...rest}>
        {children}
      </SubmitButton>
    </Form>
  );
}

function PausedNote({ pausedAt, pausedWhy }: WebhookView) {
  if (pausedAt === null) return null;
  return (
    <Note tone="warn" title="This webhook is paused.">
      <p>{pausedWhy ?? "An owner of your company has paused it."}</p>
      <p>What happens meanwhile is queued. It is given up after three days, and can be sent again from its page.</p>
    </Note>
  );
}

/** Makes a new secret. The one before it signs too for a while. */
const NewSecretForm = ({ secretMadeAt }: WebhookView) => (
  <Card title="New secret">
    <p>
      For {OVERLAP_HOURS} hours each message has two signatures, one of the new secret and one of the secret before it,
      so that you have time to change the receiver. An older secret ends at once.
    </p>
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="seen" value={secretMadeAt} />
      <SubmitButton intent="secret" variant="secondary">
        Make a new secret
      </SubmitButton>
    </Form>
  </Card>
);

/** What one button does with the webhook. */
const Acts = ({ pausedAt }: WebhookView) => (
  <ButtonRow>
    <OneButton intent="test" busyText="Sending…">
      Send a test event
    </OneButton>
    {pausedAt === null ? <OneButton intent="pause">Pause</OneButton> : <OneButton intent="resume">Resume</OneButton>}
    <OneButton intent="remove" variant="caution">
      Remove the webhook
    </OneButton>
  </ButtonRow>
);

/** What an owner can change: the form and the secret. */
const Changes = ({ webhook }: { webhook: WebhookView }) => (
  <div className="pairs">
    <Card title="Change">
      <PortalForm
        id={ENDPOINT_FORM}
        validator={webhookValidator}
        defaultValues={{ ...webhook, expiryDays: webhook.expiryDays.join(", ") }}
      >
        <WebhookFields />
        <ButtonRow>
          <SubmitButton intent="change">Save</SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
    <NewSecretForm {...webhook} />
  </div>
);

/** The question before a webhook is removed. */
export interface AskedRemoval {
  intent: "remove";
}

interface Props {
  webhook: WebhookView;
  deliveries: { rows: WebhookDeliveryView[]; total: number; pages: number; params: DeliveryListParams };
  mayChange: boolean;
  asked: AskedRemoval | undefined;
  /** A secret that was made just now. */
  shown: ShownWebhookSecret | undefined;
}

/** The page of a webhook: its facts, what was sent to it, and the forms that change it. */
export function WebhookDetails({ webhook, deliveries, mayChange, asked, shown }: Props) {
  if (shown) return <WebhookSecretPage shown={shown} />;
  const { rows, total, pages, params } = deliveries;
  const at = (page: number) => deliveryList.addTo(accountPaths.webhook(webhook.id), params, { page });
  return (
    <ConfirmStep
      asked={asked && { ...asked }}
      title="Remove webhook"
      question="Are you sure you wish to remove this webhook? What was and is to be sent to it is removed, too."
      confirmLabel="Remove"
      cancelTo={accountPaths.webhook(webhook.id)}
      details={
        <p>
          <bdi>{webhook.url}</bdi>
        </p>
      }
    >
      <div className="stack-l">
        <ErrorSummary formId={ENDPOINT_FORM} order={Object.keys(WEBHOOK_LABELS)} labels={WEBHOOK_LABELS} />
        <PageHeader
          title={
            <>
              Webhook to <bdi>{new URL(webhook.url).host}</bdi>
            </>
          }
          back={{ to: accountPaths.webhooks, label: "Webhooks" }}
        />
        <PausedNote {...webhook} />
        {mayChange && <Acts {...webhook} />}
        <Card title="The webhook">
          <DescriptionList items={factsOf(webhook)} />
        </Card>
        {mayChange && <Changes webhook={webhook} />}
        <DataTable
          caption="Deliveries"
          summary={total > 0 ? rangeText({ ...params, total }) : undefined}
          columns={columnsOf(webhook)}
          rows={rows}
          rowKey={({ id }) => id}
          empty="Nothing was sent yet"
        />
        <Pagination page={params.page} pages={pages} href={at} label="Delivery pages" />
        <p className="hint">Deliveries are kept for {DELIVERIES_KEPT_DAYS} days.</p>
      </div>
    </ConfirmStep>
  );
}
