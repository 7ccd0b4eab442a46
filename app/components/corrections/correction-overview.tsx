import { Link } from "@remix-run/react";
import { type CorrectionOverview } from "~/domain/orders/corrections/correction-page.service.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { correctionPath } from "~/lib/correction-path";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { LinkButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { PageHeader } from "../ui/page-header";
import { Time } from "../ui/time";

interface Props {
  id: number;
  overview: CorrectionOverview;
}

/** What can be corrected in an order, with what it says now. */
export function CorrectionOverviewCards({ id, overview }: Props) {
  const { orderNumber, until, left, parts, changesContact, certificateId } = overview;
  return (
    <div className="stack-l">
      <PageHeader title="Correct an order" back={{ to: paths.order(id), label: `Order ${orderNumber}` }}>
        <p>
          Choose what was typed wrongly. Before anything is stored, the portal says what happens: whether the order is
          corrected, or its invoice is cancelled by a credit note and replaced.{" "}
          {until === null ? (
            "The order can be corrected"
          ) : (
            <>
              Until <Time value={until} />, the order can be corrected
            </>
          )}
          {left === 1 ? " once more." : ` ${left} more times.`}
        </p>
      </PageHeader>
      <div className="pairs">
        {parts.map(({ part, title, facts, barrier }) => (
          <Card key={part} title={title} className="stack">
            <DescriptionList items={facts.map(({ term, detail }) => ({ term, detail: <bdi>{detail}</bdi> }))} />
            {barrier === null ? (
              <p>
                <LinkButton to={correctionPath(id, part)}>Correct {PART_WORDS[part]}</LinkButton>
              </p>
            ) : (
              <p>
                {barrier} {part === "contact" && changesContact && <ContactLink id={id} />}
              </p>
            )}
          </Card>
        ))}
        {certificateId !== null && (
          <Card title="Usage or host of the certificate" className="stack">
            <p>
              What a certificate states cannot be changed. Another one is issued free of charge, after the checks of
              every order, and the old one is revoked.
            </p>
            <p>
              <LinkButton to={certificatePaths.correct(certificateId)}>Correct the certificate</LinkButton>
            </p>
          </Card>
        )}
      </div>
    </div>
  );
}

const PART_WORDS = {
  order: "order and invoice",
  technical: "technical contact",
  contact: "authentication contact",
} as const;

const ContactLink = ({ id }: { id: number }) => <Link to={rarePaths.orderContact(id)}>Change the contact</Link>;
