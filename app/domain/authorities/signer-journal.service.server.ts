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

/**
 * Reads and verifies the whole journal of the signer. Reports certificates that were signed on a grant which does not cover them. Throws an
 * Error that names a line which is damaged, edited or missing.
 */
async function readJournal(report: (problem: string) => void) {
  const signed = new Map<string, Signed>();
  const grants = new Map<string, readonly string[]>();
  let head = JOURNAL_START;
  for await (const line of askForJournal()) {
    const entry = readLine(head, line);
    head = entry;
    if (entry.kind === "grant") grants.set(entry.sha256, entry.digests);
    if (!("issuer" in entry)) continue;
    const { kind, issuer, serial, sha256, time, authority } = entry;
    const [, grant] = GRANT.exec(authority) ?? [];
    if (grant !== undefined && !grants.get(grant)?.includes(sha256))
      report(`The certificate ${serial} of '${issuer}' was signed on a grant that does not cover it.`);
    const of = signed.get(issuer) ?? nothingSigned();
    signed.set(issuer, of);
    if (kind === "issuer") of.since ??= time;
    else if (kind === "crl" || kind === "delta-crl") of.crls.add(entry);
    else of[kind].set(serial, sha256);
  }
  return { signed, head };
}

const tbsOf = ({ certificate, tbsCertificate }: SignedRow): Uint8Array =>
  (certificate ? splitDer(certificate)[0] : tbsCertificate) ?? new Uint8Array();

/** Compares one row of the database with the journal. Returns what is wrong, or null. */
function rowProblem(row: SignedRow, { caption }: Kind, of: Signed, sha256: string | undefined): string | null {
  const name = `The ${caption} ${row.serialNumber}`;
  if (sha256 === undefined) {
    // A certificate that was recorded before the signer got the key is not in its journal.
    const isOfSigner = row.certificate !== null && of.since !== null && (row.recordedAt ?? "") > of.since;
    return isOfSigner ? `${name} is in the database, but not in the signer's journal.` : null;
  }
  return sha256Hex(tbsOf(row)) === sha256 ? null : `${name} is not what the signer's journal has under this number.`;
}

async function compareKind(
  { id, name }: Authority,
  kind: Kind,
  of: Signed,
  report: (problem: string) => void,
): Promise<void> {
  const missing = of[kind.kind];
  for (let after = 0; ;) {
    const rows = await kind.list(getDb(), id, after, ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    for (const row of rows) {
      const problem = rowProblem(row, kind, of, missing.get(row.serialNumber));
      missing.delete(row.serialNumber);
      if (problem !== null) report(problem);
    }
  }
  const serials = [...missing.keys()];
  for (let from = 0; from < serials.length; from += ROWS_AT_ONCE) {
    const some = serials.slice(from, from + ROWS_AT_ONCE);
    const undone = await findUndone(getDb(), some);
    for (const serial of some.filter((one) => !undone.has(one)))
      report(`The ${kind.caption} ${serial} of '${name}' is in the signer's journal, but not in the database.`);
  }
}

/**
 * Compares the journal of the signer with the certificates, the responders and the CRLs of the database, and with the issuings that the
 * audit trail says were undone.
 *
 * @param report Is called with a sentence for each difference.
 * @returns How many lines the journal has, and the hash of the last one.
 * @throws Error that names the line when the journal is damaged or edited, and a CaError `signer` when the signer cannot be reached.
 */
export async function compareJournal(report: (problem: string) => void): Promise<JournalHead> {
  const crls = await listCrls(getDb()); // before the journal is read, so that it has all of them
  const { signed, head } = await readJournal(report);
  for (const authority of await listAuthorities(getDb())) {
    const { id, name, isRoot } = authority;
    const of = signed.get(name);
    if (isRoot || !of) continue;
    for (const kind of KINDS) await compareKind(authority, kind, of, report);
    const ofIssuer = crls.filter(({ authorityId }) => authorityId === id);
    await compareCrls(ofIssuer, name, of.crls, of.since, report);
  }
  return head;
}
