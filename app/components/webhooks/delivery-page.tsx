import { Form } from "@remix-run/react";
import { type WebhookDeliveryView, type WebhookView } from "~/domain/webhooks/webhook-views.service.server";
import { accountPaths } from "~/lib/account-paths";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  webhook: WebhookView;
  delivery: WebhookDeliveryView & { body: string };
  mayChange: boolean;
}

/** Something that was or is to be sent to a webhook, with its exact content. */
export function DeliveryPage({ webhook, delivery, mayChange }: Props) {
  const { event, messageId, state, createdAt, attempts, triedAt, nextAttemptAt, statusCode, lastError, body } =
    delivery;
  return (
    <div className="stack-l">
      <PageHeader
        title={<span className="mono">{event}</span>}
        back={{ to: accountPaths.webhook(webhook.id), label: "Back to the webhook" }}
      />
      <Card title="The delivery">
        <DescriptionList
          items={[
            { term: "State", detail: <StatusBadge status={state} /> },
            { term: "Webhook", detail: <bdi>{webhook.url}</bdi> },
            { term: "webhook-id", detail: <span className="mono">{messageId}</span> },
            { term: "Queued", detail: <Time value={createdAt} withTime /> },
            { term: "Tries", detail: String(attempts) },
            { term: "Last try", detail: triedAt && <Time value={triedAt} withTime /> },
            { term: "Status of the answer", detail: statusCode === null ? null : String(statusCode) },
            { term: "Error", detail: lastError },
            { term: "Next try", detail: nextAttemptAt && <Time value={nextAttemptAt} withTime /> },
          ]}
        />
      </Card>
      <Card title="Content">
        <pre className="mono">{body}</pre>
        <CopyButton value={body} label="Copy the content" />
      </Card>
      {mayChange && (
        <Form method="post">
          <CsrfField />
          <ButtonRow>
            <SubmitButton intent="send-again" busyText="Sending…">
              Send again
            </SubmitButton>
          </ButtonRow>
        </Form>
      )}
    </div>
  );
}
