import { Note } from "../ui/note";

/** Warns that TLS partners cannot match the certificate by name. `children` says what to do about it. */
export const MissingHostNote = ({ children }: { children: React.ReactNode }) => (
  <Note tone="warn" title="No DNS name">
    <p>
      The certificate will have neither a DNS name nor an IP address: with Secure session (TLS), partners cannot match
      it with the name of the server that they call. {children}
    </p>
  </Note>
);
