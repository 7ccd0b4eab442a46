import { type CaLintContext, lintCaCertificate } from "~/ca/lint/ca-lints.server";
import { type LintSeverity } from "~/ca/lint/lint.server";
import { type CeremonyCertificateKind } from "./transfer-file.server";

/** What the rules found: `errors` stop the ceremony, `notices` are for people to decide. Each is a whole sentence. */
export interface Findings {
  errors: string[];
  notices: string[];
}

/** What a certificate is for. */
export interface LintContext extends CaLintContext {
  kind: CeremonyCertificateKind;
}

/**
 * Checks a certificate of a ceremony against RFC 5280 and the profile of the portal's CAs. Its signature is not looked at, so it can be
 * checked before it is signed.
 */
export function lintCertificate(der: Uint8Array, context: LintContext): Findings {
  const found = lintCaCertificate(der, context);
  const textsOf = (wanted: LintSeverity) => found.filter(({ severity }) => severity === wanted).map(({ text }) => text);
  return { errors: textsOf("error"), notices: textsOf("warning") };
}
