import { type SerializeFrom } from "@remix-run/node";
import { Form, Link } from "@remix-run/react";
import { useContext } from "react";
import { type EntityPage } from "~/domain/codes/certificates/entity-page.service.server";
import { publishAtEntityValidator } from "~/domain/codes/validators";
import { certificatePaths } from "~/lib/certificate-paths";
import { CsrfField } from "../forms/csrf-field";
import { FieldGroup } from "../forms/field-group";
import { PortalForm } from "../forms/form";
import { fieldId, FormIdContext, NO_FORM } from "../forms/form-id";
import { usePortalField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { DownloadLink } from "../ui/download-link";
import { HexPairs } from "../ui/hex-pairs";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

type Page = SerializeFrom<EntityPage>;
type Published = Page["published"][number];
type Own = NonNullable<Page["own"]>;

export const ENTITY_FORM = "publish-at-entity";
export const ENTITY_LABELS = { certificateIds: "Certificates", others: "Other certificates" };

const CERTIFICATES = "certificateIds";

/** Ends the publication of a certificate. */
const EndForm = ({ id, commonName }: Published) => (
  <Form method="post" className="no-print">
    <CsrfField />
    <input type="hidden" name="certificateId" value={id} />
    <SubmitButton intent="end" variant="secondary" small>
      End the publication<span className="vh"> of {commonName}</span>
    </SubmitButton>
  </Form>
);

/** A certificate that is published at the entity, with its files. */
export const PublishedCard = ({ certificate, own }: { certificate: Published; own: Page["own"] }) => (
  <Card title={<bdi>{certificate.commonName}</bdi>}>
    <DescriptionList
      items={[
        {
          term: "Status",
          detail: (
            <Badge tone={certificate.state === "Current" ? "ok" : "mute"}>
              {certificate.state === "Current" ? "Current" : "Previous, still valid"}
            </Badge>
          ),
        },
        { term: "Valid from", detail: <Time value={certificate.startDate} /> },
        { term: "Valid until", detail: <Time value={certificate.expiryDate} /> },
        { term: "Serial number", detail: <HexPairs value={certificate.serialNumber} /> },
        { term: "SHA-256 fingerprint", detail: <HexPairs value={certificate.sha256} /> },
        { term: "In the register since", detail: <Time value={certificate.publishedAt} /> },
      ]}
    />
    <ButtonRow>
      {certificate.files.map(({ form, label, href }) => (
        <DownloadLink key={form} className="btn" href={href}>
          {label}
        </DownloadLink>
      ))}
    </ButtonRow>
    {own?.mayEnd && <EndForm {...certificate} />}
  </Card>
);

function Tick({ id, commonName, expiryDate }: Own["offered"][number]) {
  const { getInputProps } = usePortalField(CERTIFICATES);
  const htmlId = fieldId(useContext(FormIdContext) ?? NO_FORM, `${CERTIFICATES}-${id}`);
  return (
    <div className="check">
      <input
        {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "checkbox", value: String(id) })}
        id={htmlId}
      />
      <label htmlFor={htmlId}>
        <bdi>{commonName}</bdi>, certificate {id}, valid until <Time value={expiryDate} />
      </label>
    </div>
  );
}

/** Publishes certificates of the company. Those that carry the OFTP ID of the entity are ticked. */
export const PublishAtEntityCard = ({ offered, oftpId }: { offered: Own["offered"]; oftpId: string }) => (
  <Card title="Publish certificates">
    <p>
      Everybody who may search the register sees what you publish here and can download it. A renewal of a published
      certificate is published by itself.
    </p>
    <PortalForm
      id={ENTITY_FORM}
      validator={publishAtEntityValidator}
      defaultValues={{ certificateIds: offered.map(({ id }) => String(id)) }}
    >
      <FieldGroup
        legend={offered.length > 0 ? `Certificates with the OFTP ID ${oftpId}` : "Certificates"}
        errorName={CERTIFICATES}
      >
        {offered.map((one) => (
          <Tick key={one.id} {...one} />
        ))}
        {offered.length === 0 && <p>No other certificate of yours that can be used carries the OFTP ID {oftpId}.</p>}
        <TextField
          name="others"
          label={ENTITY_LABELS.others}
          hint="The numbers of certificates of your company without this OFTP ID, as in the list of certificates, separated by commas."
          maxLength={200}
          optional
        />
      </FieldGroup>
      <ButtonRow>
        <SubmitButton intent="publish" busyText="Publishing…">
          Publish in the register
        </SubmitButton>
      </ButtonRow>
    </PortalForm>
  </Card>
);

/** The certificates of the company that carry the OFTP ID of its entity. */
export const CarriersCard = ({ carriers, oftpId }: { carriers: Own["carriers"]; oftpId: string }) => (
  <Card title="Certificates with the OFTP ID">
    {carriers.length === 0 ? (
      <p>No certificate of the company that can be used carries the OFTP ID {oftpId}.</p>
    ) : (
      <ul>
        {carriers.map(({ id, commonName, expiryDate, href }) => (
          <li key={id}>
            <Link to={href}>
              <bdi>{commonName}</bdi>
            </Link>
            , certificate {id}, valid until <Time value={expiryDate} />
          </li>
        ))}
      </ul>
    )}
  </Card>
);

/** Says when the user gets messages about the entity. */
export const FollowHint = ({ isFollowed }: { isFollowed: boolean }) => (
  <p className="hint">
    {isFollowed ? "You get" : "‘Tell me when it changes’ sends you"} a message when a certificate is published here,
    renewed or revoked, or when its publication ends.{" "}
    <Link to={certificatePaths.followed}>Entities that you follow</Link>
  </p>
);

/** The button that begins or ends the messages. */
export const FollowForm = ({ isFollowed }: { isFollowed: boolean }) => (
  <Form method="post">
    <CsrfField />
    {isFollowed ? (
      <SubmitButton intent="unfollow" variant="secondary">
        Stop the messages
      </SubmitButton>
    ) : (
      <SubmitButton intent="follow" variant="secondary">
        Tell me when it changes
      </SubmitButton>
    )}
  </Form>
);
