import { paths } from "./paths";
import { repositoryFiles } from "./repository-files";
import { serverPaths } from "./server-paths.server";

/**
 * Returns the addresses that a certificate of this CA contains (CRL distribution point, freshestCRL, AIA, CPS).
 *
 * @param base The address of the repository, without a slash at its end.
 * @param name The name of the CA.
 */
export function certificateAddresses(base: string, name: string) {
  const file = (fileName: string): string => base + paths.repositoryFile(fileName);
  return {
    crl: file(repositoryFiles.list(name)),
    deltaCrl: file(repositoryFiles.deltaList(name)),
    caIssuers: file(repositoryFiles.certificate(name)),
    ocsp: base + serverPaths.ocsp,
    cps: file(repositoryFiles.practiceStatement),
  };
}
