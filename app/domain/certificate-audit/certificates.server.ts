import { z } from "zod";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { type StoredCertificate, type StoredVerdict } from "~/ca/certificate/stored.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { isInUse } from "~/domain/certificates/request/refused-names.server";
import { problemsOfSoundKeys } from "~/domain/keys/check.service.server";
import { inWorker } from "~/domain/workers/pool.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findIdsBySerial, type RowToAudit } from "~db/repositories/certificate-audits.server";
import { type PublishedCrls } from "./crls.server";
import { type AuditRule, certificateSubject, type FoundProblem } from "./rules";
import { auditStatuses } from "./statuses.server";

const storedNames = z.array(z.object({ type: z.string(), value: z.string() }));
const storedProfile = z.object({ alternateNames: z.array(z.unknown()) }).passthrough();

/** Returns the value of a JSON column, null when it is empty, or undefined when it cannot be read. */
function parsed<Value>(text: string | null, schema: z.ZodType): Value | null | undefined {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return schema.safeParse(value).success ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

type WithCertificate = RowToAudit & { der: Buffer };

function toStored(row: WithCertificate, issuerDer: Buffer): StoredCertificate {
  const { der, serialNumber, thumbprint, thumbprintSha256, startDate, expiryDate } = row;
  const { keyIdentity, publicKeySha256, commonName, organisation, country, ssid, tbsCertificate } = row;
  const requestedNames = parsed<AlternateName[]>(row.subjectAlternateName, storedNames);
  const profile = parsed<CertificateProfile>(row.certificateProfile, storedProfile);
  return {
    der,
    issuerDer,
    serialNumber,
    thumbprint,
    thumbprintSha256,
    startDate,
    expiryDate,
    keyIdentity,
    publicKeySha256,
    commonName,
    organisation,
    country,
    ssid,
    tbs: tbsCertificate,
    requestedNames: requestedNames ?? null,
    profile: profile ?? null,
    unreadableColumns: [
      ...(requestedNames === undefined ? ["alternative names"] : []),
      ...(profile === undefined ? ["profile"] : []),
    ],
  };
}

const problem = ({ id }: RowToAudit, rule: AuditRule, cause: string): FoundProblem => ({
  rule,
  subject: certificateSubject(id),
  certificateId: id,
  cause,
});

/** A row, its CA, and what the worker thread says about its certificate. */
export interface AuditedRow {
  row: WithCertificate;
  verdict: StoredVerdict;
}

/** Returns what the database knows against the keys of these certificates. */
async function keyProblems(audited: readonly AuditedRow[]): Promise<FoundProblem[]> {
  const keys = audited.flatMap(({ row: { id, companyId }, verdict: { key, problems } }) =>
    key && !problems.some(({ rule }) => rule === "key")
      ? [{ id, companyId, keyIdentity: key.keyIdentity, csr: key }]
      : [],
  );
  const problems = await problemsOfSoundKeys(keys);
  return audited.flatMap(({ row }) => {
    const cause = problems.get(row.id);
    return cause === undefined ? [] : [problem(row, "key", cause)].filter(concerns(row));
  });
}

/** What is done about these rules is to revoke the certificate. */
const ENDED_BY_REVOCATION: readonly AuditRule[] = ["key", "lint"];

/** Names that are refused today matter only while the certificate might be renewed. */
const concerns =
  ({ status }: RowToAudit) =>
  ({ rule }: Pick<FoundProblem, "rule">): boolean =>
    rule === "names" ? isInUse(status) : status !== "Revoked" || !ENDED_BY_REVOCATION.includes(rule);

/**
 * Names the certificates to which the serial numbers of exchanged certificates belong. Where there is none, only the column was changed.
 */
async function withOwners(audited: readonly AuditedRow[]): Promise<FoundProblem[]> {
  const isExchanged = ({ verdict }: AuditedRow) => verdict.problems.some(({ rule }) => rule === "another-certificate");
  const exchanged = audited.filter(isExchanged).flatMap(({ verdict }) => verdict.serialNumber ?? []);
  const owners = await findIdsBySerial(getDb(), exchanged);
  return audited.flatMap(({ row, verdict: { problems, serialNumber } }) =>
    problems.filter(concerns(row)).map(({ rule, cause }) => {
      if (rule !== "another-certificate") return problem(row, rule, cause);
      const owner = owners.get(serialNumber ?? "");
      return owner === undefined
        ? problem(row, "row-differs", cause)
        : problem(row, rule, `${cause} That is certificate ${owner}.`);
    }),
  );
}

/**
 * Audits these rows. The work with certificates is done in a worker thread.
 *
 * @param authorities All CAs, by id.
 * @param crls The CRLs that the issuing CAs publish, by the id of the CA.
 * @param now When the audit reads the CRLs.
 */
export async function auditRows(
  rows: readonly RowToAudit[],
  authorities: ReadonlyMap<number, Authority>,
  crls: ReadonlyMap<number, PublishedCrls>,
  now: Date,
): Promise<FoundProblem[]> {
  const issuerOf = ({ authorityId }: RowToAudit) => authorities.get(authorityId ?? 0);
  const hasCertificate = (row: RowToAudit): row is WithCertificate => row.der !== null && issuerOf(row) !== undefined;
  const readable = rows.filter(hasCertificate);
  const policy = { keyAlgorithms: getConfig().certificates.keyAlgorithms, allowedNames: allowedNames() };
  const stored = readable.map((row) => toStored(row, (issuerOf(row) as Authority).certificate));
  const verdicts = stored.length > 0 ? await inWorker("auditCertificates", { stored, policy }) : [];
  const audited = readable.map((row, index) => ({ row, verdict: verdicts[index] as StoredVerdict }));
  const missing = rows
    .filter((row) => !hasCertificate(row))
    .map((row) => problem(row, "unreadable", "The database has no certificate, or not the CA that issued it."));
  const moved = rows
    .filter(({ companyId, orderCompanyId }) => companyId !== orderCompanyId)
    .map((row) => problem(row, "row-differs", "It belongs to another company than its order."));
  const own = audited.filter(({ verdict: { serialNumber }, row }) => serialNumber === row.serialNumber);
  return [
    ...missing,
    ...moved,
    ...(await withOwners(audited)),
    ...(await keyProblems(audited)),
    ...(await auditStatuses(
      own.map(({ row }) => row),
      crls,
      now,
    )),
  ];
}
