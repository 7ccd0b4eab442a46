import { thumbprint } from "~/ca/thumbprint.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { getDb } from "~db/connection.server";
import { archiveFiles } from "./archive.server";

type Hash = "sha1" | "sha2" | "sha512";

/** The calls of API-03 that always return the same file, in lower case. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  downloadcertificatepolicy: repositoryFiles.policy,
  downloadcertificatepractice: repositoryFiles.practiceStatement,
  downloadsubscriberagreement: repositoryFiles.agreement,
};

const ROOTS = { sha2: "root", sha512: "root-g3" } as const;
const ISSUING = { sha2: "issuing-sha2", sha512: "issuing-g3" } as const;

const SHA1_LISTS: Readonly<Record<string, string>> = {
  root: archiveFiles.rootList,
  issuing: archiveFiles.list,
  issuingcadelta: archiveFiles.deltaList,
};

function certificateFile(kind: "root" | "issuing", hash: Hash, encoding: string): string {
  if (hash === "sha1") return kind === "root" ? archiveFiles.root(encoding) : archiveFiles.issuing(encoding);
  const name = (kind === "root" ? ROOTS : ISSUING)[hash];
  return encoding === "pem" ? repositoryFiles.certificatePem(name) : repositoryFiles.certificate(name);
}

function listFile(kind: string, hash: Hash): string {
  if (hash === "sha1") return SHA1_LISTS[kind] ?? "";
  if (kind === "root") return repositoryFiles.list(ROOTS[hash]);
  return kind === "issuing" ? repositoryFiles.list(ISSUING[hash]) : repositoryFiles.deltaList(ISSUING[hash]);
}

/**
 * Returns the file of the root with this hash algorithm, or with this SHA-1 or SHA-256 thumbprint. Without `hash`, returns the file of the
 * first root. Returns null when no root matches.
 */
async function rootFile(encoding: string, hash: string | undefined): Promise<string | null> {
  if (hash === undefined) return certificateFile("root", "sha2", encoding);
  const wanted = hash.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (wanted === "sha256") return certificateFile("root", "sha2", encoding);
  if (wanted === "sha1" || wanted === "sha2" || wanted === "sha512") return certificateFile("root", wanted, encoding);
  const roots = (await listAuthorities(getDb())).filter(({ isRoot }) => isRoot);
  const found = roots.find(({ certificate }) =>
    (["sha1", "sha256"] as const).some((algorithm) => thumbprint(certificate, algorithm).toLowerCase() === wanted),
  );
  if (!found) return null;
  return encoding === "pem" ? repositoryFiles.certificatePem(found.name) : repositoryFiles.certificate(found.name);
}

/**
 * Returns the name of the repository file that a call returns (API-03). Upper and lower case do not matter. Returns null when there is no
 * such call.
 */
export async function findFileOfCall(call: string, hash?: string): Promise<string | null> {
  const name = call.toLowerCase();
  const root = /^downloadrootcert(pem|der)?$/.exec(name);
  if (root) return rootFile(root[1] ?? "der", hash);
  if (hash !== undefined) return null;
  const issuing = /^downloadissuingcert(sha1|sha2|sha512)(der|pem)$/.exec(name);
  if (issuing) return certificateFile("issuing", issuing[1] as Hash, issuing[2] ?? "");
  const list = /^downloadcertrevlist(root|issuing|issuingcadelta)(sha1|sha2|sha512)$/.exec(name);
  if (list) return listFile(list[1] ?? "", list[2] as Hash);
  return DOCUMENTS[name] ?? null;
}
