import { describeCertificate } from "~/ca/certificate/describe.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { repositoryFiles } from "~/lib/repository-files";
import { getDb } from "~db/connection.server";
import { findLatestCrl } from "~db/repositories/crls.server";
import { type AuthorityName } from "~db/tables";
import { getAuthority } from "./authorities.service.server";
import { rootOf } from "./catalogue";
import { crlLife } from "./crl-life";

const instant = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/**
 * Returns the step of a ceremony's plan, as lines of YAML, that makes the next CRL of a root with an issuing CA on it. The files are those
 * of the repository, beside the plan. The revocation is dated `now`, because nobody knows since when a key is compromised.
 */
export async function revocationStep(name: AuthorityName, now = new Date()): Promise<string[]> {
  const issuing = await getAuthority(getDb(), name);
  const root = await getAuthority(getDb(), rootOf(issuing.hierarchy));
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
    `      - serial: "${describeCertificate(issuing.certificate).serialNumber}"`,
    `        date: "${instant(now.getTime())}"`,
    "        reason: cACompromise",
  ];
}
