import { describeCertificate } from "~/ca/certificate/describe.server";
import { FactorRegister } from "~/signer/factor-register.server";
import { type JournalEntry, type SignedContent } from "~/signer/journal-entry.server";
import { type StandingScope } from "~/signer/protocol";
import { whyNotCovered } from "~/signer/standing-scope.server";
import { scopeText } from "~/signer/statement.server";
import { getDb } from "~db/connection.server";
import { listTrailMessages } from "~db/repositories/signed-certificates.server";
import { findStanding, listStandingUnder } from "~db/repositories/standing-authorisations.server";

type Report = (problem: string) => void;

/** The standing grant that a line names (`FactorRegister.findStandingGrant`), and the one that an entry of the audit trail names. */
const IN_JOURNAL = /^standing grant ([0-9a-f]{64}) of /;
const IN_TRAIL = /; grant ([0-9a-f]{64})\.$/;

/** By how much the times of a check and of its line differ, in milliseconds. */
const BEFORE_ITS_LINE_MS = 1000;

/** A certificate that was signed on a standing grant. */
interface SignedUnder {
  scope: StandingScope;
  at: Date;
}

/** A certificate of the database. */
interface StoredCertificate {
  id: number;
  serialNumber: string;
  certificate: Buffer | null;
}

/** The standing grants of the journal and the certificates that were signed on them, as far as it was read. */
export class ReadStanding {
  private readonly register = new FactorRegister();
  /** Every grant, by its SHA-256. */
  private readonly given = new Map<string, StandingScope>();
  private readonly signed = new Map<string, SignedUnder>();

  constructor(private readonly report: Report) {}

  /** Reads a line. Reports a certificate that was signed on a standing grant which did not count at that time. */
  read(entry: JournalEntry): void {
    if ("issuer" in entry) return this.readSigned(entry);
    if (entry.kind === "passphrase-changed") return;
    if (entry.kind === "standing-grant") this.given.set(entry.sha256, entry.scope);
    this.register.apply(entry, entry.time);
  }

  private readSigned({ issuer, serial, authority, standing, time }: SignedContent & { time: string }): void {
    const [, named] = IN_JOURNAL.exec(authority) ?? [];
    if (standing === undefined && named === undefined) return;
    const at = new Date(Date.parse(time) - BEFORE_ITS_LINE_MS);
    const grant = this.register.standing.find(standing ?? 0);
    const why =
      grant?.sha256 === named && grant ? this.register.whyStandingOver(grant, at) : "The journal has no such grant.";
    if (why !== null) this.report(`The certificate ${serial} of '${issuer}' was signed on a standing grant: ${why}`);
    if (grant) this.signed.set(serial, { scope: grant.scope, at });
    if (standing !== undefined) this.register.standing.count(standing);
  }

  /** Reports certificates of a CA that the standing grant does not cover on which they were signed, or whose orders are not within it. */
  async compare(issuer: string, rows: readonly StoredCertificate[]): Promise<void> {
    const signed = rows.filter(({ serialNumber, certificate }) => certificate && this.signed.has(serialNumber));
    const ordered = await listStandingUnder(
      getDb(),
      signed.map(({ id }) => id),
    );
    for (const { id, serialNumber, certificate } of signed) {
      const { scope, at } = this.signed.get(serialNumber) as SignedUnder;
      const name = `The certificate ${serialNumber} of '${issuer}' was signed on the grant of standing authorisation ${scope.authorisation}`;
      const why = whyNotCovered(
        { issuer, description: describeCertificate(certificate ?? Buffer.alloc(0)) },
        scope,
        at,
      );
      if (why !== null) this.report(`${name}, which does not cover it: ${why}`);
      if (ordered.get(id) !== scope.authorisation) this.report(`${name}, but its order is not within that.`);
    }
  }

  /** Reports grants that say something else than the standing authorisations of the database, and those of the audit trail that are missing. */
  async compareGrants(inTrail: readonly string[]): Promise<void> {
    for (const [sha256, scope] of this.given)
      if (!(await isOfPortal(scope)))
        this.report(
          `The grant ${sha256} of standing authorisation ${scope.authorisation} is in the signer's journal, but says something else than the database.`,
        );
    for (const sha256 of inTrail.filter((grant) => !this.given.has(grant)))
      this.report(
        `The grant ${sha256} of a standing authorisation is in the audit trail, but not in the signer's journal.`,
      );
  }
}

/** Returns whether the database has the standing authorisation of a grant, approved and with the same content. */
async function isOfPortal(scope: StandingScope): Promise<boolean> {
  const row = await findStanding(getDb(), scope.authorisation);
  if (!row || row.approvedAt === null) return false;
  const stored = {
    company: row.companyId,
    organisation: row.organisation,
    organisationUnit: row.organisationUnit,
    locality: row.locality,
    state: row.state,
    country: row.country,
    longestYears: row.longestYears,
    endsAt: row.endsAt,
    domains: JSON.parse(row.domains) as StandingScope["domains"],
    oftpIds: JSON.parse(row.oftpIds) as string[],
    usages: JSON.parse(row.usages) as StandingScope["usages"],
  };
  return scopeText({ ...scope, ...stored }) === scopeText(scope);
}

/** Returns the SHA-256 of the standing grants that the audit trail has. */
export const listGrantsOfTrail = async (): Promise<string[]> =>
  (await listTrailMessages(getDb(), "company.standing-granted")).flatMap(
    (message) => IN_TRAIL.exec(message)?.[1] ?? [],
  );
