import { type SignedContent } from "./journal-entry.server";
import { Refusal } from "./refusal.server";

const DIGEST_BYTES = 32;

/** What the journal says of one CA. */
interface Account {
  /** The place in `digests` of each serial number, which is kept as Latin-1 text to save memory. */
  serials: Map<string, number>;
  certificates: number;
  responders: number;
  crls: number;
  /** The number and the time of the CRL with the highest number, and the digests of the CRLs of this number. */
  lastCrl: { number: bigint; thisUpdate: number; digests: string[] } | null;
  /** The SHA-256 of the certificates of this CA that the journal notes. */
  issuerDigests: string[];
  respondersOfDay: { day: string; count: number };
}

const dayOf = (time: string): string => time.slice(0, 10);
const keyOf = (serial: string): string => Buffer.from(serial, "hex").toString("latin1");

/** Returns when the day (UTC) of this time ends, as an ISO timestamp. */
export function endOfDay(now: Date): string {
  const end = new Date(now);
  end.setUTCHours(24, 0, 0, 0);
  return end.toISOString();
}

/**
 * The counters of the signer, derived from its journal: serial numbers with what was signed under them, how many certificates a day has, and
 * the last CRLs. It has about a hundred bytes for each certificate.
 */
export class Ledger {
  private readonly accounts = new Map<string, Account>();
  private digests = Buffer.alloc(1024 * DIGEST_BYTES);
  private digestCount = 0;
  private today = { day: "", count: 0 };

  private account(issuer: string): Account {
    const known = this.accounts.get(issuer);
    if (known) return known;
    const made: Account = {
      serials: new Map(),
      certificates: 0,
      responders: 0,
      crls: 0,
      lastCrl: null,
      issuerDigests: [],
      respondersOfDay: { day: "", count: 0 },
    };
    this.accounts.set(issuer, made);
    return made;
  }

  /** Counts what was signed at this time (ISO 8601). */
  apply(content: SignedContent, time: string): void {
    const { kind, issuer, serial, sha256 } = content;
    const account = this.account(issuer);
    if (kind === "issuer") account.issuerDigests.push(sha256);
    else if (kind === "certificate" || kind === "responder")
      this.applyCertificate(account, kind, serial, sha256, dayOf(time));
    else this.applyCrl(account, content);
  }

  private applyCertificate(
    account: Account,
    kind: SignedContent["kind"],
    serial: string,
    sha256: string,
    day: string,
  ): void {
    account.serials.set(keyOf(serial), this.addDigest(sha256));
    if (kind === "certificate") {
      account.certificates += 1;
      if (this.today.day !== day) this.today = { day, count: 0 };
      this.today.count += 1;
    } else {
      account.responders += 1;
      if (account.respondersOfDay.day !== day) account.respondersOfDay = { day, count: 0 };
      account.respondersOfDay.count += 1;
    }
  }

  private addDigest(sha256: string): number {
    if ((this.digestCount + 1) * DIGEST_BYTES > this.digests.length) {
      const larger = Buffer.alloc(this.digests.length * 2);
      this.digests.copy(larger);
      this.digests = larger;
    }
    this.digests.write(sha256, this.digestCount * DIGEST_BYTES, "hex");
    this.digestCount += 1;
    return this.digestCount - 1;
  }

  private applyCrl(account: Account, { serial, sha256, thisUpdate = "" }: SignedContent): void {
    const number = BigInt(serial);
    const { lastCrl } = account;
    const before = lastCrl?.number === number ? lastCrl.digests : [];
    const time = Math.max(Date.parse(thisUpdate), lastCrl?.thisUpdate ?? 0);
    account.crls += 1;
    account.lastCrl = { number, thisUpdate: time, digests: [...before, sha256] };
  }

  /** Returns the SHA-256 of what was signed under this serial number, or null when it is new. */
  findSigned(issuer: string, serial: string): string | null {
    const place = this.accounts.get(issuer)?.serials.get(keyOf(serial));
    if (place === undefined) return null;
    return this.digests.toString("hex", place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
  }

  /** Returns the highest CRL number that was signed, its latest thisUpdate in milliseconds, and the digests of the CRLs with this number. */
  findLastCrl(issuer: string): Account["lastCrl"] {
    return this.accounts.get(issuer)?.lastCrl ?? null;
  }

  /** Returns whether the journal notes this certificate of a CA. */
  knowsIssuer(issuer: string, sha256: string): boolean {
    return this.accounts.get(issuer)?.issuerDigests.includes(sha256) ?? false;
  }

  /** Returns how many certificates the day of this time has. */
  certificatesOn(now: Date): number {
    return this.today.day === dayOf(now.toISOString()) ? this.today.count : 0;
  }

  /** Returns how many responder certificates a CA has signed on the day of this time. */
  respondersOn(issuer: string, now: Date): number {
    const day = this.accounts.get(issuer)?.respondersOfDay;
    return day?.day === dayOf(now.toISOString()) ? day.count : 0;
  }

  /** Returns how many certificates, responder certificates and CRLs a CA has signed, and the number of its last CRL. */
  countsOf(issuer: string) {
    const { certificates = 0, responders = 0, crls = 0, lastCrl = null } = this.accounts.get(issuer) ?? {};
    return { signed: { certificates, responders, crls }, lastCrlNumber: lastCrl?.number.toString() ?? null };
  }
}

/** How many responder certificates a CA may have on a day. The portal needs one in 20 days. */
const RESPONDERS_PER_DAY = 10;

const until = (now: Date) => `until ${endOfDay(now).slice(0, 16).replace("T", " ")} UTC`;

/** Throws a Refusal `ceiling` when no certificate or responder certificate may be added to the day. */
export function requireRoom(
  ledger: Ledger,
  kind: SignedContent["kind"],
  issuer: string,
  perDay: number,
  now: Date,
): void {
  if (kind === "certificate" && ledger.certificatesOn(now) >= perDay)
    throw new Refusal(
      "ceiling",
      `The signer has signed ${perDay} certificates today, which is its daily ceiling. It signs no more ${until(now)}.`,
    );
  if (kind === "responder" && ledger.respondersOn(issuer, now) >= RESPONDERS_PER_DAY)
    throw new Refusal(
      "ceiling",
      `The signer has signed ${RESPONDERS_PER_DAY} responder certificates of '${issuer}' today. It signs no more ${until(now)}.`,
    );
}
