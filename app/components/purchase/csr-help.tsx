import { NewTabLink } from "../ui/new-tab-link";
import { useShell } from "../shell/shell";

/** Where those who have no CSR yet get one. */
export function CsrHelp() {
  const { prepareCsrLink } = useShell().portal.links;
  return (
    <p>
      No CSR yet? <NewTabLink href={prepareCsrLink}>Prepare CSR</NewTabLink> writes the commands for OpenSSL and
      keytool.
    </p>
  );
}
