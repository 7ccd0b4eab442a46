import { Link, useLoaderData } from "@remix-run/react";
import { CONFIRMATION_LABELS, SignerConfirmation } from "~/components/certificates/signer-confirmation";
import { ErrorSummary } from "~/components/forms/error-summary";
import { UsageText } from "~/components/purchase/usage-fields";
import { pageTitle } from "~/components/shell/page-title";
import { domainText, textList } from "~/components/standing/standing-parts";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { HexPairs } from "~/components/ui/hex-pairs";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { CONFIRM_STANDING_FORM } from "~/domain/certificates/standing/standing";
import { yearsText } from "~/domain/orders/price.policy";
import { colonHex } from "~/lib/hex";
import { staffPaths } from "~/lib/staff-paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

const title = (id: number) => `Confirm standing authorisation ${id} to the signer`;

/** What is confirmed, word for word what the signer checks each certificate against. */
const scopeFacts = ({ company, scope, fingerprint }: Data) => [
  { term: "Company", detail: <bdi>{company}</bdi> },
  { term: "Organisation", detail: <bdi>{scope.organisation}</bdi> },
  { term: "Organisation unit", detail: scope.organisationUnit && <bdi>{scope.organisationUnit}</bdi> },
  { term: "City", detail: scope.locality && <bdi>{scope.locality}</bdi> },
  { term: "State or province", detail: scope.state && <bdi>{scope.state}</bdi> },
  { term: "Country", detail: scope.country },
  { term: "Domains", detail: scope.domains.length > 0 && textList(scope.domains.map(domainText)) },
  { term: "OFTP IDs", detail: scope.oftpIds.length > 0 && textList(scope.oftpIds) },
  { term: "Usages", detail: <UsageText usage={scope.usages} /> },
  { term: "CAs", detail: scope.issuers.join(", ") },
  {
    term: "Longest validity",
    detail: `${yearsText(scope.longestYears)}; a renewal keeps up to ${scope.renewalDays} days of the certificate before it`,
  },
  { term: "Certificates at most", detail: String(scope.certificates) },
  { term: "Ends", detail: <Time value={scope.endsAt} withTime /> },
  { term: "SHA-256 of what is confirmed", detail: <HexPairs value={colonHex(fingerprint)} /> },
];

/** Confirms a standing authorisation to the signer. */
export default function ConfirmStandingAuthorisation() {
  const data = useLoaderData<typeof loader>();
  const { id, isNeeded, problem, kinds, atSigner, fingerprint } = data;
  const back = { to: staffPaths.standingAuthorisation(id), label: `Standing authorisation ${id}` };
  if (!isNeeded)
    return (
      <PageHeader title={title(id)} back={back}>
        <p role="status">
          {problem ?? "The certificates of this portal need no confirmation of a person to the signer."}
        </p>
      </PageHeader>
    );
  return (
    <div className="stack-l">
      <ErrorSummary
        formId={CONFIRM_STANDING_FORM}
        order={Object.keys(CONFIRMATION_LABELS)}
        labels={CONFIRMATION_LABELS}
      />
      <PageHeader title={title(id)} back={back}>
        <p>
          The signer signs certificates that fall under this without a further confirmation, and checks each of them
          itself. It counts certificates and knows no amounts. Ending the standing authorisation withdraws this.
        </p>
      </PageHeader>
      {atSigner && <Note tone={atSigner.isConfirmed ? "ok" : "warn"}>{atSigner.text}</Note>}
      <Card title="What you confirm">
        <DescriptionList hideEmpty items={scopeFacts(data)} />
      </Card>
      {kinds.length === 0 && (
        <Note tone="warn" title="The signer accepts no passkey and no app of yours.">
          <Link to={staffPaths.signer}>Offer it a passkey</Link>, or ask an operator of the signer to add an
          authenticator app.
        </Note>
      )}
      <SignerConfirmation
        formId={CONFIRM_STANDING_FORM}
        kinds={kinds}
        what="this standing authorisation"
        fields={{ fingerprint }}
      />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? title(data.id) : "Confirm to the signer"));
