import { type PreparationCommands } from "~/domain/certificates/request/preparation/commands.server";
import { Card } from "../ui/card";
import { DownloadLink } from "../ui/download-link";
import { PemText } from "../ui/pem-block";

interface Props {
  commands: PreparationCommands;
  /** The address of the configuration file. */
  fileHref: string;
}

/** The ways to create key and CSR with commands. */
export function CommandCards({ commands, fileHref }: Props) {
  return (
    <>
      <Card title="OpenSSL on Linux and macOS" className="stack">
        <p>The first command asks for a passphrase for the key, twice; the second asks for it once more.</p>
        <PemText label="OpenSSL commands" value={`${commands.key}\n${commands.request}`} />
      </Card>
      <Card title="OpenSSL on Windows, or with a configuration file" className="stack">
        <p>
          Save <DownloadLink href={fileHref}>request.cnf</DownloadLink> in the folder where you work. The commands are
          the same in PowerShell, the command prompt and other shells.
        </p>
        <PemText label="OpenSSL commands with a file" value={`${commands.key}\n${commands.requestFromFile}`} />
        <details>
          <summary>What the file says</summary>
          <PemText label="request.cnf" value={commands.file} />
        </details>
      </Card>
      <Card title="Java’s keytool" className="stack">
        <p>
          Keep <code>private.p12</code>: it holds the key. The commands are the same on Windows; names are written in
          hexadecimal where a shell could misread them.
        </p>
        <PemText label="keytool commands" value={commands.keytool} />
      </Card>
    </>
  );
}
