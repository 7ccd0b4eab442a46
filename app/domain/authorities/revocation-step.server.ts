import { describeCertificate } from "~/ca/certificate/describe.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { REASONS } from "~/domain/ceremony/plan-schema.server";
import { repositoryFiles } from "~/lib/repository-files";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { listCrossCertificates } from "~db/repositories/cross-certificates.server";
import { type Authority, getAuthority, listAuthorities } from "./authorities.service.server";
import { rootOf } from "./catalogue";
import { crlLife } from "./crl-life";
import { nameCrossCertificates } from "./cross-certificates.server";

const instant = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** What a root has signed and can revoke. */
interface Revocable {
  root: Authority;
  serialNumber: string;
}

/** Returns the issuing CA or the cross-certificate with this name. Throws an Error when no root of the portal has signed it. */
async function getRevocable(name: string): Promise<Revocable> {
  const authorities = await listAuthorities(getDb());
  const issuing = authorities.find((one) => one.name === name && !one.isRoot);
  if (issuing) {
    const root = await getAuthority(getDb(), rootOf(issuing.hierarchy));
    return { root, serialNumber: describeCertificate(issuing.certificate).serialNumber };
  }
  const cross = nameCrossCertificates(await listCrossCertificates(getDb()), authorities).find(
    (one) => one.name === name,
  );
  if (cross?.issuer) return { root: cross.issuer, serialNumber: cross.serialNumber };
  throw new Error(
    cross
      ? `'${name}' was signed by ${cross.issuerName}, which is no CA of this portal: only that CA can revoke it.`
      : `There is no issuing CA or cross-certificate '${name}'. 'ca status' shows their names.`,
  );
}

/**
 * Returns the step of a ceremony's plan, as lines of YAML, that makes the next CRL of a root with an issuing CA or a cross-certificate on it.
 * The files are those of the repository, beside the plan. The revocation is dated `now`, because nobody knows since when a key is compromised.
 *
 * @param reason A reason that a plan can give, such as `superseded`.
 * @throws Error for another reason, or when no root of the portal has signed something of this name.
 */
export async function revocationStep(name: string, reason: string, now = new Date()): Promise<string[]> {
  if (!Object.hasOwn(REASONS, reason))
    throw new Error(`The reason must be one of: ${Object.keys(REASONS).join(", ")}.`);
  const { root, serialNumber } = await getRevocable(name);
  const latest = await findLatestCrl(getDb(), root.id, false);
  const file = (fileName: string, bytes: Uint8Array) => `file: ${fileName}, sha256: "${sha256Hex(bytes)}" }`;
  const number = root.crlNumber + 1;
  return [
    `- name: ${root.name}-crl-${number}`,
    "  kind: crl",
    `  issuer: { name: ${root.name}, ${file(repositoryFiles.certificate(root.name), root.certificate)}`,
    "  crl:",
    `    hash: ${HIERARCHIES[root.hierarchy].hash}`,
    `    number: ${number}`,
    `    previous: ${latest ? `{ ${file(repositoryFiles.list(root.name), latest.der)}` : "none"}`,
    `    thisUpdate: "${instant(now.getTime())}"`,
    `    nextUpdate: "${instant(now.getTime() + crlLife({ isRoot: true }, false).lifetimeMs)}"`,
    "    revoked:",
    `      - serial: "${serialNumber}"`,
    `        date: "${instant(now.getTime())}"`,
    `        reason: ${reason}`,
  ];
}
