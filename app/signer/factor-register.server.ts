import { type FactorContent, type GrantContent, type PersonContent } from "./journal-entry.server";
import { type StandingGrant, StandingRegister } from "./standing-grants.server";
import { type CertifiedContent } from "./standing-scope.server";

const HOUR = 60 * 60_000;
/** How long a grant counts, in hours: the signer may be away for a night. */
export const GRANT_HOURS = 12;
/** How long a passkey that nobody accepts waits, in days. */
export const OFFER_DAYS = 7;
/** After this many wrong codes without a right one, no code of an app counts. */
export const WRONG_CODES = 10;

/** A person's passkey or authenticator app. */
export interface Factor {
  id: string;
  person: string;
  name: string;
  kind: "passkey" | "app";
  /** The id and the COSE public key of a passkey in base64url, otherwise null. */
  credential: string | null;
  publicKey: string | null;
  /** When it was offered, in milliseconds. */
  offeredAt: number;
  /** Whether an operator has accepted it. */
  isAccepted: boolean;
  /** The time step of its last code, and the counter of its last use. */
  step: number;
  counter: number;
  /** How many wrong codes followed the last right one. */
  wrong: number;
}

interface Grant {
  sha256: string;
  person: string;
  factor: string;
  givenAt: number;
}

/** Why a certificate may not be signed, as a sentence, or on whose word it may, and on the grant of which standing authorisation. */
export type Granted = { authority: string; standing?: number } | { why: string };

/** The factors of persons and what they have granted, derived from the journal. */
export class FactorRegister {
  private readonly factors = new Map<string, Factor>();
  /** The latest grant of each TBS certificate, by its SHA-256. */
  private readonly grants = new Map<string, Grant>();
  readonly standing = new StandingRegister();

  /** Notes a line of the journal. */
  apply(content: PersonContent, time: string): void {
    if (content.kind === "grant") this.applyGrant(content, Date.parse(time));
    else if (content.kind === "standing-grant" || content.kind === "standing-withdrawn")
      this.standing.apply(content, time);
    else this.applyFactor(content, Date.parse(time));
    const { use } = content;
    const used = use && this.factors.get(use.factor);
    if (used) Object.assign(used, { wrong: 0, step: use.step ?? used.step, counter: use.counter ?? used.counter });
  }

  private applyFactor({ kind, factor: id, person, name, credential, publicKey }: FactorContent, time: number): void {
    const known = this.factors.get(id);
    if (kind === "factor-removed") this.factors.delete(id);
    else if (kind === "factor-wrong" && known) known.wrong += 1;
    else if (kind === "factor-accepted" && known) known.isAccepted = true;
    else if (kind === "factor-offered" || kind === "factor-accepted")
      this.factors.set(id, {
        id,
        person,
        name: name ?? "",
        kind: credential === undefined ? "app" : "passkey",
        credential: credential ?? null,
        publicKey: publicKey ?? null,
        offeredAt: time,
        isAccepted: kind === "factor-accepted",
        step: 0,
        counter: 0,
        wrong: 0,
      });
  }

  private applyGrant({ sha256, person, factor, digests }: GrantContent, givenAt: number): void {
    for (const [digest, grant] of this.grants) {
      if (grant.givenAt > givenAt - GRANT_HOURS * HOUR) break; // the oldest come first
      this.grants.delete(digest);
    }
    for (const digest of digests) {
      this.grants.delete(digest);
      this.grants.set(digest, { sha256, person, factor, givenAt });
    }
  }

  /** Returns the factors that are accepted or wait, in the order in which they came. */
  list(now: Date): Factor[] {
    const oldest = now.getTime() - OFFER_DAYS * 24 * HOUR;
    return [...this.factors.values()].filter(({ isAccepted, offeredAt }) => isAccepted || offeredAt > oldest);
  }

  /** Returns a factor that is accepted or waits, or null. */
  find(id: string, now: Date): Factor | null {
    return this.list(now).find((factor) => factor.id === id) ?? null;
  }

  /** Returns the accepted factors of a person. */
  acceptedOf(person: string, now: Date): Factor[] {
    return this.list(now).filter((factor) => factor.person === person && factor.isAccepted);
  }

  /** Returns whether the TBS certificate with this SHA-256 is granted now. */
  findGrant(digest: string, now: Date): Granted {
    const grant = this.grants.get(digest);
    if (!grant) return { why: "Nobody has granted this certificate to the signer." };
    const { person, factor: id, sha256, givenAt } = grant;
    const factor = this.factors.get(id);
    if (!factor?.isAccepted)
      return { why: `${person} granted this certificate with a factor that has been removed since.` };
    if (givenAt <= now.getTime() - GRANT_HOURS * HOUR)
      return { why: `The grant of ${person} for this certificate is older than ${GRANT_HOURS} hours.` };
    return { authority: `grant ${sha256} of ${person} by the ${factor.kind} ${id}` };
  }

  /** Returns the factor with which a standing grant was given, or null when it has been removed since. */
  factorOf({ factor: id }: StandingGrant): Factor | null {
    const factor = this.factors.get(id);
    return factor?.isAccepted ? factor : null;
  }

  /** Returns why nothing is signed on a standing grant now, as a sentence, or null. */
  whyStandingOver(grant: StandingGrant, now: Date): string | null {
    if (this.factorOf(grant)) return this.standing.whyOver(grant, now);
    const { person, scope } = grant;
    return `${person} granted the standing authorisation ${scope.authorisation} with a factor that has been removed since.`;
  }

  /** Returns whether the grant of a standing authorisation covers a certificate now. */
  findStandingGrant(authorisation: number, certificate: CertifiedContent, now: Date): Granted {
    const grant = this.standing.find(authorisation);
    if (!grant) return { why: `Nobody has granted the standing authorisation ${authorisation} to the signer.` };
    const why = this.whyStandingOver(grant, now) ?? this.standing.whyOutside(grant, certificate, now);
    if (why !== null) return { why };
    const { sha256, person, factor } = grant;
    const authority = `standing grant ${sha256} of ${person} by the ${this.factorOf(grant)?.kind} ${factor}`;
    return { authority, standing: authorisation };
  }
}
