import { Form } from "@remix-run/react";
import { type PartnerView } from "~/domain/certificates/partners/partner-view.server";
import {
  COPY_FORM,
  COPY_LABELS,
  FOLLOW_FORM,
  FOLLOW_LABELS,
  MOST_PARTNERS,
  MOST_REMINDERS,
  MOST_SWITCH_DAYS,
  PARTNERS_FORM,
  PARTNERS_LABELS,
  type PartnerState,
  PUBLISH_FORM,
  PUBLISH_LABELS,
  REMINDED_AFTER_DAYS,
} from "~/domain/certificates/partners/partners-fields";
import {
  addPartnersValidator,
  copyPartnersValidator,
  followValidator,
  publishValidator,
} from "~/domain/certificates/validators";
import { CsrfField } from "../forms/csrf-field";
import { DateField } from "../forms/date-fields";
import { PortalForm } from "../forms/form";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";
import { Badge, type Tone } from "../ui/status-badge";
import { Time } from "../ui/time";

const TONES: Record<PartnerState, Tone> = {
  "Not sent": "mute",
  Sent: "info",
  Opened: "info",
  Imported: "ok",
  Question: "warn",
  "Not theirs": "mute",
  "Wants no messages": "warn",
};

interface Readiness {
  readiness: { confirmed: number; expected: number; isSafe: boolean };
  publishedAt: string | null;
  cutOverOn: string | null;
  previous: { id: number; expiryDate: string | null } | null;
}

/** How many partners have confirmed, and whether the company can switch. Nothing before the certificate is published. */
export function ReadinessNote({ readiness, publishedAt, cutOverOn, previous }: Readiness) {
  if (publishedAt === null) return null;
  const { confirmed, expected, isSafe } = readiness;
  return (
    <Note
      tone={isSafe ? "ok" : "info"}
      title={isSafe ? "Safe to switch" : `${confirmed} of ${expected} have confirmed`}
    >
      <p>
        {isSafe
          ? "All partners have imported the certificate. "
          : "Wait with the switch until all have confirmed, or ask those who have not. "}
        {cutOverOn && (
          <>
            The planned switch is on <Time value={cutOverOn} />.{" "}
          </>
        )}
        {previous?.expiryDate && (
          <>
            The previous certificate stays valid until <Time value={previous.expiryDate} /> unless it is revoked.
          </>
        )}
      </p>
    </Note>
  );
}

const COLUMNS: readonly Column<PartnerView>[] = [
  {
    key: "partner",
    label: "Partner",
    rowHeader: true,
    cell: ({ name, email, code }) => (
      <span>
        <bdi>{name || email || code}</bdi>
        {name && <span className="sub hint">{email ?? `Entity ${code}`}</span>}
      </span>
    ),
  },
  {
    key: "state",
    label: "State",
    cell: ({ state, question, remindedAt }) => (
      <span>
        <Badge tone={TONES[state]}>{state}</Badge>
        {remindedAt && (
          <span className="sub hint">
            Reminded on <Time value={remindedAt} />
          </span>
        )}
        {question && <span className="sub lines">{question}</span>}
      </span>
    ),
  },
  { key: "sent", label: "Sent", cell: ({ sentAt }) => <Time value={sentAt} /> },
  { key: "opened", label: "Opened", cell: ({ openedAt }) => <Time value={openedAt} /> },
  { key: "answered", label: "Answered", cell: ({ answeredAt }) => <Time value={answeredAt} /> },
];

const removeColumn: Column<PartnerView> = {
  key: "remove",
  label: "Remove",
  cell: ({ id, name, email, code }) => (
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="partnerId" value={id} />
      <SubmitButton intent="remove" variant="quiet" small>
        Remove<span className="vh"> {name || email || code}</span>
      </SubmitButton>
    </Form>
  ),
};

interface TableProps {
  partners: readonly PartnerView[];
  mayChange: boolean;
}

/** The partners of a certificate, each with how far it has come. */
export const PartnersTable = ({ partners, mayChange }: TableProps) => (
  <DataTable
    caption="Partners"
    columns={mayChange ? [...COLUMNS, removeColumn] : COLUMNS}
    rows={partners}
    rowKey={({ id }) => id}
    empty="No partners yet"
  />
);

/** Publishes the certificate to the partners who have no message yet. */
export function PublishCard({ partners }: TableProps) {
  const waiting = partners.filter(({ state }) => state === "Not sent").length;
  if (waiting === 0) return null;
  return (
    <Card title="Publish to partners">
      <p>
        Each partner who has no message yet gets one, with a link to a page with the certificate, and confirms there
        that it is imported. Who does not answer is reminded after {REMINDED_AFTER_DAYS} days, {MOST_REMINDERS} times at
        most. You are asked before anything is sent.
      </p>
      <PortalForm id={PUBLISH_FORM} validator={publishValidator}>
        <DateField
          name="cutOverOn"
          label={PUBLISH_LABELS.cutOverOn}
          optional
          hint="The day on which you plan to use the new certificate. Your partners see it."
        />
        <ButtonRow>
          <SubmitButton intent="publish" busyText="Publishing…">
            Publish
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

/** Adds partners, one a line. */
export const AddPartnersCard = () => (
  <Card title="Add partners">
    <PortalForm id={PARTNERS_FORM} validator={addPartnersValidator}>
      <TextareaField
        name="partners"
        label={PARTNERS_LABELS.partners}
        rows={5}
        hint={`One a line: an email address, or the code of an entity of the register, then a comma and a name if you like. A CSV list can be pasted. At most ${MOST_PARTNERS} partners. The owner of an entity gets the message, and you do not see the address.`}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <ButtonRow>
        <SubmitButton intent="add" variant="secondary" busyText="Adding…">
          Add
        </SubmitButton>
      </ButtonRow>
    </PortalForm>
  </Card>
);

/** Takes over the partners of another certificate of the company. */
export function CopyPartnersCard({ sources }: { sources: { value: string; label: string }[] }) {
  if (sources.length === 0) return null;
  return (
    <Card title="Take over partners">
      <PortalForm id={COPY_FORM} validator={copyPartnersValidator}>
        <SelectField
          name="from"
          label={COPY_LABELS.from}
          placeholder="Select a certificate"
          options={sources}
          hint="Its partners are added to those of this certificate."
        />
        <ButtonRow>
          <SubmitButton intent="copy" variant="secondary">
            Take over
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

/** Chooses whether renewals are published to the partners by themselves. */
export const RenewalsCard = ({ switchDays }: { switchDays: number | null }) => (
  <Card title="Renewals">
    <p>
      A renewal begins with these partners. With a number of days, it is published to them as soon as it is issued, also
      when a program has ordered it, and its switch is planned that many days later. Without one, it waits until
      somebody publishes it.
    </p>
    <PortalForm
      key={switchDays}
      id={FOLLOW_FORM}
      validator={followValidator}
      defaultValues={{ switchDays: switchDays === null ? "" : String(switchDays) }}
    >
      <TextField
        name="switchDays"
        label={FOLLOW_LABELS.switchDays}
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        optional
        hint={`1 to ${MOST_SWITCH_DAYS}. Use the new key when all partners have confirmed.`}
      />
      <ButtonRow>
        <SubmitButton intent="follow" variant="secondary">
          Save
        </SubmitButton>
      </ButtonRow>
    </PortalForm>
  </Card>
);
