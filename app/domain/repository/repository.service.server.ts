import { describeCertificate } from "~/ca/certificate/describe.server";
import { issuerLimits, limitTexts } from "~/ca/names/issuer-limits.server";
import { thumbprint } from "~/ca/thumbprint.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { nameCrossCertificates, type NamedCrossCertificate } from "~/domain/authorities/cross-certificates.server";
import { authorityLife, lifeText } from "~/domain/authorities/life.policy";
import { authorityCaption } from "~/domain/authorities/subject.server";
import { repositoryFiles, repositoryUrl } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { listAuthorityStates } from "~db/repositories/authorities.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { listCrossCertificates, listCrossCertificateStates } from "~db/repositories/cross-certificates.server";
import { ARCHIVE_NAMES, readArchived } from "./archive.server";
import { POLICIES } from "./policies/catalogue";
import { certificatePem } from "./repository-file.server";

/** Returns a text that changes when what the repository page shows of CAs, cross-certificates and CRLs changes. */
export async function repositoryState(now = new Date()): Promise<string> {
  const all = await listAuthorityStates(getDb());
  const cross = await listCrossCertificateStates(getDb());
  return [
    ...all.map((one) => `${one.id}.${one.crlNumber}.${authorityLife(one, all, now)}.${one.issuesFrom}`),
    ...cross.map((one) => `cross ${one.id}.${stateOfCross(one, now)}`),
  ].join();
}

export interface RepositoryLink {
  href: string;
  file: string;
  /** Either "DER" or "PEM". */
  encoding: string;
  /** The size in bytes. */
  size: number;
}

export interface RepositoryCertificate {
  name: string;
  caption: string;
  /** What the CA does now, in words. */
  state: string;
  subject: string;
  /** Who signed a cross-certificate. Null for a CA of the portal, whose hierarchy says it. */
  issuer: string | null;
  /** What the CA may certify, in words. Empty when its certificate does not limit it. */
  limits: string[];
  /** ISO timestamps. */
  validFrom: string;
  validUntil: string;
  /** In hex with colons. */
  sha256: string;
  sha1: string;
  /** The address that certificates contain. */
  url: string;
  links: RepositoryLink[];
}

export interface RepositoryCrl {
  name: string;
  caption: string;
  isDelta: boolean;
  file: string;
  href: string;
  url: string;
  /** Null until the first CRL is published. */
  current: { number: number; thisUpdate: string; nextUpdate: string; entryCount: number } | null;
}

type Described = Pick<RepositoryCertificate, "name" | "caption" | "state" | "issuer"> & { certificate: Buffer };

function describeCaCertificate({ name, caption, state, issuer, certificate }: Described): RepositoryCertificate {
  const { subjectName, startDate, endDate } = describeCertificate(certificate);
  const link = (file: string, encoding: string, size: number) => ({
    href: paths.repositoryFile(file),
    file,
    encoding,
    size,
  });
  return {
    name,
    caption,
    state,
    subject: subjectName,
    issuer,
    limits: limitTexts(issuerLimits(certificate)),
    validFrom: startDate,
    validUntil: endDate,
    sha256: colonHex(thumbprint(certificate, "sha256")),
    sha1: colonHex(thumbprint(certificate, "sha1")),
    url: repositoryUrl(repositoryFiles.certificate(name)),
    links: [
      link(repositoryFiles.certificate(name), "DER", certificate.length),
      link(repositoryFiles.certificatePem(name), "PEM", certificatePem(certificate).length),
    ],
  };
}

/** Returns what a cross-certificate is good for now, in words. */
function stateOfCross(
  { revokedAt, notAfter }: Pick<NamedCrossCertificate, "revokedAt" | "notAfter">,
  now: Date,
): string {
  if (revokedAt !== null) return `Revoked on ${formatDate(revokedAt)}`;
  return Date.parse(notAfter) > now.getTime() ? "In force" : "Ended";
}

function describeCross(row: NamedCrossCertificate, now: Date): RepositoryCertificate {
  const { name, authority, issuer, issuerCertificate, issuerName, certificate } = row;
  const signer = issuerCertificate && describeCertificate(issuerCertificate).subject.commonName;
  const caption = `${authority.caption} by ${issuer?.caption ?? authorityCaption(signer ?? issuerName)}`;
  return describeCaCertificate({ name, caption, state: stateOfCross(row, now), issuer: issuerName, certificate });
}

async function describeCrlFile({ id, name, caption }: Authority, isDelta: boolean): Promise<RepositoryCrl> {
  const file = isDelta ? repositoryFiles.deltaList(name) : repositoryFiles.list(name);
  const latest = await findLatestCrlSummary(getDb(), id, isDelta);
  return {
    name,
    caption: isDelta ? `${caption} delta` : caption,
    isDelta,
    file,
    href: paths.repositoryFile(file),
    url: repositoryUrl(file),
    current: latest && {
      number: latest.number,
      thisUpdate: latest.thisUpdate,
      nextUpdate: latest.nextUpdate,
      entryCount: latest.entryCount,
    },
  };
}

export interface RepositoryPolicy {
  name: string;
  /** The name of the document in REP-02. */
  caption: string;
  /** The address of the PDF. */
  href: string;
  /** The address of the page with the same text. */
  page: string;
}

export interface Repository {
  certificates: RepositoryCertificate[];
  /** The certificates that other CAs signed for CAs of the portal. */
  crossCertificates: RepositoryCertificate[];
  lists: RepositoryCrl[];
  policies: RepositoryPolicy[];
  /** The files of a former CA. Empty when no archive is configured. */
  archive: { file: string; href: string }[];
  policyVersion: string;
  /** An ISO date. */
  policyDate: string;
}

const listPolicies = (): RepositoryPolicy[] =>
  POLICIES.map(({ name, caption, file }) => ({
    name,
    caption,
    href: paths.repositoryFile(file),
    page: paths.policy(name),
  }));

async function listArchive(): Promise<{ file: string; href: string }[]> {
  const found = await Promise.all(ARCHIVE_NAMES.map(async (file) => ((await readArchived(file)) ? file : null)));
  return found.filter((file) => file !== null).map((file) => ({ file, href: paths.repositoryFile(file) }));
}

/**
 * Returns what the repository page shows: the certificates of all authorities with their latest CRLs (roots have no delta CRL), the
 * cross-certificates, the policies, and the archive.
 */
export async function listRepository(now = new Date()): Promise<Repository> {
  const stored = await listAuthorities(getDb());
  const certificates: RepositoryCertificate[] = [];
  const lists: RepositoryCrl[] = [];
  // Both roots come first, as in REP-01.
  for (const authority of [...stored].sort((a, b) => Number(b.isRoot) - Number(a.isRoot))) {
    certificates.push(describeCaCertificate({ ...authority, state: lifeText(authority, stored, now), issuer: null }));
    lists.push(await describeCrlFile(authority, false));
    if (!authority.isRoot) lists.push(await describeCrlFile(authority, true));
  }
  const cross = nameCrossCertificates(await listCrossCertificates(getDb()), stored);
  const crossCertificates = cross.map((row) => describeCross(row, now));
  const { version, date } = getConfig().policies;
  const [policies, archive] = [listPolicies(), await listArchive()];
  return { certificates, crossCertificates, lists, policies, archive, policyVersion: version, policyDate: date };
}
