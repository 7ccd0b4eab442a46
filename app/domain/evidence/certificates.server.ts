import { readIssuer } from "~/ca/certificate/issuer.server";
import { makeOcspRequest } from "~/ca/ocsp/make-request.server";
import { toPem } from "~/ca/pem.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { rootOf } from "~/domain/authorities/catalogue";
import { ownResponder } from "~/domain/ocsp/own-responder.server";
import { repositoryFiles } from "~/lib/repository-files";
import { getDb } from "~db/connection.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { orderRecord } from "./order-record.server";
import { type ZipFile } from "./zip-file.server";

/** How many certificates are read at a time. */
const ROWS_AT_ONCE = 100;

/** A certificate as the manifest names it. The paths are those of the files in the pack. */
export interface PackedCertificate {
  id: number;
  commonName: string;
  serialNumber: string;
  /** SHA-256 of the DER in lower-case hex. */
  sha256: string;
  file: string;
  issuer: string;
  ocsp: string | null;
}

export interface PackedAuthority {
  file: string;
  issuer: string;
}

export interface PackedCrl {
  file: string;
  issuer: string;
  number: number;
  thisUpdate: string;
  nextUpdate: string;
}

export interface PackedCertificates {
  certificates: PackedCertificate[];
  authorities: PackedAuthority[];
  crls: PackedCrl[];
}

const authorityFile = (name: string) => `authorities/${repositoryFiles.certificatePem(name)}`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Asks the responder of the issuing CA about a certificate. Returns null when there is no answer now. */
async function askStatus(issuer: Authority, serialNumber: string, now: Date): Promise<Uint8Array | null> {
  const request = makeOcspRequest(readIssuer(issuer.certificate), serialNumber);
  const { status, der } = await ownResponder()(request, { now });
  return status === "successful" ? der : null;
}

async function addCertificate(zip: ZipFile, row: CertificateRow, issuer: Authority | undefined, now: Date) {
  const folder = `certificates/${row.id}`;
  await zip.add(`${folder}/order.json`, json(await orderRecord(row)));
  await zip.add(`${folder}/request.csr`, toPem("CERTIFICATE REQUEST", row.csr));
  if (!row.der || !row.serialNumber || !issuer) return null;
  await zip.add(`${folder}/certificate.pem`, toPem("CERTIFICATE", row.der));
  const answer = await askStatus(issuer, row.serialNumber, now);
  if (answer) await zip.add(`${folder}/ocsp.der`, answer);
  return {
    id: row.id,
    commonName: row.commonName,
    serialNumber: row.serialNumber,
    sha256: (row.thumbprintSha256 ?? "").toLowerCase(),
    file: `${folder}/certificate.pem`,
    issuer: authorityFile(issuer.name),
    ocsp: answer && `${folder}/ocsp.der`,
  };
}

/** Adds the certificates of CAs, and their latest CRLs. */
async function addAuthorities(zip: ZipFile, authorities: readonly Authority[]) {
  const added: Pick<PackedCertificates, "authorities" | "crls"> = { authorities: [], crls: [] };
  for (const { id, name, hierarchy, isRoot, certificate } of authorities) {
    const file = authorityFile(name);
    await zip.add(file, toPem("CERTIFICATE", certificate));
    added.authorities.push({ file, issuer: isRoot ? file : authorityFile(rootOf(hierarchy)) });
    for (const isDelta of isRoot ? [false] : [false, true]) {
      const list = await findLatestCrl(getDb(), id, isDelta);
      if (!list) continue;
      const path = `crls/${isDelta ? repositoryFiles.deltaList(name) : repositoryFiles.list(name)}`;
      await zip.add(path, list.der);
      const { number, thisUpdate, nextUpdate } = list;
      added.crls.push({ file: path, issuer: file, number, thisUpdate, nextUpdate });
    }
  }
  return added;
}

/** Adds these certificates with their orders, their CAs and what says whether they are revoked. Without any certificate, all CAs are added. */
export async function addCertificates(zip: ZipFile, ids: readonly number[], now: Date): Promise<PackedCertificates> {
  const all = await listAuthorities(getDb());
  const used = new Set<Authority>();
  const certificates: PackedCertificate[] = [];
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const rows = await listCertificatesById(getDb(), ids.slice(at, at + ROWS_AT_ONCE));
    for (const row of rows.toSorted((one, other) => one.id - other.id)) {
      const issuer = all.find(({ id }) => id === row.authorityId);
      const added = await addCertificate(zip, row, issuer, now);
      if (added) certificates.push(added);
      if (issuer) used.add(issuer);
    }
  }
  const hierarchies = new Set([...used].map(({ hierarchy }) => hierarchy));
  const isUsed = (authority: Authority) =>
    used.has(authority) || (authority.isRoot && hierarchies.has(authority.hierarchy));
  return { certificates, ...(await addAuthorities(zip, used.size === 0 ? all : all.filter(isUsed))) };
}
