import { Link } from "@remix-run/react";
import { type Repository, type RepositoryCertificate } from "~/domain/repository/repository.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { useShell } from "../shell/shell";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { DescriptionList } from "../ui/description-list";
import { HexPairs } from "../ui/hex-pairs";
import { PageHeader } from "../ui/page-header";
import { Time } from "../ui/time";

/**
 * The certificate repository (REP-01). It is the same for everybody except for the Back link. It has plain links and works without scripts.
 */
export function RepositoryContents({ certificates, crossCertificates, lists, archive, ...policies }: Repository) {
  const { user } = useShell();
  return (
    <div className="stack-l">
      <PageHeader title="Certificate repository" back={{ to: user ? paths.dashboard : paths.login(), label: "Back" }}>
        <p>
          Root and issuing CA certificates, certificate revocation lists and policies, free for everybody to download.
        </p>
        <nav aria-label="On this page" className="no-print">
          <ul role="list" className="row">
            <li>
              <a href="#ca-certificates">CA certificates</a>
            </li>
            <li>
              <a href="#revocation-lists">CRLs</a>
            </li>
            <li>
              <a href="#policies">Policies</a>
            </li>
          </ul>
        </nav>
      </PageHeader>
      <section className="stack" aria-labelledby="ca-certificates">
        <h2 id="ca-certificates">CA certificates</h2>
        <p>
          Install the root and the issuing CA certificate of your partner’s certificate. Compare the fingerprint with
          one that you received another way before you trust a root.
        </p>
        {certificates.map((certificate) => (
          <CertificateCard key={certificate.name} {...certificate} />
        ))}
      </section>
      {crossCertificates.length > 0 && (
        <section className="stack" aria-labelledby="cross-certificates">
          <h2 id="cross-certificates">Cross-certificates</h2>
          <p>
            Each has the name and the key of a CA above, and is signed by another CA. Whoever trusts only that CA
            installs it in place of the certificate above.
          </p>
          {crossCertificates.map((certificate) => (
            <CertificateCard key={certificate.name} {...certificate} />
          ))}
        </section>
      )}
      <section className="stack" aria-labelledby="revocation-lists">
        <h2 id="revocation-lists">Certificate revocation lists</h2>
        <p>
          A CRL contains all revoked certificates that have not expired; a delta CRL contains those of the last days.
          Software fetches them automatically from the addresses in the certificates. The{" "}
          <a href={paths.status}>status</a> says whether they are on time.
        </p>
        <CrlsTable lists={lists} />
      </section>
      <Policies {...policies} />
      {archive.length > 0 && (
        <section className="stack" aria-labelledby="archive">
          <h2 id="archive">Archive</h2>
          <p>Former certificates and CRLs, signed with SHA-1. They are kept only for old files.</p>
          <ul>
            {archive.map(({ file, href }) => (
              <li key={file}>
                <a href={href}>{file}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Policies({
  policies,
  policyVersion,
  policyDate,
}: Pick<Repository, "policies" | "policyVersion" | "policyDate">) {
  return (
    <section className="stack" aria-labelledby="policies">
      <h2 id="policies">Policies</h2>
      <p>
        Version {policyVersion} of <Time value={policyDate} />. Each is a PDF file, and a page with the same text.
      </p>
      <ul>
        {policies.map(({ name, caption, href, page }) => (
          <li key={name}>
            <a href={href}>{caption} (PDF)</a>, <Link to={page}>{caption} as a page</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A fingerprint with a button that copies it. */
function Fingerprint({ label, value }: { label: string; value: string }) {
  return (
    <>
      <HexPairs value={value} /> <CopyButton value={value} label={`Copy ${label}`} />
    </>
  );
}

/** What the certificate of a CA lets it certify. */
const Limits = ({ texts }: { texts: readonly string[] }) => (
  <ul>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

function CertificateCard({
  caption,
  state,
  subject,
  issuer,
  limits,
  validFrom,
  validUntil,
  sha256,
  sha1,
  url,
  links,
}: RepositoryCertificate) {
  return (
    <Card title={caption} level={3}>
      <DescriptionList
        items={[
          { term: "State", detail: state },
          { term: "Subject", detail: subject },
          ...(issuer === null ? [] : [{ term: "Issuer", detail: issuer }]),
          ...(limits.length > 0 ? [{ term: "May certify", detail: <Limits texts={limits} /> }] : []),
          {
            term: "Valid",
            detail: (
              <>
                <Time value={validFrom} /> to <Time value={validUntil} />
              </>
            ),
          },
          {
            term: "SHA-256 fingerprint",
            detail: <Fingerprint label={`SHA-256 fingerprint of ${caption}`} value={sha256} />,
          },
          { term: "SHA-1 fingerprint", detail: <Fingerprint label={`SHA-1 fingerprint of ${caption}`} value={sha1} /> },
          { term: "Address", detail: <span className="mono">{url}</span> },
        ]}
      />
      <div className="row">
        {links.map(({ href, file, encoding, size }) => (
          <a key={file} href={href}>
            {caption} certificate, {encoding} ({file}, {size} bytes)
          </a>
        ))}
      </div>
    </Card>
  );
}

function CrlsTable({ lists }: Pick<Repository, "lists">) {
  return (
    <DataTable
      caption="Latest CRLs"
      rows={lists}
      rowKey={({ file }) => file}
      empty="No CRL has been published yet"
      columns={[
        {
          key: "caption",
          label: "CRL",
          rowHeader: true,
          cell: ({ caption, current, href, url }) => (
            <>
              {current ? <a href={href}>{caption} CRL</a> : `${caption} CRL`}
              <span className="sub mono">{url}</span>
            </>
          ),
        },
        {
          key: "number",
          label: "Number",
          numeric: true,
          cell: ({ current }) => current?.number ?? "Not published yet",
        },
        { key: "thisUpdate", label: "Published", cell: ({ current }) => <Time value={current?.thisUpdate} withTime /> },
        {
          key: "nextUpdate",
          label: "Next update by",
          cell: ({ current }) => <Time value={current?.nextUpdate} withTime />,
        },
        { key: "entries", label: "Entries", numeric: true, cell: ({ current }) => current?.entryCount ?? "" },
      ]}
    />
  );
}
