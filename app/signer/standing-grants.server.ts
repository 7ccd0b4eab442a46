import { type StandingContent, type WithdrawnContent } from "./journal-entry.server";
import { type StandingScope } from "./protocol";
import { type CertifiedContent, whyNotCovered } from "./standing-scope.server";

/** A person's word for the certificates of a standing authorisation. */
export interface StandingGrant {
  sha256: string;
  person: string;
  factor: string;
  /** ISO 8601. */
  givenAt: string;
  scope: StandingScope;
  isWithdrawn: boolean;
}

/** The grants of standing authorisations and how many certificates were signed on them, derived from the journal. */
export class StandingRegister {
  /** The latest grant of each standing authorisation. */
  private readonly grants = new Map<number, StandingGrant>();
  private readonly used = new Map<number, number>();

  /** Notes a line of the journal. A new grant takes the place of the former one, and its count goes on. */
  apply(content: StandingContent | WithdrawnContent, time: string): void {
    if (content.kind === "standing-withdrawn") {
      const grant = this.grants.get(content.standing);
      if (grant?.sha256 === content.sha256) grant.isWithdrawn = true;
      return;
    }
    const { sha256, person, factor, scope } = content;
    this.grants.set(scope.authorisation, { sha256, person, factor, scope, givenAt: time, isWithdrawn: false });
  }

  /** Counts a certificate that was signed on the grant of this standing authorisation. */
  count(authorisation: number): void {
    this.used.set(authorisation, this.usedOf(authorisation) + 1);
  }

  /** Returns how many certificates were signed for a standing authorisation, on its grant and on former ones. */
  usedOf(authorisation: number): number {
    return this.used.get(authorisation) ?? 0;
  }

  /** Returns the latest grant of a standing authorisation, also a withdrawn one, or null. */
  find(authorisation: number): StandingGrant | null {
    return this.grants.get(authorisation) ?? null;
  }

  /** Returns the grants that are not withdrawn, in the order in which they came. */
  list(): StandingGrant[] {
    return [...this.grants.values()].filter(({ isWithdrawn }) => !isWithdrawn);
  }

  /** Returns why nothing is signed on a grant now, as a sentence, or null. Whether its factor counts is not looked at. */
  whyOver({ person, scope, isWithdrawn }: StandingGrant, now: Date): string | null {
    const grant = `The grant of ${person} for the standing authorisation ${scope.authorisation}`;
    if (isWithdrawn) return `${grant} was withdrawn.`;
    if (now.getTime() >= Date.parse(scope.endsAt)) return `${grant} ended at ${scope.endsAt}.`;
    if (this.usedOf(scope.authorisation) >= scope.certificates)
      return `${grant} covers ${scope.certificates} certificates, and so many were signed.`;
    return null;
  }

  /** Returns why a grant does not cover a certificate that is signed now, as a sentence, or null. */
  whyOutside(grant: StandingGrant, certificate: CertifiedContent, now: Date): string | null {
    const why = whyNotCovered(certificate, grant.scope, now);
    const { person, scope } = grant;
    return (
      why && `The grant of ${person} for the standing authorisation ${scope.authorisation} does not cover it: ${why}`
    );
  }
}
