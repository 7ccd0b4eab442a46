import { thumbprint } from "~/ca/thumbprint.server";
import { type Authority, findIssuer, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName, type HierarchyName } from "~db/tables";
import { archiveFiles } from "./archive.server";

type Hash = "sha1" | "sha2" | "sha512";

/** The calls of API-03 that always return the same file, in lower case. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  downloadcertificatepolicy: repositoryFiles.policy,
  downloadcertificatepractice: repositoryFiles.practiceStatement,
  downloadsubscriberagreement: repositoryFiles.agreement,
  downloadcertrevlistrootsha1: archiveFiles.rootList,
  downloadcertrevlistrootsha2: repositoryFiles.list("root"),
  downloadcertrevlistrootsha512: repositoryFiles.list("root-g3"),
};

const hashName = (hash: string) => hash.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Returns whether a CA's certificate has this SHA-1 or SHA-256 thumbprint. */
const hasThumbprint = ({ certificate }: Authority, wanted: string) =>
  (["sha1", "sha256"] as const).some((algorithm) => thumbprint(certificate, algorithm).toLowerCase() === wanted);

const certificateFile = (name: AuthorityName, encoding: string) =>
  encoding === "pem" ? repositoryFiles.certificatePem(name) : repositoryFiles.certificate(name);

/**
 * Returns the file of the root with this hash algorithm, or with this SHA-1 or SHA-256 thumbprint. Without `hash`, returns the file of the
 * first root. Returns null when no root matches.
 */
async function rootFile(encoding: string, hash = "sha2"): Promise<string | null> {
  const wanted = hashName(hash);
  if (wanted === "sha1") return archiveFiles.root(encoding);
  if (wanted === "sha256" || wanted === "sha2") return certificateFile("root", encoding);
  if (wanted === "sha512") return certificateFile("root-g3", encoding);
  const roots = (await listAuthorities(getDb())).filter(({ isRoot }) => isRoot);
  const found = roots.find((root) => hasThumbprint(root, wanted));
  return found ? certificateFile(found.name, encoding) : null;
}

/**
 * Returns a file of the issuing CA of a hierarchy that issues now, or of the one with this thumbprint, which may also issue later or no
 * longer. Returns null when there is none.
 */
async function issuingFile(
  hierarchy: HierarchyName,
  fingerprint: string | undefined,
  fileOf: (name: AuthorityName) => string,
  now: Date,
): Promise<string | null> {
  if (fingerprint === undefined) {
    const issuer = await findIssuer(getDb(), hierarchy, now);
    return issuer && fileOf(issuer.name);
  }
  const issuing = (await listAuthorities(getDb())).filter((one) => !one.isRoot && one.hierarchy === hierarchy);
  const found = issuing.find((authority) => hasThumbprint(authority, hashName(fingerprint)));
  return found ? fileOf(found.name) : null;
}

/** The files of a call about issuing CAs: the one of the former CA with SHA-1, and the one of each CA. */
type IssuingFiles = [archived: string, fileOf: (name: AuthorityName) => string];

function issuingFiles(name: string): { hash: Hash; files: IssuingFiles } | null {
  const [, ofCertificate, encoding = ""] = /^downloadissuingcert(sha1|sha2|sha512)(der|pem)$/.exec(name) ?? [];
  if (ofCertificate)
    return {
      hash: ofCertificate as Hash,
      files: [archiveFiles.issuing(encoding), (authority) => certificateFile(authority, encoding)],
    };
  const [, delta, ofList] = /^downloadcertrevlistissuing(cadelta)?(sha1|sha2|sha512)$/.exec(name) ?? [];
  if (!ofList) return null;
  const files: IssuingFiles = delta
    ? [archiveFiles.deltaList, repositoryFiles.deltaList]
    : [archiveFiles.list, repositoryFiles.list];
  return { hash: ofList as Hash, files };
}

/**
 * Returns the name of the repository file that a call returns (API-03). Upper and lower case do not matter. Returns null when there is no
 * such call, and when no CA has the thumbprint.
 *
 * @param hash What follows the name of the call: for a root its hash algorithm or thumbprint, for an issuing CA its thumbprint.
 */
export async function findFileOfCall(call: string, hash?: string, now = new Date()): Promise<string | null> {
  const name = call.toLowerCase();
  const root = /^downloadrootcert(pem|der)?$/.exec(name);
  if (root) return rootFile(root[1] ?? "der", hash);
  const issuing = issuingFiles(name);
  if (issuing) {
    const [archived, fileOf] = issuing.files;
    if (issuing.hash !== "sha1") return issuingFile(issuing.hash === "sha2" ? "sha2" : "g3", hash, fileOf, now);
    return hash === undefined ? archived : null;
  }
  return hash === undefined ? (DOCUMENTS[name] ?? null) : null;
}
