import { Link } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { Note } from "../ui/note";

/** Explains what happens to a certificate that has been or will be replaced. */
export function ReplacedNote({ id }: { id: number }) {
  return (
    <Note tone="warn" title={`Certificate ${id} stays valid until it is revoked.`}>
      <p>
        When the partners use the new certificate, or at once if its key is lost or known to others:{" "}
        <Link to={paths.certificateRevoke(id)}>revoke certificate {id}</Link>.
      </p>
    </Note>
  );
}
