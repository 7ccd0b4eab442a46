/** The names of the files in the repository. Certificates contain them, so they never change. */
export const repositoryFiles = {
  certificate: (name: string) => `${name}.cer`,
  certificatePem: (name: string) => `${name}.pem`,
  /** The name of a cross-certificate, to which `certificate` and `certificatePem` add the ending. */
  cross: (authority: string, id: number) => `${authority}-cross-${id}`,
  list: (name: string) => `${name}.crl`,
  deltaList: (name: string) => `${name}-delta.crl`,
  policy: "certificate-policy.pdf",
  /** The file to which the CPS pointer refers (RFC 5280 §4.2.1.4). */
  practiceStatement: "certification-practice-statement.pdf",
  agreement: "subscriber-agreement.pdf",
};
