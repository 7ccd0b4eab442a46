import { Link } from "@remix-run/react";
import { MOST_ENDPOINTS } from "~/domain/webhooks/events";
import { type WebhookView } from "~/domain/webhooks/webhook-views.service.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

/** The names of events, each on a line. */
export const EventNames = ({ events }: Pick<WebhookView, "events">) => (
  <div>
    {events.map((event) => (
      <span key={event} className="sub mono">
        {event}
      </span>
    ))}
  </div>
);

const COLUMNS: readonly Column<WebhookView>[] = [
  {
    key: "address",
    label: "Webhook",
    rowHeader: true,
    cell: ({ id, url, description }) => (
      <div>
        <Link to={accountPaths.webhook(id)}>
          <bdi>{url}</bdi>
        </Link>
        {description && (
          <span className="sub">
            <bdi>{description}</bdi>
          </span>
        )}
      </div>
    ),
  },
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "events", label: "Events", cell: ({ events }) => <EventNames events={events} /> },
  {
    key: "delivered",
    label: "Last delivery",
    cell: ({ deliveredAt }) => (deliveredAt === null ? "None" : <Time value={deliveredAt} withTime />),
  },
];

/** The webhooks of a company. */
export function WebhookList({ webhooks, mayChange }: { webhooks: readonly WebhookView[]; mayChange: boolean }) {
  return (
    <div className="stack-l">
      <PageHeader
        title="Webhooks"
        back={{ to: paths.company, label: "Your company" }}
        actions={
          mayChange &&
          webhooks.length < MOST_ENDPOINTS && (
            <LinkButton to={accountPaths.newWebhook} variant="primary">
              New webhook
            </LinkButton>
          )
        }
      >
        <p>
          A webhook tells a program of yours what happens: the portal sends a signed message to its address when an
          order is placed or ends, a certificate is issued, revoked or ends soon, an invoice is issued, or a code is
          registered.
        </p>
        {webhooks.length >= MOST_ENDPOINTS && <p>A company has {MOST_ENDPOINTS} webhooks at most.</p>}
      </PageHeader>
      <DataTable
        caption="Webhooks"
        columns={COLUMNS}
        rows={webhooks}
        rowKey={({ id }) => String(id)}
        empty="No webhooks"
      />
    </div>
  );
}
