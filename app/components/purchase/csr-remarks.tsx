import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { leftOutText } from "~/domain/certificates/request/csr-text";
import { isOftpId, OFTP_ID_FORM } from "~/lib/oftp-id";
import { MissingHostNote } from "../certificates/missing-host-note";
import { Note } from "../ui/note";

interface Props {
  details: ShownCsr;
  isRenewal: boolean;
}

function hostAdvice({ details: { commonName, missingHost }, isRenewal }: Props) {
  if (isRenewal) return "A renewal keeps the names; for others, order a new certificate.";
  if (missingHost?.dnsName)
    return (
      <>
        For {commonName} the CSR needs the alternative name <code>DNS:{missingHost.dnsName}</code>.
      </>
    );
  return "If they are to call a server of yours, import a CSR with its host name as alternative name (DNS).";
}

/** Notes about details that the certificate will not have, and details that partners may not understand. */
export function CsrRemarks(props: Props) {
  const { leftOut, ssid, missingHost } = props.details;
  return (
    <>
      {leftOut.length > 0 && (
        <Note tone="warn" title="Not in the certificate">
          <p>{leftOutText(leftOut)}</p>
        </Note>
      )}
      {ssid !== null && !isOftpId(ssid) && (
        <Note tone="warn" title="No OFTP ID">
          <p>
            The serial number {ssid} does not have the form of an OFTP ID ({OFTP_ID_FORM}). It goes into the certificate
            as it is; OFTP2 software may not find the certificate by it.
          </p>
        </Note>
      )}
      {missingHost && <MissingHostNote>{hostAdvice(props)}</MissingHostNote>}
    </>
  );
}
