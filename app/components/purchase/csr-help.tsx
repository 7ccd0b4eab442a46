import { NewTabLink } from "~/components/new-tab-link";
import { useShell } from "~/components/shell";

const COMMAND = `openssl req -new -newkey rsa:3072 -keyout private.key -out request.csr \\
  -subj "/C=GB/L=Coventry/O=Example Parts Ltd/CN=oftp.example.com" \\
  -addext "subjectAltName=DNS:oftp.example.com"`;

/** How to make a CSR, for those who have none yet. */
export function CsrHelp() {
  const { prepareCsrLink } = useShell().portal.links;
  return (
    <details>
      <summary>How to make a CSR with OpenSSL</summary>
      <div className="stack">
        <pre tabIndex={0}>{COMMAND}</pre>
        <p>
          Put your own country, city, organisation and host name in. Keep <code>private.key</code> to yourself and
          import <code>request.csr</code>. More help: <NewTabLink href={prepareCsrLink}>Prepare CSR</NewTabLink>.
        </p>
      </div>
    </details>
  );
}
