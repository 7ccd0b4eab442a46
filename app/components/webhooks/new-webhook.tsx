import { type ShownWebhookSecret } from "~/domain/webhooks/endpoints.service.server";
import { ENDPOINT_FORM } from "~/domain/webhooks/events";
import { webhookValidator } from "~/domain/webhooks/validators";
import { accountPaths } from "~/lib/account-paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";
import { WEBHOOK_LABELS, WebhookFields } from "./webhook-fields";

/** The secret of a webhook, which is shown once only. */
export function WebhookSecretPage({ shown }: { shown: ShownWebhookSecret }) {
  return (
    <div className="narrow stack-l">
      <PageHeader title="The secret of the webhook" />
      <Note tone="warn" title="This secret is shown only now.">
        <p>Give it to the receiver, which verifies with it that a message comes from us. Nobody can show it again.</p>
      </Note>
      <DescriptionList items={[{ term: "Secret", detail: <span className="mono">{shown.secret}</span> }]} />
      <CopyButton value={shown.secret} label="Copy the secret" />
      <p>
        <LinkButton to={accountPaths.webhook(shown.id)} variant="primary">
          I have stored the secret
        </LinkButton>
      </p>
    </div>
  );
}

/** The form of a new webhook, and after it the secret. */
export function NewWebhook({ shown }: { shown: ShownWebhookSecret | undefined }) {
  if (shown) return <WebhookSecretPage shown={shown} />;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={ENDPOINT_FORM} order={Object.keys(WEBHOOK_LABELS)} labels={WEBHOOK_LABELS} />
      <PageHeader title="New webhook" back={{ to: accountPaths.webhooks, label: "Webhooks" }}>
        <p>The next page shows the secret with which the receiver verifies our signature, once.</p>
      </PageHeader>
      <PortalForm id={ENDPOINT_FORM} validator={webhookValidator} defaultValues={{ expiryDays: "30, 14, 7" }}>
        <WebhookFields />
        <ButtonRow>
          <SubmitButton busyText="Making the webhook…">Make the webhook</SubmitButton>
          <LinkButton to={accountPaths.webhooks}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}
