import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { DOWNLOAD_FORM, DownloadForm } from "~/components/certificates/download-form";
import { Pkcs12Part } from "~/components/certificates/pkcs12-part";
import { ErrorSummary } from "~/components/forms/error-summary";
import { fieldId } from "~/components/forms/form-id";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { DownloadLink } from "~/components/ui/download-link";
import { HexPairs } from "~/components/ui/hex-pairs";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { choiceProblem, readDownloadChoice } from "~/domain/certificates/catalogue/download-choice";
import { findDownloadPanel } from "~/domain/certificates/catalogue/download.service.server";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import styles from "~/styles/certificate.css";

export const links = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const query = new URL(request.url).searchParams;
  const id = readId(params.id);
  const list = certificateList.read(query);
  const back = certificateList.href(list, { selected: null });
  try {
    const panel = await findDownloadPanel(user, id);
    if (!panel) throw await noSuchCertificate(request, user, id, back);
    const choice = readDownloadChoice(query);
    const problem = choiceProblem(choice);
    return json({ id, panel, choice, problem, list }, problem ? 422 : 200);
  } catch (error) {
    if (error instanceof PortalError)
      throw await redirectWithToast(request, back, { kind: "warn", text: error.message });
    throw error;
  }
}

export default function CertificateDownload() {
  const { id, panel, choice, problem, list } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary
        errors={problem ? [{ message: problem.message, href: `#${fieldId(DOWNLOAD_FORM, problem.field)}` }] : []}
      />
      <PageHeader title="Download certificate" />
      {panel.revokes && (
        <Note tone="warn" title={`The download revokes certificate ${panel.revokes.id}, which this one corrects.`}>
          <p>
            It is revoked within a minute, also when you follow a link in our message, and without a download at the
            latest on {formatDateTime(panel.revokes.by)} UTC. Download this certificate when you can install it. Your
            partners need it before: the archive on the page <Link to={certificatePaths.partners(id)}>Partners</Link>{" "}
            has it, and revokes nothing.
          </p>
        </Note>
      )}
      <ul className="files" role="list">
        {panel.files.map(({ label, form, href, text }) => (
          <li key={form}>
            <DownloadLink className="btn" href={href}>
              {label}, {form}
            </DownloadLink>
            <p className="hint">{text}</p>
          </li>
        ))}
      </ul>
      <h2>All files</h2>
      <div className="split">
        <DownloadForm certificateId={id} choice={choice} problem={problem}>
          <ButtonRow>
            <button type="submit" className="btn primary">
              Download
            </button>
            <LinkButton to={certificateList.href(list)} variant="secondary">
              Back
            </LinkButton>
          </ButtonRow>
        </DownloadForm>
        <Card title="Certificate Details">
          <DescriptionList
            items={[
              { term: "Status", detail: <StatusBadge status={panel.status} /> },
              { term: "Common name", detail: panel.commonName },
              { term: "Serial number", detail: <HexPairs value={panel.serialNumber} /> },
            ]}
          />
        </Card>
      </div>
      {panel.keyFile && <Pkcs12Part keyFile={panel.keyFile} />}
    </div>
  );
}

export const meta = pageTitle("Download certificate");
