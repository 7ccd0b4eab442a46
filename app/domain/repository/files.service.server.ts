import { getConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { ARCHIVE_NAMES, readArchived } from "./archive.server";
import { POLICIES, type PolicyEntry } from "./policies/catalogue";
import { policyDate, policyPdf } from "./policies/policies.service.server";
import { isPublished, readPublished } from "./published.service.server";
import { CERTIFICATE_MEDIA_TYPES, file, LIST_TYPE, type RepositoryFile } from "./repository-file.server";

/** Returns the PDF of a policy. It is saved under a name that contains its version. */
async function readPolicy(entry: PolicyEntry): Promise<RepositoryFile> {
  const version = getConfig().policies.version.replace(/[^\w.-]+/g, "-");
  return file(await policyPdf(entry), {
    mediaType: "application/pdf",
    fileName: `${entry.name}-${version}.pdf`,
    isInline: true,
    lastModified: policyDate(),
    maxAge: DAY / 24 / 1000,
  });
}

async function readFromArchive(fileName: string): Promise<RepositoryFile | null> {
  const found = await readArchived(fileName);
  if (!found) return null;
  const { bytes, label, isPem, lastModified } = found;
  const mediaType = label === "CERTIFICATE" ? CERTIFICATE_MEDIA_TYPES[isPem ? "pem" : "der"] : LIST_TYPE;
  return file(bytes, { mediaType, fileName, lastModified, maxAge: DAY / 1000 });
}

/** Returns a sentence that says why there is no file with this name. */
export const missingFile = (fileName: string): string =>
  ARCHIVE_NAMES.includes(fileName)
    ? "There is no such file in the certificate repository: certificates and CRLs signed with SHA-1 are not published here."
    : "There is no such file in the certificate repository.";

/** Returns a file of the repository by its name (`root.cer`, `issuing-sha2-delta.crl`, …), or null when there is none. */
export async function readRepositoryFile(fileName: string, now = new Date()): Promise<RepositoryFile | null> {
  if (isPublished(fileName)) return readPublished(fileName, now);
  const policy = POLICIES.find((entry) => entry.file === fileName);
  return policy ? readPolicy(policy) : readFromArchive(fileName);
}
