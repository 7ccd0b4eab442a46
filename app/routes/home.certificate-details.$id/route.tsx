import { type SerializeFrom } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { FindingsNote } from "~/components/certificate-audit/findings-note";
import { MarkNotes } from "~/components/certificates/broken-rules";
import { CANCELLATION_FORM, CANCELLATION_LABELS, CancellationCard } from "~/components/certificates/cancellation-card";
import {
  AlternativeSubjectCard,
  CertificateCard,
  IssuerCard,
  PaymentCard,
  PublicKeyCard,
  StatusCard,
  SubjectCard,
  UsageCard,
} from "~/components/certificates/details-cards";
import { HistoryCard } from "~/components/certificates/history-card";
import { LifeBar } from "~/components/certificates/life-bar";
import { LineageCard } from "~/components/certificates/lineage-card";
import { LintNote } from "~/components/certificates/lint-note";
import { NotesCard } from "~/components/certificates/notes-card";
import {
  CorrectionNote,
  EndedNote,
  RefusedNamesNote,
  RevokedIssuerNote,
  UnreadableNote,
  WaitingNote,
} from "~/components/certificates/order-notes";
import { PeopleCard } from "~/components/certificates/people-card";
import { ReplacedNote } from "~/components/certificates/replaced-note";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { Badge } from "~/components/ui/status-badge";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { NOTES_FORM, NOTES_LABELS } from "~/domain/certificates/catalogue/notes-fields";
import { KIND_LABELS } from "~/domain/orders/invoices/invoice-content";
import { certificatePaths } from "~/lib/certificate-paths";
import { correctionPath } from "~/lib/correction-path";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { type loader } from "./page.server";
import styles from "~/styles/certificate.css";

export { action, loader } from "./page.server";

export const links = () => [{ rel: "stylesheet", href: styles }];

export default function CertificateDetails() {
  const { details, list, isFromOrder } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string> }>();
  const here = certificateList.addTo(paths.certificateDetails(details.id), list);
  const { id, may, issued, life } = details;
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Cancel order"
      question={`Are you sure you wish to cancel order ${details.orderNumber}? This process cannot be reversed.`}
      confirmLabel="Cancel order"
      cancelLabel="Keep order"
      cancelTo={isFromOrder ? paths.order(details.orderId) : here}
    >
      <div className="stack-l">
        <ErrorSummary formId={CANCELLATION_FORM} labels={CANCELLATION_LABELS} />
        <ErrorSummary formId={NOTES_FORM} labels={NOTES_LABELS} />
        <PageHeader
          title={`Certificate ${details.subject.commonName}`}
          actions={<TopActions details={details} list={list} />}
        >
          <p>
            <Badge tone={life.words.tone}>{life.words.text}</Badge> {details.orderType} order{" "}
            <Link to={paths.order(details.orderId)} className="nowrap">
              {details.orderNumber}
            </Link>
            , certificate {id}
          </p>
        </PageHeader>
        <LifeBar {...details} />
        <WaitingNote {...details} />
        <EndedNote {...details} />
        <CorrectionNote {...details} />
        <UnreadableNote {...details} />
        <RevokedIssuerNote {...details} />
        <RefusedNamesNote {...details} />
        <MarkNotes marks={details.marks} />
        <FindingsNote findings={details.findings} />
        <LintNote lints={details.lints} />
        {details.replaced && <ReplacedNote id={details.replaced.id} />}
        <div className="columns">
          <StatusCard {...details} />
          <SubjectCard {...details} />
          <AlternativeSubjectCard {...details} />
          {issued && <CertificateCard issued={issued} pem={details.pem} />}
          {issued && <UsageCard issued={issued} />}
          <PublicKeyCard {...details} />
          {issued && <IssuerCard issued={issued} />}
          <PeopleCard {...details} />
          <LineageCard {...details} />
          <PaymentCard {...details} />
          <NotesCard {...details} />
          <HistoryCard {...details} />
        </div>
        {may.cancel && <CancellationCard />}
        <div className="no-print stack">
          {may.correctOrder && (
            <p>
              Something typed wrongly? <Link to={correctionPath(details.orderId)}>Correct it</Link>
            </p>
          )}
          <ButtonRow>
            {details.documents.map(({ id: documentId, kind, number, cancelled }, _, { length }) => (
              <DownloadLink key={documentId} className="btn" href={paths.invoice(documentId)}>
                {["Download", KIND_LABELS[kind], length > 1 && number, cancelled].filter(Boolean).join(" ")}
              </DownloadLink>
            ))}
            {may.csr && (
              <DownloadLink className="btn" href={rarePaths.certificateCsr(id)}>
                Download CSR
              </DownloadLink>
            )}
            {may.correct && <LinkButton to={certificatePaths.correct(id)}>Correct host or usage</LinkButton>}
            {may.reissue && <LinkButton to={rarePaths.certificateReissue(id)}>Reissue</LinkButton>}
            {issued && <LinkButton to={certificatePaths.partners(id)}>Partners</LinkButton>}
            {may.queue && <LinkButton to={paths.certificateQueueOrder(id)}>Checks and payment</LinkButton>}
            <LinkButton to={certificateList.href(list)} variant="quiet">
              Back
            </LinkButton>
          </ButtonRow>
        </div>
      </div>
    </ConfirmStep>
  );
}

type Props = Pick<SerializeFrom<typeof loader>, "details" | "list">;

/**
 * What a person usually opens the page for: of a pending order, how far it has come. Renew is the primary button while the renewal is open,
 * otherwise Download.
 */
function TopActions({ details: { id, may, orderId, orderNumber }, list }: Props) {
  return (
    <Form method="post" className="row">
      <CsrfField />
      {may.download && (
        <LinkButton
          to={certificateList.addTo(paths.certificateDownload(id), list, { selected: id })}
          variant={may.renew ? "secondary" : "primary"}
        >
          Download
        </LinkButton>
      )}
      {may.renew && <SubmitButton intent="renew">Renew</SubmitButton>}
      {may.revoke && <LinkButton to={paths.certificateRevoke(id)}>Revoke</LinkButton>}
      {may.cancel && <LinkButton to={paths.order(orderId)}>Open order {orderNumber}</LinkButton>}
      {may.orderNew && (
        <LinkButton to={paths.certificatePurchase("contact-details")} variant={may.download ? "secondary" : "primary"}>
          Order a new certificate
        </LinkButton>
      )}
    </Form>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Certificate ${data?.details.subject.commonName ?? ""}`);
