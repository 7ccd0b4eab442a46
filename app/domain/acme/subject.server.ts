import { type Csr } from "~/ca/csr/read.server";
import { attributeTypeOf, type SubjectField, type SubjectFields } from "~/ca/x509/name.server";
import { hasWholeSubject } from "~/domain/certificates/request/given-subject.server";
import { type StandingRow } from "~db/repositories/standing-authorisations.server";
import { AcmeProblem } from "./problem";

const badCsr = (detail: string) => new AcmeProblem("badCSR", detail);

/** The longest common name (X.520, RFC 5280 appendix A.1). */
const LONGEST_COMMON_NAME = 64;

const list = (names: readonly string[]) => names.join(", ");

/** Throws an AcmeProblem `badCSR` unless the CSR has exactly the names of the order, as alternative names or common name (RFC 8555 §7.4). */
function requireSameNames({ subject, subjectAlternateName }: Csr, names: readonly string[]): void {
  const others = subjectAlternateName.filter(({ type }) => type !== "dns");
  if (others.length > 0)
    throw badCsr(`The CSR has alternative names that are not DNS names: ${list(others.map(({ value }) => value))}.`);
  const stated = subjectAlternateName.map(({ value }) => value.toLowerCase());
  const commonName = subject.commonName?.trim().toLowerCase();
  if (commonName && !names.includes(commonName))
    throw badCsr(`The common name '${commonName}' of the CSR is not one of the names of the order: ${list(names)}.`);
  const all = new Set([...stated, ...(commonName ? [commonName] : [])]);
  const missing = names.filter((name) => !all.has(name));
  const surplus = [...all].filter((name) => !names.includes(name));
  if (missing.length > 0) throw badCsr(`The CSR does not have these names of the order: ${list(missing)}.`);
  if (surplus.length > 0) throw badCsr(`The CSR has names that the order does not have: ${list(surplus)}.`);
}

/** Returns the subject of certificates under a standing authorisation, without the common name. */
const identityOf = ({ country, state, locality, organisation, organisationUnit }: StandingRow): SubjectFields => ({
  country,
  ...(state !== null && { state }),
  ...(locality !== null && { locality }),
  organisation,
  ...(organisationUnit !== null && { organisationUnit }),
});

/** Throws an AcmeProblem `badCSR` for a part of the CSR's subject that the standing authorisation does not have. */
function requireSameIdentity({ subject }: Csr, identity: SubjectFields): void {
  for (const [name, value] of Object.entries(subject) as [SubjectField, string][]) {
    if (name === "commonName" || value.trim() === (identity[name] ?? "")) continue;
    const expected = identity[name] === undefined ? "none" : `'${identity[name]}'`;
    const detail = `The subject of the CSR has ${attributeTypeOf(name)}='${value}', and the standing authorisation has ${expected}. Leave the subject empty: it is filled in.`;
    throw badCsr(detail);
  }
}

/** Returns the common name of a certificate for these names: the first that fits, a host before a wildcard, or else the organisation. */
function commonNameFor(names: readonly string[], organisation: string): string {
  const fitting = names.filter(({ length }) => length <= LONGEST_COMMON_NAME);
  return fitting.find((name) => !name.startsWith("*.")) ?? fitting[0] ?? organisation;
}

/**
 * Returns the subject that the certificate gets from the standing authorisation, or null when the CSR states all of it.
 *
 * @param names The names of the order.
 * @throws AcmeProblem `badCSR` when the CSR has other names, or a subject that differs from that of the authorisation.
 */
export function subjectFor(csr: Csr, names: readonly string[], row: StandingRow): SubjectFields | null {
  requireSameNames(csr, names);
  const identity = identityOf(row);
  requireSameIdentity(csr, identity);
  if (hasWholeSubject(csr)) return null;
  const commonName = csr.subject.commonName?.trim() || commonNameFor(names, row.organisation);
  return { ...identity, commonName };
}
