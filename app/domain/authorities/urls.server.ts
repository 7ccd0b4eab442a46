import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { type AuthorityName } from "~db/tables";
import { isRootName } from "./catalogue";
import { repositoryFiles } from "./repository-files";

export { repositoryFiles };

/** Returns the URL of a repository file, which certificates contain. */
export const repositoryUrl = (file: string): string => getEnv().repositoryUrl + paths.repositoryFile(file);

export interface AuthorityUrls {
  crl: string;
  /** Null for roots, which have no delta CRLs. */
  deltaCrl: string | null;
  caIssuers: string;
  ocsp: string;
  cps: string;
}

/** Returns the URLs that a certificate issued by `name` contains (CRL distribution point, freshestCRL, AIA, CPS). */
export function authorityUrls(name: AuthorityName): AuthorityUrls {
  const base = getEnv().repositoryUrl;
  return {
    crl: repositoryUrl(repositoryFiles.list(name)),
    deltaCrl: isRootName(name) ? null : repositoryUrl(repositoryFiles.deltaList(name)),
    caIssuers: repositoryUrl(repositoryFiles.certificate(name)),
    ocsp: base + serverPaths.ocsp,
    cps: repositoryUrl(repositoryFiles.practiceStatement),
  };
}
