import { type SerializeFrom } from "@remix-run/node";
import { type openPartnerPage } from "~/domain/certificates/partners/partner-page.service.server";
import { ANSWER_FORM, type PartnerReply, QUESTION_LIMIT } from "~/domain/certificates/partners/partners-fields";
import { partnerAnswerValidator } from "~/domain/certificates/validators";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { DownloadLink } from "../ui/download-link";
import { HexPairs } from "../ui/hex-pairs";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

type Page = SerializeFrom<NonNullable<Awaited<ReturnType<typeof openPartnerPage>>>>;

/** Says whether software recognises the certificate as the successor of the previous one, and what has changed. */
function SuccessorNote({ previous }: Pick<Page, "previous">) {
  if (previous === null) return null;
  const changed = previous.rows.filter(({ before }) => before !== null);
  return (
    <Note
      tone={previous.isRecognised ? "ok" : "warn"}
      title={
        previous.isRecognised
          ? "Subject, issuer and usage are those of the previous certificate"
          : "Software does not recognise it as a successor by itself"
      }
    >
      <p>
        {previous.isRecognised
          ? "Software that recognises a successor by them takes it by itself, for example by the automatic certificate exchange of OFTP2. Otherwise import it beside the previous one."
          : "Import it beside the previous one by hand, and the certificates of its issuer if they are not trusted yet."}{" "}
        Keep the previous certificate, serial number {previous.serialNumber},{" "}
        {previous.isRevoked ? "only for what was signed with it: it is revoked" : "until your partner has switched"}.
        {!previous.isRevoked && (
          <>
            {" "}
            It ends on <Time value={previous.expiryDate} />.
          </>
        )}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ label, now, before }) => (
            <li key={label}>
              {label}: <bdi>{now}</bdi>, before <bdi>{before}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

/** The certificate of a company for its partner: files, facts and what to do. */
export const PartnerCertificate = ({ page }: { page: Page }) => (
  <>
    <ul className="files" role="list">
      {page.files.map(({ label, href, text }) => (
        <li key={href}>
          <DownloadLink className="btn" href={href}>
            {label}
          </DownloadLink>
          <p className="hint">{text}</p>
        </li>
      ))}
      <li>
        <DownloadLink className="btn" href={page.archive}>
          All files, ZIP
        </DownloadLink>
        <p className="hint">The three files, and a sheet to print with the fingerprints and a QR code.</p>
      </li>
    </ul>
    <SuccessorNote previous={page.previous} />
    <Card title="Certificate">
      <DescriptionList
        hideEmpty
        items={[
          { term: "Common name", detail: <bdi>{page.commonName}</bdi> },
          { term: "Company", detail: <bdi>{page.company}</bdi> },
          { term: "Serial number", detail: <HexPairs value={page.serialNumber} /> },
          { term: "SHA-256 fingerprint", detail: <HexPairs value={page.sha256} /> },
          { term: "SHA-1 fingerprint", detail: <HexPairs value={page.sha1} /> },
          { term: "Valid from", detail: <Time value={page.startDate} /> },
          { term: "Valid until", detail: <Time value={page.expiryDate} /> },
          { term: "Planned switch", detail: page.cutOverOn && <Time value={page.cutOverOn} /> },
        ]}
      />
      <p className="hint">
        Compare the fingerprint with the one that your software shows. If you use the certificate to encrypt files for
        the company, change to the new one when the company switches, not before.
      </p>
    </Card>
  </>
);

const ANSWERS: Record<PartnerReply, string> = {
  imported: "You have confirmed that you have imported it.",
  question: "You have asked a question.",
  "not-ours": "You have said that it is not for you.",
  stopped: "You have asked for no more messages.",
};

/** The answer of a partner. A later one takes the place of an earlier one. */
export const PartnerAnswerForm = ({ answer }: { answer: PartnerReply | null }) => (
  <Card title="Your answer">
    {answer && <p>{ANSWERS[answer]} You can change your answer.</p>}
    <PortalForm id={ANSWER_FORM} validator={partnerAnswerValidator} defaultIntent="imported">
      <ButtonRow>
        <SubmitButton intent="imported">I have imported it</SubmitButton>
      </ButtonRow>
      <TextareaField
        name="question"
        label="Question"
        optional
        limit={QUESTION_LIMIT}
        rows={4}
        hint="The company gets it by email and answers you directly."
      />
      <ButtonRow>
        <SubmitButton intent="question" variant="secondary">
          Send the question
        </SubmitButton>
        <SubmitButton intent="not-ours" variant="secondary" skipValidation>
          It is not for us
        </SubmitButton>
        <SubmitButton intent="stopped" variant="quiet" skipValidation>
          Send me nothing more
        </SubmitButton>
      </ButtonRow>
    </PortalForm>
  </Card>
);
