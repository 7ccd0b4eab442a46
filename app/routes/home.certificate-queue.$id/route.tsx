import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ComparisonTable } from "~/components/certificates/comparison-table";
import { AssigneeCard, COMMENT_LABELS, CommentsCard } from "~/components/certificates/order-work";
import { PeopleCard } from "~/components/certificates/people-card";
import {
  Blocking,
  FindingsCard,
  Fold,
  HistoryFold,
  RequestFold,
  TitleBlock,
} from "~/components/certificates/queue-cards";
import { QueueDecision, queueLabels } from "~/components/certificates/queue-decision";
import { RefundNote, UndoIssuing } from "~/components/certificates/queue-notes";
import { ErrorSummary } from "~/components/forms/error-summary";
import { Remount } from "~/components/forms/remount";
import { type AskedAboutOrder, OrderQuestion } from "~/components/orders/order-question";
import { SalesOrderCard } from "~/components/orders/sales-order-form";
import { pageTitle } from "~/components/shell/page-title";
import { useMaybeShell } from "~/components/shell/shell";
import { LinkButton } from "~/components/ui/buttons";
import { CardMessage } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DescriptionList } from "~/components/ui/description-list";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import {
  COMMENT_FORM,
  DECISION_ANCHOR,
  MESSAGE_ANCHOR,
  PAYMENT,
  QUEUE_FORM,
} from "~/domain/certificates/queue/queue-fields";
import { type QueuePlace } from "~/domain/certificates/queue/queue-list.service.server";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { type loader } from "./page.server";
import { type QueueQuestion } from "./questions";
import styles from "~/styles/queue-order.css";

export { action, loader } from "./page.server";

export const links = () => [{ rel: "stylesheet", href: styles }];

/** The texts while no decision waits for an answer. */
const NO_QUESTION = { title: "", question: "", confirmLabel: "" };

/** Where the order stands in the view of the queue, and the ways to its neighbours. */
const Walk = ({ place: { position, total, previous, next } }: { place: QueuePlace }) => (
  <nav className="row" aria-label="Orders of this view">
    {position !== null && (
      <span>
        Order {position} of {total}
      </span>
    )}
    {previous && (
      <LinkButton to={previous} rel="prev">
        Previous
      </LinkButton>
    )}
    {next && (
      <LinkButton to={next} rel="next">
        Next
      </LinkButton>
    )}
    <a className="btn to-decision" href={`#${DECISION_ANCHOR}`}>
      Decide
    </a>
  </nav>
);

export default function QueueOrder() {
  const { order, place } = useLoaderData<typeof loader>();
  const answer = useActionData<AskedAboutOrder & { formId?: string; about?: QueueQuestion }>();
  const unsent = useMaybeShell()?.unsent?.formId;
  const { outcome, checks, decision, subject, sale } = order;
  const labels = queueLabels(checks);
  const asked = answer?.question === undefined ? answer?.asked : undefined;

  return (
    <ConfirmStep
      {...(answer?.about ?? NO_QUESTION)}
      asked={asked}
      cancelLabel="Back"
      details={
        <>
          <p>
            {order.orderNumber}, {subject.commonName}, {subject.organisation}
            {asked?.intent !== "approve" && asked?.decisionReason && `. Reason: ${asked.decisionReason}`}
          </p>
          {(asked?.intent === "reject" || asked?.intent === "cancel") && <RefundNote text={order.refund} />}
        </>
      }
    >
      <OrderQuestion answer={answer}>
        <div className="stack">
          <ErrorSummary formId={QUEUE_FORM} order={Object.keys(labels)} labels={labels} />
          <ErrorSummary formId={SALES_ORDER_FORM} order={Object.keys(SALES_ORDER_LABELS)} labels={SALES_ORDER_LABELS} />
          <ErrorSummary formId={COMMENT_FORM} labels={COMMENT_LABELS} />
          <div id={MESSAGE_ANCHOR} tabIndex={-1}>
            <CardMessage anchor={MESSAGE_ANCHOR} />
          </div>
          <Remount on={String(order.id)}>
            <div className="desk">
              <div className="stack">
                <PageHeader
                  title={`Order ${order.orderNumber}`}
                  back={{ to: place.queue, label: "Back to the queue" }}
                  actions={<Walk place={place} />}
                />
                {outcome && (
                  <Note title={outcome}>
                    <p>
                      {decision.at && <Time value={decision.at} withTime />}
                      {decision.by && (
                        <>
                          {" "}
                          by <bdi>{decision.by}</bdi>
                        </>
                      )}
                      {decision.reason && `: ${decision.reason}`}
                    </p>
                    {order.issuing && order.may.approve && <UndoIssuing {...order.issuing} />}
                  </Note>
                )}
                {(order.status === "Rejected" || order.status === "Cancelled") && <RefundNote text={order.refund} />}
                <TitleBlock order={order} />
                <Blocking order={order} />
                <ComparisonTable {...order.comparison} />
              </div>
              <aside className="stack">
                <QueueDecision order={order}>
                  {place.ready && (
                    <p className="hint">
                      <Link to={place.ready}>Approve all ready orders of this view</Link>
                    </p>
                  )}
                </QueueDecision>
                <AssigneeCard order={order} />
              </aside>
              <div className="stack">
                <FindingsCard order={order} />
                <PeopleCard people={order.people} />
                <CommentsCard order={order} />
                <RequestFold order={order} />
                <Fold
                  title="Invoice and payment"
                  note={sale.note}
                  isOpen={(unsent ?? answer?.formId) === SALES_ORDER_FORM}
                >
                  <DescriptionList items={sale.facts} />
                  <SalesOrderCard title="Invoice and payment" form={order.saleForm} intent={PAYMENT} />
                </Fold>
                <HistoryFold history={order.history} />
              </div>
            </div>
          </Remount>
        </div>
      </OrderQuestion>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Order ${data?.order.orderNumber ?? ""}`);
