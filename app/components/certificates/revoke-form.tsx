import { type Validator } from "remix-validated-form";
import { type RevocationFormData } from "~/domain/certificates/revocation/form.server";
import {
  DESCRIPTION_LIMIT,
  KEY_COMPROMISED,
  reasonText,
  REVOCATION_REASONS,
} from "~/domain/certificates/revocation/reasons";
import { type RevocationForm } from "~/domain/certificates/revocation/revocation.schema";
import { formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { DateField, TimeField } from "../forms/date-fields";
import { FieldGroup } from "../forms/field-group";
import { PortalForm } from "../forms/form";
import { HiddenField } from "../forms/portal-field";
import { SelectField } from "../forms/select-field";
import { TextareaField } from "../forms/textarea-field";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { Time } from "../ui/time";

export const REVOKE_FORM = "revoke";
/** The fields in the order of the page. */
export const REVOKE_FIELDS = ["revocationReason", "revocationDescription", "revocationDate", "revocationTime"];

export const REVOKE_LABELS = {
  revocationReason: "Revocation reason",
  revocationDescription: "Description",
  revocationDate: "Date",
  revocationTime: "Time (24 hours, UTC)",
};

interface Props {
  certificate: RevocationFormData;
  validator: Validator<RevocationForm>;
}

const dayOf = (iso: string) => iso.slice(0, 10);
const timeOf = (iso: string) => iso.slice(11, 19);

/**
 * Returns the default values. The date and time are now. A scheduled revocation that is brought forward keeps its reason and description.
 */
const defaultsOf = ({ now, scheduled }: RevocationFormData) => ({
  ...(scheduled && {
    revocationReason: String(scheduled.reason),
    revocationDescription: scheduled.description ?? "",
  }),
  revocationDate: dayOf(now),
  revocationTime: timeOf(now),
  loadedAt: now,
});

export function RevokeForm({ certificate, validator }: Props) {
  const { startDate, endDate } = certificate;
  return (
    <PortalForm id={REVOKE_FORM} validator={validator} defaultValues={defaultsOf(certificate)}>
      <HiddenField name="loadedAt" />
      <SelectField
        name="revocationReason"
        label={REVOKE_LABELS.revocationReason}
        placeholder="Select revocation reason"
        options={REVOCATION_REASONS.map(({ id, description }) => ({ value: String(id), label: description }))}
      />
      <TextareaField
        name="revocationDescription"
        label={REVOKE_LABELS.revocationDescription}
        hint={`At most ${DESCRIPTION_LIMIT} characters; required for the reason Unspecified.`}
        maxLength={DESCRIPTION_LIMIT}
        rows={4}
      />
      <FieldGroup
        legend="Revocation date and time (UTC)"
        hint={
          <>
            Between <Time value={startDate} withTime /> and <Time value={endDate} withTime />. A later time schedules
            the revocation; an earlier time also records since when the certificate is not to be trusted.
          </>
        }
      >
        <DateField
          name="revocationDate"
          label={REVOKE_LABELS.revocationDate}
          min={dayOf(startDate)}
          max={dayOf(endDate)}
        />
        <TimeField name="revocationTime" label={REVOKE_LABELS.revocationTime} seconds />
      </FieldGroup>
      <ButtonRow>
        <SubmitButton variant="caution">Revoke Certificate</SubmitButton>
        <LinkButton to={paths.certificates}>Cancel</LinkButton>
      </ButtonRow>
      <UnsavedChanges formId={REVOKE_FORM} />
    </PortalForm>
  );
}

/** The certificate to revoke and its owner. */
export function RevocationInfo({ certificate }: { certificate: RevocationFormData }) {
  return (
    <div className="stack-l">
      <Card title="Certificate information">
        <DescriptionList
          items={[
            { term: "Email", detail: certificate.email },
            { term: "Common name", detail: certificate.commonName },
            { term: "Serial number", detail: <HexPairs value={certificate.serialNumber} /> },
            { term: "Valid from", detail: <Time value={certificate.startDate} withTime /> },
            { term: "Valid until", detail: <Time value={certificate.endDate} withTime /> },
          ]}
        />
      </Card>
      <Card title="User Contact Details">
        <DescriptionList
          items={[
            { term: "Email address", detail: certificate.emailAddress },
            { term: "Telephone number", detail: certificate.telephoneNumber },
          ]}
        />
      </Card>
    </div>
  );
}

interface QuestionProps {
  certificate: RevocationFormData;
  /** The submitted values by field name. */
  asked: Record<string, string>;
}

/** The details of the question. Several certificates can have the same common name, and the time of the revocation matters. */
export function RevocationQuestion({ certificate, asked }: QuestionProps) {
  const { revocationReason, revocationDescription, revocationDate = "", revocationTime = "" } = asked;
  const reason = Number(revocationReason);
  return (
    <>
      <DescriptionList
        items={[
          { term: "Certificate", detail: `${certificate.id}, ${certificate.commonName}` },
          { term: "Serial number", detail: <HexPairs value={certificate.serialNumber} /> },
          { term: "Revocation reason", detail: reasonText(reason) },
          { term: "Description", detail: revocationDescription },
          { term: "Date and time (UTC)", detail: `${formatDate(revocationDate)} ${revocationTime}` },
        ]}
      />
      {`${revocationDate}T${revocationTime}` > certificate.now && <p>The certificate stays valid until then.</p>}
      {reason === KEY_COMPROMISED && (
        <p>Every other certificate with the same key is revoked too, and the key is refused for ever.</p>
      )}
    </>
  );
}
