import { CaError } from "../errors.server";
import { type CaCertificateKind, lintCaCertificate } from "../lint/ca-lints.server";
import { lintText, sayIf } from "../lint/lint.server";
import { isSignedBy } from "./check.server";
import { readIssuer } from "./issuer.server";
import { parseCertificate } from "./parse.server";

/** The stored certificate of a CA or an OCSP responder. */
export interface StoredCaCertificate {
  der: Uint8Array;
  kind: CaCertificateKind;
  /** The certificate of the CA that signed it; that of a root is its own. */
  issuerDer: Uint8Array;
  /** The certificate that the CA of a cross-certificate has already, otherwise null. */
  existing: Uint8Array | null;
}

/** Returns what `find` returns, or that a certificate cannot be read. */
export function whenReadable(find: () => string[]): string[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof CaError)) throw error;
    return [`It cannot be read. ${error.message}`];
  }
}

/**
 * Returns a sentence for each thing that is wrong with the certificate, without what its row says about it. The test of a key of 4096 bits takes
 * about 0.1 s.
 */
export const auditCaCertificate = ({ der, kind, issuerDer, existing }: StoredCaCertificate): string[] =>
  whenReadable(() => {
    const issuer = kind === "root" ? null : issuerDer;
    const lints = lintCaCertificate(der, { kind, issuer, existing, hasUnknownKey: false });
    return [
      ...sayIf(
        !isSignedBy(parseCertificate(der), readIssuer(issuerDer)),
        "It is not signed with the key of its CA, so it was changed after it was signed.",
      ),
      ...lints.filter(({ severity }) => severity === "error").map(lintText),
    ];
  });
