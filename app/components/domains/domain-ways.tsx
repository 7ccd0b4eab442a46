import { Form } from "@remix-run/react";
import { DOMAIN_FORM, FAILED_NIGHTS } from "~/domain/companies/domains/challenge";
import { type ChallengeView } from "~/domain/companies/domains/domain-view.server";
import { domainMailValidator } from "~/domain/companies/domains/validators";
import { CsrfField } from "../forms/csrf-field";
import { PortalForm } from "../forms/form";
import { HiddenField } from "../forms/portal-field";
import { SelectField } from "../forms/select-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { PemText } from "../ui/pem-block";
import { Time } from "../ui/time";

export const DOMAIN_LABELS = { address: "Send the link to" } as const;

const CheckForm = ({ intent, children }: { intent: "check-dns" | "check-http"; children: React.ReactNode }) => (
  <Form method="post">
    <CsrfField />
    <ButtonRow>
      <SubmitButton intent={intent} busyText="Checking…">
        {children}
      </SubmitButton>
    </ButtonRow>
  </Form>
);

const STAYS = `Leave it there: it is checked every night, and after ${FAILED_NIGHTS} failed nights in a row the confirmation ends.`;

const RecordFacts = ({ name, value }: NonNullable<ChallengeView["record"]>) => (
  <DescriptionList
    items={[
      { term: "Name", detail: <PemText value={name} label="the name" /> },
      { term: "Value", detail: <PemText value={value} label="the value" /> },
    ]}
  />
);

const FileFacts = ({ url, content }: NonNullable<ChallengeView["file"]>) => (
  <DescriptionList
    items={[
      { term: "Address", detail: <PemText value={url} label="the address" /> },
      { term: "Content", detail: <PemText value={content} label="the content" /> },
    ]}
  />
);

/** The record or file that has confirmed a domain and must stay. */
export const KeptProof = ({ record, file }: NonNullable<ChallengeView["kept"]>) => (
  <Card title={record ? "The DNS record that confirms it" : "The file that confirms it"}>
    {record && <RecordFacts {...record} />}
    {file && <FileFacts {...file} />}
    <p className="hint">{STAYS}</p>
  </Card>
);

const RecordCard = (record: NonNullable<ChallengeView["record"]>) => (
  <Card title="By a DNS record">
    <p>Add a TXT record with this name and value to your DNS, and check it.</p>
    <RecordFacts {...record} />
    <p>{record.hint}</p>
    <CheckForm intent="check-dns">Check the record now</CheckForm>
    <p className="hint">{STAYS}</p>
  </Card>
);

const FileCard = (file: NonNullable<ChallengeView["file"]>) => (
  <Card title="By a file on the web server">
    <p>
      Put a text file with this content where this address is, and check it. A file confirms this host only, and nothing
      below it.
    </p>
    <FileFacts {...file} />
    <CheckForm intent="check-http">Check the file now</CheckForm>
    <p className="hint">{STAYS} Redirects are followed on the same host only.</p>
  </Card>
);

function MailCard({ addresses, mailedTo }: Pick<ChallengeView, "addresses" | "mailedTo">) {
  const [only] = addresses;
  return (
    <Card title="By email">
      <p>
        Whoever reads this mailbox gets a link, and confirms on the page behind it. A new link replaces an earlier one.
      </p>
      {mailedTo !== null && (
        <p>
          The latest link was sent to <bdi>{mailedTo}</bdi>.
        </p>
      )}
      <PortalForm id={DOMAIN_FORM} validator={domainMailValidator} defaultValues={{ address: only }}>
        {addresses.length === 1 ? (
          <>
            <p>
              {DOMAIN_LABELS.address} <bdi>{only}</bdi>
            </p>
            <HiddenField name="address" />
          </>
        ) : (
          <SelectField
            name="address"
            label={DOMAIN_LABELS.address}
            options={addresses.map((address) => ({ value: address, label: address }))}
          />
        )}
        <ButtonRow>
          <SubmitButton intent="mail" busyText="Sending…">
            Send a link
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

const linkWords = ({ record, mailedTo }: ChallengeView) =>
  record ? "Values and link" : mailedTo === null ? "A link" : "The link";

/** The ways to confirm a domain or mailbox while its challenge is open. */
export const DomainWays = ({ challenge }: { challenge: ChallengeView }) => (
  <section className="stack" aria-labelledby="ways">
    <h2 id="ways">{challenge.record ? "Confirm it in one of these ways" : "Confirm it"}</h2>
    <p>
      {linkWords(challenge)} can be used until <Time value={challenge.endsAt} />.
    </p>
    <div className="pairs">
      {challenge.record && <RecordCard {...challenge.record} />}
      {challenge.file && <FileCard {...challenge.file} />}
      <MailCard {...challenge} />
    </div>
  </section>
);
