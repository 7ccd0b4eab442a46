import { type AuthorityName } from "~db/tables";

/** The names of the files in the repository. Certificates contain them, so they never change. */
export const repositoryFiles = {
  certificate: (name: AuthorityName) => `${name}.cer`,
  certificatePem: (name: AuthorityName) => `${name}.pem`,
  list: (name: AuthorityName) => `${name}.crl`,
  deltaList: (name: AuthorityName) => `${name}-delta.crl`,
  policy: "certificate-policy.pdf",
  /** The file to which the CPS pointer refers (RFC 5280 §4.2.1.4). */
  practiceStatement: "certification-practice-statement.pdf",
  agreement: "subscriber-agreement.pdf",
};
