import { Note } from "../ui/note";

/** Says that TLS partners cannot match the certificate by name. In: what to do about it. */
export const MissingHostNote = ({ children }: { children: React.ReactNode }) => (
  <Note tone="warn" title="No DNS name">
    <p>
      The certificate will have neither a DNS name nor an IP address: with Secure session (TLS), partners cannot match
      it with the name of the server that they call. {children}
    </p>
  </Note>
);
