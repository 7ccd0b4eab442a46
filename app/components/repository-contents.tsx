import { type RepositoryCertificate, type RepositoryList } from "~/domain/repository/repository.service.server";
import { paths } from "~/lib/paths";
import { Card } from "./card";
import { DataTable } from "./data-table";
import { DescriptionList } from "./description-list";
import { PageHeader } from "./page-header";
import { useShell } from "./shell";
import { Time } from "./time";

interface Props {
  certificates: readonly RepositoryCertificate[];
  lists: readonly RepositoryList[];
}

/** The certificate repository (B §2): the same for everybody but the way back. Plain links, readable without scripts. */
export function RepositoryContents({ certificates, lists }: Props) {
  const { user } = useShell();
  return (
    <div className="stack-l">
      <PageHeader title="Certificate Repository" back={{ to: user ? paths.dashboard : paths.login(), label: "Back" }}>
        Root and issuing CA certificates and certificate revocation lists, free for everybody to download.
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
      <section className="stack" aria-labelledby="revocation-lists">
        <h2 id="revocation-lists">Certificate revocation lists</h2>
        <p>
          A list holds all revoked certificates that have not expired; a delta list holds those of the last days.
          Software fetches them by itself from the addresses that certificates carry.
        </p>
        <ListTable lists={lists} />
      </section>
    </div>
  );
}

function CertificateCard({ caption, subject, validFrom, validUntil, sha256, sha1, url, links }: RepositoryCertificate) {
  return (
    <Card title={caption} level={3}>
      <DescriptionList
        items={[
          { term: "Subject", detail: subject },
          {
            term: "Valid",
            detail: (
              <>
                <Time value={validFrom} /> to <Time value={validUntil} />
              </>
            ),
          },
          { term: "SHA-256 fingerprint", detail: <span className="mono">{sha256}</span> },
          { term: "SHA-1 fingerprint", detail: <span className="mono">{sha1}</span> },
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

function ListTable({ lists }: Pick<Props, "lists">) {
  return (
    <DataTable
      caption="Latest lists"
      rows={lists}
      rowKey={({ file }) => file}
      empty="No list has been published yet"
      columns={[
        {
          key: "caption",
          label: "List",
          rowHeader: true,
          cell: ({ caption, current, href, url }) => (
            <>
              {current ? <a href={href}>{caption} list</a> : `${caption} list`}
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
