import { certificateAddresses } from "~/lib/certificate-addresses.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { repositoryFiles } from "~/lib/repository-files";
import { type AuthorityName } from "~db/tables";
import { isRootName } from "./catalogue";

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
  const addresses = certificateAddresses(getEnv().repositoryUrl, name);
  return { ...addresses, deltaCrl: isRootName(name) ? null : addresses.deltaCrl };
}
