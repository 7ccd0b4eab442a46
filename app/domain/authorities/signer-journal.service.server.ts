import { splitDer } from "~/ca/der.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type JournalHead, JOURNAL_START, readLine } from "~/signer/journal-entry.server";
import { getDb } from "~db/connection.server";
import { listCrls } from "~db/repositories/crls.server";
import {
  findUndone,
  listResponderSerials,
  listSerials,
  type SignedRow,
} from "~db/repositories/signed-certificates.server";
import { type Authority, listAuthorities } from "./authorities.service.server";
import { compareCrls, SignedCrls } from "./signed-crls.server";
import { askForJournal } from "./signer-client.server";
import { listGrantsOfTrail, ReadStanding } from "./standing-journal.server";

const KINDS = [
  { kind: "certificate", caption: "certificate", list: listSerials },
  { kind: "responder", caption: "responder certificate", list: listResponderSerials },
] as const;
type Kind = (typeof KINDS)[number];

/** What the journal says of one CA: when the signer got its key, the SHA-256 of what was signed under each serial number, and the CRLs. */
interface Signed {
  since: string | null;
  certificate: Map<string, string>;
  responder: Map<string, string>;
  crls: SignedCrls;
}

const nothingSigned = (): Signed => ({
  since: null,
  certificate: new Map(),
  responder: new Map(),
  crls: new SignedCrls(),
});

/** How many rows are compared at a time. */
const ROWS_AT_ONCE = 500;

/** The grant that a line names (`FactorRegister.findGrant`). */
const GRANT = /^grant ([0-9a-f]{64}) of /;

type Report = (problem: string) => void;

interface Comparison {
  report: Report;
  standing: ReadStanding;
}

/** The journal of the signer, as far as it was read. */
class ReadJournal {
  /** What each CA has signed, by its name. */
  readonly signed = new Map<string, Signed>();
  head: JournalHead = JOURNAL_START;
  readonly standing: ReadStanding;
  private readonly grants = new Map<string, readonly string[]>();

  constructor(private readonly report: Report) {
    this.standing = new ReadStanding(report);
  }

  /**
   * Reads and verifies the lines that follow, up to the last one. Reports certificates that were signed on a grant which does not cover them.
   * Throws an Error that names a line which is damaged, edited or missing.
   */
  async readOn(): Promise<void> {
    for await (const line of askForJournal(this.head.number)) {
      const entry = readLine(this.head, line);
      this.head = entry;
      if (entry.kind === "grant") this.grants.set(entry.sha256, entry.digests);
      this.standing.read(entry);
      if (!("issuer" in entry)) continue;
      const { kind, issuer, serial, sha256, time, authority } = entry;
      const [, grant] = GRANT.exec(authority) ?? [];
      if (grant !== undefined && !this.grants.get(grant)?.includes(sha256))
        this.report(`The certificate ${serial} of '${issuer}' was signed on a grant that does not cover it.`);
      const of = this.signed.get(issuer) ?? nothingSigned();
      this.signed.set(issuer, of);
      if (kind === "issuer") of.since ??= time;
      else if (kind === "crl" || kind === "delta-crl") of.crls.add(entry);
      else of[kind].set(serial, sha256);
    }
  }
}

const tbsOf = ({ certificate, tbsCertificate }: SignedRow): Uint8Array =>
  (certificate ? splitDer(certificate)[0] : tbsCertificate) ?? new Uint8Array();

/** A certificate of the database. */
interface Found {
  kind: Kind;
  of: Signed;
  serial: string;
  /** The SHA-256 of its TBS certificate, lower-case hex. */
  sha256: string;
}

/** Returns what is wrong with a certificate by the journal, as far as it was read, or null. */
function problemOf({ kind, of, serial, sha256 }: Found): string | null {
  const signed = of[kind.kind].get(serial);
  const name = `The ${kind.caption} ${serial}`;
  if (signed === undefined) return `${name} is in the database, but not in the signer's journal.`;
  return signed === sha256 ? null : `${name} is not what the signer's journal has under this number.`;
}

/** Whether the signer must have signed the certificate: it was recorded after the signer got the key. */
const isOfSigner = ({ certificate, recordedAt }: SignedRow, { since }: Signed): boolean =>
  certificate !== null && since !== null && (recordedAt ?? "") > since;

/** Compares all certificates of one kind. Returns those that the journal does not have, as far as it was read. */
async function compareKind(
  { id, name }: Authority,
  kind: Kind,
  of: Signed,
  { report, standing }: Comparison,
): Promise<Found[]> {
  const absent: Found[] = [];
  const missing = of[kind.kind];
  for (let after = 0; ;) {
    const rows = await kind.list(getDb(), id, after, ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    if (kind.kind === "certificate") await standing.compare(name, rows);
    for (const row of rows) {
      const found: Found = { kind, of, serial: row.serialNumber, sha256: sha256Hex(tbsOf(row)) };
      const problem = problemOf(found);
      if (!missing.delete(row.serialNumber)) {
        if (isOfSigner(row, of)) absent.push(found);
      } else if (problem !== null) report(problem);
    }
  }
  const serials = [...missing.keys()];
  for (let from = 0; from < serials.length; from += ROWS_AT_ONCE) {
    const some = serials.slice(from, from + ROWS_AT_ONCE);
    const undone = await findUndone(getDb(), some);
    for (const serial of some.filter((one) => !undone.has(one)))
      report(`The ${kind.caption} ${serial} of '${name}' is in the signer's journal, but not in the database.`);
  }
  return absent;
}

/**
 * Compares the journal of the signer with the certificates, the responders, the CRLs and the standing authorisations of the database, with the
 * issuings that the audit trail says were undone, and with the grants that it has.
 *
 * @param report Is called with a sentence for each difference.
 * @returns How many lines the journal has, and the hash of the last one.
 * @throws Error that names the line when the journal is damaged or edited, and a CaError `signer` when the signer cannot be reached.
 */
export async function compareJournal(report: Report): Promise<JournalHead> {
  // Before the journal is read, so that it has all of them.
  const [crls, grants] = [await listCrls(getDb()), await listGrantsOfTrail()];
  const journal = new ReadJournal(report);
  await journal.readOn();
  const absent: Found[] = [];
  const comparison = { report, standing: journal.standing };
  for (const authority of await listAuthorities(getDb())) {
    const { id, name, isRoot } = authority;
    const of = journal.signed.get(name);
    if (isRoot || !of) continue;
    for (const kind of KINDS)
      for (const found of await compareKind(authority, kind, of, comparison)) absent.push(found);
    const ofIssuer = crls.filter(({ authorityId }) => authorityId === id);
    await compareCrls(ofIssuer, name, of.crls, of.since, report);
  }
  await journal.standing.compareGrants(grants);
  if (absent.length > 0) await journal.readOn(); // for what was issued since the journal was read
  for (const problem of absent.map(problemOf)) if (problem !== null) report(problem);
  return journal.head;
}
