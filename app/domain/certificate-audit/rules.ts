/** What the nightly audit can find, with the title and what staff do about it. */
export const AUDIT_RULES = {
  unreadable: {
    title: "The certificate cannot be read",
    todo: "Restore the certificate from a backup, and find out who changed the database.",
  },
  signature: {
    title: "The certificate was changed",
    todo: "Restore the certificate from a backup, and find out who changed the database.",
  },
  "another-certificate": {
    title: "The order has the certificate of another one",
    todo: "Restore the order's own certificate from a backup, and find out who changed the database.",
  },
  "row-differs": {
    title: "The database differs from the certificate",
    todo: "The certificate is what others see. Restore these columns of the database from a backup, and find out who changed the database.",
  },
  "profile-differs": {
    title: "The certificate differs from what was approved",
    todo: "Revoke the certificate unless the recorded profile was changed afterwards, and find out who did it.",
  },
  lint: {
    title: "The certificate breaks a rule for certificates",
    todo: "Reissue the certificate, or revoke it. If all new certificates break the rule, stop approving orders.",
  },
  key: {
    title: "The key would be refused today",
    todo: "Revoke the certificate, and ask the customer for an order with a new key.",
  },
  names: {
    title: "A name would be refused today",
    todo: "The certificate stays valid, but is not renewed. Tell the customer, who needs an order with other names.",
  },
  "missing-from-crl": {
    title: "A revoked certificate is missing from the CRL",
    todo: "Publish the CRLs with 'npm run portal -- ca publish'. If the next audit still finds this, find out who changed the database or the CRL.",
  },
  "revocation-incomplete": {
    title: "The revocation in the database is incomplete",
    todo: "No job can repair this. Restore what the database says about the certificate from a backup, and find out who changed it.",
  },
  "surplus-on-crl": {
    title: "The CRL revokes what the database does not",
    todo: "A revocation that was published is final. Restore the revocation from a backup, and find out who changed the database.",
  },
  "ocsp-differs": {
    title: "OCSP contradicts the database",
    todo: "Restore what the database says about the revocation from a backup, and find out who changed it.",
  },
  crl: {
    title: "A CRL is not sound",
    todo: "Publish the CRLs with 'npm run portal -- ca publish'; import the CRL of a root again. Find out who changed the database.",
  },
  responder: {
    title: "The certificate of an OCSP responder is not sound",
    todo: "Run 'npm run portal -- ca renew-ocsp', and find out who changed the database.",
  },
  authority: {
    title: "The certificate of a CA is not sound",
    todo: "Compare the certificate with the one that was published. Restore it from a backup, and find out who changed the database.",
  },
  zlint: {
    title: "zlint objects to the certificate",
    todo: "Run zlint on the certificate to see the details. Reissue the certificate, or write into lints.ignore why the lint does not apply.",
  },
  pkilint: {
    title: "pkilint objects to the certificate",
    todo: "Run lint_pkix_cert on the certificate to see the details. Reissue the certificate, or write into lints.ignore why the lint does not apply.",
  },
  linter: {
    title: "A linter gives no answer",
    todo: "Run the program by hand. Repair or remove it, or set its path in lints.programs. The next audit asks it about what it missed.",
  },
} as const satisfies Record<string, { title: string; todo: string }>;

export type AuditRule = keyof typeof AUDIT_RULES;

/** Returns how findings about a certificate name it. */
export const certificateSubject = (id: number): string => `certificate ${id}`;

/** Something that the audit found, before it is stored. */
export interface FoundProblem {
  rule: AuditRule;
  subject: string;
  certificateId: number | null;
  /** Whole sentences without personal data. */
  cause: string;
}

/** Returns title and advice of a stored rule, which may come from another version of the portal. */
export const auditRuleOf = (rule: string): { title: string; todo: string } =>
  Object.entries(AUDIT_RULES).find(([name]) => name === rule)?.[1] ?? { title: rule, todo: "" };
