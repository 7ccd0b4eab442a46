import { Form, Link, useLoaderData } from "@remix-run/react";
import { CorrectionsCard } from "~/components/corrections/corrections-card";
import { CsrfField } from "~/components/forms/csrf-field";
import { TotalsTable } from "~/components/orders/order-summary";
import { OrderProgress } from "~/components/orders/progress";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { documentLabel } from "~/domain/orders/invoices/invoice-content";
import { type OwnOrderDetails } from "~/domain/orders/own/own-order.service.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { correctionPath } from "~/lib/correction-path";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { type loader } from "./page.server";
import styles from "~/styles/progress.css";

export { action, loader } from "./page.server";

export const links = () => [{ rel: "stylesheet", href: styles }];

/** What can be done about the contact while the answer is missing. */
const ContactActions = ({ id, may }: Pick<OwnOrderDetails, "id" | "may">) =>
  may.change && (
    <Form method="post" className="row no-print">
      <CsrfField />
      {may.remind && <SubmitButton intent="remind">Send to the contact again</SubmitButton>}
      <LinkButton to={rarePaths.orderContact(id)}>Change the contact</LinkButton>
      {may.remindFrom !== null && (
        <p className="hint">
          You can send the message again from <Time value={may.remindFrom} withTime />.
        </p>
      )}
    </Form>
  );

/** Sends the link that confirms the user's own email address again. */
const EmailAction = ({ id, may }: Pick<OwnOrderDetails, "id" | "may">) =>
  may.confirmEmail && (
    <Form method="post" action={paths.resendVerification(paths.order(id))} className="row no-print">
      <CsrfField />
      <SubmitButton>Send the link again</SubmitButton>
    </Form>
  );

/** The page of the certificate has the form with the reason, asks, and leads back to this page. */
const CancelAction = ({ certificateId, may }: Pick<OwnOrderDetails, "certificateId" | "may">) =>
  may.cancel &&
  certificateId !== null && <LinkButton to={certificatePaths.cancelOrder(certificateId)}>Cancel order…</LinkButton>;

function Documents({
  documents,
  payment,
  noDocuments,
  certificateId,
  may,
}: Pick<OwnOrderDetails, "documents" | "payment" | "noDocuments" | "certificateId" | "may">) {
  const hasCsr = may.csr && certificateId !== null;
  return (
    <Card title="Documents">
      {documents.length === 0 && <p>{noDocuments}</p>}
      {payment !== null && <p>{payment}</p>}
      <ul role="list" className="stack">
        {documents.map((document) => (
          <li key={document.id}>
            <DownloadLink href={paths.invoice(document.id)}>{documentLabel(document)}</DownloadLink>
          </li>
        ))}
        {hasCsr && (
          <li>
            <DownloadLink href={rarePaths.certificateCsr(certificateId)}>CSR as submitted</DownloadLink>
          </li>
        )}
      </ul>
    </Card>
  );
}

/** An order with how far it has come, what was ordered, and its documents. */
export default function Order() {
  const order = useLoaderData<typeof loader>();
  const { steps, certificateId } = order;
  const done = steps.filter(({ state }) => state === "done").length;
  return (
    <div className="stack-l">
      <PageHeader
        title={`Order ${order.orderNumber}`}
        back={{ to: paths.orders, label: "Orders" }}
        actions={<CancelAction {...order} />}
      >
        <p>
          <bdi>{order.what}</bdi>. {order.progress}.
        </p>
      </PageHeader>
      <div className="order-page">
        <Card title="Progress">
          <p className="hint">
            {done} of {steps.length} done
          </p>
          <OrderProgress
            steps={steps}
            actions={{ contact: <ContactActions {...order} />, email: <EmailAction {...order} /> }}
          />
          {certificateId !== null && (
            <p className="no-print">
              <Link to={paths.certificateDetails(certificateId)}>
                {order.hasCertificate ? "See the certificate" : "See the request"}
              </Link>
            </p>
          )}
        </Card>
        <div className="stack">
          <Card title="What you ordered">
            <DescriptionList items={order.facts} hideEmpty />
            <TotalsTable
              caption="What the order costs"
              lines={order.lines}
              total={{ label: "Total", value: order.total }}
            />
          </Card>
          <Documents {...order} />
          <CorrectionsCard corrections={order.corrections} settlement={order.settlement} />
          {order.mayCorrect && (
            <p className="no-print">
              Something typed wrongly? <Link to={correctionPath(order.id)}>Correct it</Link>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Order ${data?.orderNumber ?? ""}`);
