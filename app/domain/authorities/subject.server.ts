import { type SubjectFields } from "~/ca/x509/name.server";
import { getConfig } from "~/lib/config.server";

/** The longest common name (X.520). */
const LONGEST_NAME = 64;

/** Returns the subject of a CA. The organisation precedes the CA's caption if both fit into a common name. */
export function authoritySubject(caption: string): SubjectFields {
  const { organisation, country } = getConfig().certificates;
  const named = `${organisation} ${caption}`;
  return { country, organisation, commonName: named.length <= LONGEST_NAME ? named : caption };
}

/** Returns the caption of a CA with this common name: what follows the organisation, or all of it. */
export function authorityCaption(commonName: string): string {
  const organisation = `${getConfig().certificates.organisation} `;
  return commonName.startsWith(organisation) ? commonName.slice(organisation.length) : commonName;
}
