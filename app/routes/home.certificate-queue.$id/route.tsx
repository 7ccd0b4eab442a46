import { useActionData, useLoaderData } from "@remix-run/react";
import { CheckCards, DecisionCard, PAYMENT, QUEUE_LABELS, typedNotes } from "~/components/certificates/check-cards";
import { LintNote } from "~/components/certificates/lint-note";
import { PeopleCard } from "~/components/certificates/people-card";
import { ContactCards, CustomerCard, RequestCard, SaleCard } from "~/components/certificates/queue-cards";
import { RefundNote, UndoIssuing } from "~/components/certificates/queue-notes";
import { NO_QUESTION, QUEUE_QUESTIONS } from "~/components/certificates/queue-questions";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { type AskedAboutOrder, OrderQuestion } from "~/components/orders/order-question";
import { SalesOrderCard } from "~/components/orders/sales-order-form";
import { pageTitle } from "~/components/shell/page-title";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { QUEUE_FORM } from "~/domain/certificates/queue/queue-fields";
import { queueValidator } from "~/domain/certificates/validators";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function QueueOrder() {
  const { order } = useLoaderData<typeof loader>();
  const answer = useActionData<AskedAboutOrder>();
  const { outcome, checks, decision, subject } = order;
  const asked = answer?.question === undefined ? answer?.asked : undefined;

  return (
    <ConfirmStep
      {...(QUEUE_QUESTIONS[asked?.intent ?? ""] ?? NO_QUESTION)}
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
        <div className="stack-l">
          <ErrorSummary formId={QUEUE_FORM} labels={QUEUE_LABELS} />
          <ErrorSummary formId={SALES_ORDER_FORM} order={Object.keys(SALES_ORDER_LABELS)} labels={SALES_ORDER_LABELS} />
          <PageHeader
            title={`Order ${order.orderNumber}`}
            back={{ to: paths.certificateQueue, label: "Back to the queue" }}
          >
            <p>
              {subject.commonName}, requested <Time value={order.requestedAt} withTime />
            </p>
          </PageHeader>
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
          <LintNote lints={order.lints} />
          <div className="columns">
            <CustomerCard customer={order.customer} />
            <PeopleCard people={order.people} />
            <ContactCards {...order} />
            <RequestCard order={order} />
            <SaleCard sale={order.sale} />
            <SalesOrderCard title="Invoice and Payment" form={order.saleForm} intent={PAYMENT} />
          </div>
          <section className="stack" aria-labelledby="checks-heading">
            <h2 id="checks-heading">Checks</h2>
            {outcome === null ? (
              <PortalForm
                id={QUEUE_FORM}
                validator={queueValidator}
                defaultValues={{ ...typedNotes(checks), decisionReason: decision.reason ?? "" }}
                className="stack"
              >
                <CheckCards checks={checks} isOpen={order.isCheckable} barrier={order.checkBarrier} />
                <DecisionCard {...order} />
              </PortalForm>
            ) : (
              <CheckCards checks={checks} isOpen={false} hasEnded />
            )}
          </section>
        </div>
      </OrderQuestion>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Order ${data?.order.orderNumber ?? ""}`);
