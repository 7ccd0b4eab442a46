import { HIERARCHIES } from "~/ca/hierarchies.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findAuthority } from "./authorities.service.server";
import { issuingHierarchy, rootOf } from "./catalogue";
import { authoritySubject } from "./subject.server";
import { authorityUrls, repositoryFiles } from "./urls.server";

/**
 * Returns the step of a ceremony's plan, as lines of YAML, that signs the request of an issuing CA with the policy and the addresses of this
 * portal. The request and the root's certificate are beside the plan. While the portal has no root, the issuer is the step that makes it.
 *
 * @param name The name of the future CA, which belongs to a hierarchy.
 * @param caption What people will call it.
 * @param request The name of the request's file, and its content.
 */
export async function requestStep(
  name: string,
  caption: string,
  request: { file: string; pem: string },
): Promise<string[]> {
  const hierarchy = issuingHierarchy(name) ?? getConfig().certificates.hierarchy;
  const rootName = rootOf(hierarchy);
  const root = await findAuthority(getDb(), rootName);
  const { hash, issuingYears } = HIERARCHIES[hierarchy];
  const { crl, caIssuers, cps } = authorityUrls(rootName);
  const { policyOid } = getConfig().certificates;
  const file = (fileName: string, bytes: Uint8Array) =>
    `{ file: ${JSON.stringify(fileName)}, sha256: "${sha256Hex(bytes)}" }`;
  const subject = Object.entries(authoritySubject(caption)).map(
    ([key, value]) => `      ${key}: ${JSON.stringify(value)}`,
  );
  return [
    `- name: ${name}`,
    "  kind: issuing",
    ...(root
      ? [
          "  issuer:",
          `    name: ${rootName}`,
          `    file: ${repositoryFiles.certificate(rootName)}`,
          `    sha256: "${sha256Hex(root.certificate)}"`,
        ]
      : [`  issuer: ${rootName}`]),
    `  request: ${file(request.file, Buffer.from(request.pem))}`,
    "  certificate:",
    "    subject:",
    ...subject,
    `    hash: ${hash}`,
    `    years: ${issuingYears}`,
    `    policy: { oid: "${policyOid}", cps: "${cps}" }`,
    `    crl: "${crl}"`,
    `    caIssuers: "${caIssuers}"`,
  ];
}
