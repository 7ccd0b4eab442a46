import { checkAlternativeHost, checkSubjectHosts } from "~/ca/names/name-policy.server";
import { type AlternateName } from "~/ca/x509/general-names.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { explainedBreach } from "./explained-rules.server";
import { type SubjectName } from "./subject-names.server";

/** The statuses of certificates that can be renewed now or later. */
const IN_USE: readonly string[] = ["Issued", "Downloaded"];

/** Returns whether a certificate with this status can be renewed now or later. */
export const isInUse = (status: string): boolean => IN_USE.includes(status);

interface Certificate {
  status: string;
  commonName: string;
  email: string | null;
  names: readonly SubjectName[];
}

/**
 * Returns the rule and a sentence for each name of a certificate in use that today's policy of names refuses. Such a certificate stays valid, but it
 * cannot be renewed.
 */
export function refusedNamesOf({ status, commonName, email, names }: Certificate): BrokenRule[] {
  if (!isInUse(status)) return [];
  const policy = { allowedNames: allowedNames() };
  const refusals = [
    ...checkSubjectHosts({ commonName, email: email ?? "" }, policy),
    ...names.flatMap((name) => checkAlternativeHost(name as AlternateName, policy)),
  ];
  return refusals.map(({ code, sentence }) => explainedBreach(code, sentence));
}
