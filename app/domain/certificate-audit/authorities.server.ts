import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { type StoredCaCertificate, whenReadable } from "~/ca/certificate/stored-ca.server";
import { describeCrl } from "~/ca/crl/describe.server";
import { sayIf } from "~/ca/lint/lint.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { rootOf } from "~/domain/authorities/catalogue";
import { nameCrossCertificates, type NamedCrossCertificate } from "~/domain/authorities/cross-certificates.server";
import { inWorker } from "~/domain/workers/pool.server";
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

/** Returns what is wrong with a certificate and its row. The work with its key and its signature is done in a worker thread. */
const problemsOf = async (stored: StoredCaCertificate, ofRow: () => string[]): Promise<string[]> => [
  ...new Set([...(await inWorker("auditCaCertificate", stored)), ...whenReadable(ofRow)]),
];

const found = (rule: AuditRule, subject: string, causes: readonly string[]): FoundProblem[] =>
  causes.map((cause) => ({ rule, subject, certificateId: null, cause }));

const problemsOfAuthority = (
  { certificate, isRoot, subjectName, notAfter }: Authority,
  root: Authority,
): Promise<string[]> =>
  problemsOf(
    { der: certificate, kind: isRoot ? "root" : "issuing", issuerDer: root.certificate, existing: null },
    () => {
      const description = describeCertificate(certificate);
      return differences([
        ["subject", description.subjectName === subjectName],
        ["expiry date", description.endDate === notAfter],
      ]);
    },
  );

/** Returns what is wrong with a cross-certificate, its row, or the CRL of the root that signed it. */
async function problemsOfCross({ certificate, authority, issuer, ...row }: NamedCrossCertificate): Promise<string[]> {
  const crl = issuer && (await findLatestCrl(getDb(), issuer.id, false));
  const issuerDer = issuer?.certificate ?? row.issuerCertificate;
  if (!issuerDer) return ["The database has no certificate of the CA that signed it."];
  const existing = authority.certificate;
  return problemsOf({ der: certificate, kind: "cross-certificate", issuerDer, existing }, () => {
    const description = describeCertificate(certificate);
    const entry = crl && describeCrl(crl.der).find(row.serialNumber);
    return [
      ...differences([
        ["subject", description.subjectName === authority.subjectName],
        ["key", description.spkiSha256 === describeCertificate(existing).spkiSha256],
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

async function auditResponders(authorities: readonly Authority[], now: Date): Promise<FoundProblem[]> {
  const problems: FoundProblem[] = [];
  for (const { authorityId, generation, certificate, tbsCertificate, ...row } of await listRespondersToAudit(
    getDb(),
    now,
  )) {
    const authority = authorities.find(({ id }) => id === authorityId);
    if (!authority || !certificate) continue;
    const stored = {
      der: certificate,
      kind: "ocsp-responder",
      issuerDer: authority.certificate,
      existing: null,
    } as const;
    const causes = await problemsOf(stored, () => {
      const { serialNumber, startDate, endDate } = describeCertificate(certificate);
      return differences([
        ["serial number", serialNumber === row.serialNumber],
        ["start date", startDate === row.notBefore],
        ["expiry date", endDate === row.notAfter],
        ["to-be-signed part", Buffer.compare(parseCertificate(certificate).tbs, tbsCertificate) === 0],
      ]);
    });
    problems.push(...found("responder", `OCSP responder ${generation} of ${authority.name}`, causes));
  }
  return problems;
}

/** Audits the certificates of all CAs, cross-certificates and of the OCSP responders that have not ended. */
export async function auditAuthorities(now: Date): Promise<FoundProblem[]> {
  const authorities = await listAuthorities(getDb());
  const problems: FoundProblem[] = [];
  for (const authority of authorities) {
    const root = authorities.find(({ name }) => name === rootOf(authority.hierarchy)) ?? authority;
    const causes = await problemsOfAuthority(authority, root);
    problems.push(...found("authority", `the certificate of ${authority.name}`, causes));
  }
  return [...problems, ...(await auditCrossCertificates(authorities)), ...(await auditResponders(authorities, now))];
}
