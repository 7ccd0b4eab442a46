import { isSignedBy } from "~/ca/certificate/check.server";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { CaError } from "~/ca/errors.server";
import { type CaCertificateKind, lintCaCertificate } from "~/ca/lint/ca-lints.server";
import { lintText, sayIf } from "~/ca/lint/lint.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { rootOf } from "~/domain/authorities/catalogue";
import { nameCrossCertificates, type NamedCrossCertificate } from "~/domain/authorities/cross-certificates.server";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { listCrossCertificates } from "~db/repositories/cross-certificates.server";
import { listRespondersToAudit } from "~db/repositories/ocsp-responders.server";
import { type AuditRule, type FoundProblem } from "./rules";

/** Returns a sentence for each column of the row that differs from the certificate. */
const differences = (columns: readonly [name: string, isSame: boolean][]): string[] => {
  const different = columns.filter(([, isSame]) => !isSame).map(([name]) => name);
  return sayIf(different.length > 0, `The database and the certificate differ in: ${different.join(", ")}.`);
};

/** Returns what is wrong with the certificate of a CA or a responder, without what the row says about it. */
function problemsOf(
  der: Uint8Array,
  kind: CaCertificateKind,
  issuerDer: Uint8Array,
  existing: Uint8Array | null = null,
): string[] {
  const issuer = kind === "root" ? null : issuerDer;
  const lints = lintCaCertificate(der, { kind, issuer, existing, hasUnknownKey: false });
  return [
    ...sayIf(
      !isSignedBy(parseCertificate(der), readIssuer(issuerDer)),
      "It is not signed with the key of its CA, so it was changed after it was signed.",
    ),
    ...lints.filter(({ severity }) => severity === "error").map(lintText),
  ];
}

function whenReadable(find: () => string[]): string[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof CaError)) throw error;
    return [`It cannot be read. ${error.message}`];
  }
}

const found = (rule: AuditRule, subject: string, causes: readonly string[]): FoundProblem[] =>
  causes.map((cause) => ({ rule, subject, certificateId: null, cause }));

function problemsOfAuthority({ certificate, isRoot, subjectName, notAfter }: Authority, root: Authority): string[] {
  return whenReadable(() => {
    const description = describeCertificate(certificate);
    return [
      ...problemsOf(certificate, isRoot ? "root" : "issuing", root.certificate),
      ...differences([
        ["subject", description.subjectName === subjectName],
        ["expiry date", description.endDate === notAfter],
      ]),
    ];
  });
}

/** Returns what is wrong with a cross-certificate, its row, or the CRL of the root that signed it. */
async function problemsOfCross({ certificate, authority, issuer, ...row }: NamedCrossCertificate): Promise<string[]> {
  const crl = issuer && (await findLatestCrl(getDb(), issuer.id, false));
  return whenReadable(() => {
    const description = describeCertificate(certificate);
    const issuerDer = issuer?.certificate ?? row.issuerCertificate;
    if (!issuerDer) return ["The database has no certificate of the CA that signed it."];
    const entry = crl && describeCrl(crl.der).find(row.serialNumber);
    return [
      ...problemsOf(certificate, "cross-certificate", issuerDer, authority.certificate),
      ...differences([
        ["subject", description.subjectName === authority.subjectName],
        ["key", description.spkiSha256 === describeCertificate(authority.certificate).spkiSha256],
        ["issuer", description.issuerName === row.issuerName],
        ["serial number", description.serialNumber === row.serialNumber],
        ["start date", description.startDate === row.notBefore],
        ["expiry date", description.endDate === row.notAfter],
        ["thumbprint", description.thumbprintSha256 === row.thumbprint],
      ]),
      ...sayIf(
        crl !== null && (entry?.revocationDate.toISOString() ?? null) !== row.revokedAt,
        "The database and the CRL of its issuer differ about its revocation.",
      ),
    ];
  });
}

async function auditCrossCertificates(authorities: readonly Authority[]): Promise<FoundProblem[]> {
  const problems: FoundProblem[] = [];
  for (const row of nameCrossCertificates(await listCrossCertificates(getDb()), authorities))
    problems.push(...found("authority", `the cross-certificate ${row.name}`, await problemsOfCross(row)));
  return problems;
}

/** Audits the certificates of all CAs, cross-certificates and of the OCSP responders that have not ended. */
export async function auditAuthorities(now: Date): Promise<FoundProblem[]> {
  const authorities = await listAuthorities(getDb());
  const responders = await listRespondersToAudit(getDb(), now);
  return [
    ...authorities.flatMap((authority) => {
      const root = authorities.find(({ name }) => name === rootOf(authority.hierarchy)) ?? authority;
      return found("authority", `the certificate of ${authority.name}`, problemsOfAuthority(authority, root));
    }),
    ...(await auditCrossCertificates(authorities)),
    ...responders.flatMap(({ authorityId, generation, certificate, tbsCertificate, ...row }) => {
      const authority = authorities.find(({ id }) => id === authorityId);
      if (!authority || !certificate) return [];
      const causes = whenReadable(() => {
        const { serialNumber, startDate, endDate } = describeCertificate(certificate);
        const { tbs } = parseCertificate(certificate);
        return [
          ...problemsOf(certificate, "ocsp-responder", authority.certificate),
          ...differences([
            ["serial number", serialNumber === row.serialNumber],
            ["start date", startDate === row.notBefore],
            ["expiry date", endDate === row.notAfter],
            ["to-be-signed part", Buffer.compare(tbs, tbsCertificate) === 0],
          ]),
        ];
      });
      return found("responder", `OCSP responder ${generation} of ${authority.name}`, causes);
    }),
  ];
}
