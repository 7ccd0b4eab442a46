import { type CrlEntryIndex, indexCrlEntries } from "~/ca/crl/entry-index.server";
import { CaError } from "~/ca/errors.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { inWorker } from "~/domain/workers/pool.server";
import { getDb } from "~db/connection.server";
import { findCertificateStates } from "~db/repositories/certificate-states.server";
import { type CrlSummary, findCrlDer, findLatestCrl, listStoredCrls } from "~db/repositories/crls.server";
import { type FoundProblem } from "./rules";

/** A published CRL with its entries. */
export interface PublishedCrl extends Pick<CrlSummary, "number" | "baseNumber" | "thisUpdate"> {
  caption: string;
  entries: CrlEntryIndex;
}

/** The CRLs that an issuing CA publishes now. */
export interface PublishedCrls {
  base: PublishedCrl | null;
  delta: PublishedCrl | null;
}

const captionOf = ({ name }: Authority, isDelta: boolean) => `the ${isDelta ? "delta" : "base"} CRL of ${name}`;

/** Audits every CRL whose bytes are stored. */
export async function auditStoredCrls(): Promise<FoundProblem[]> {
  const authorities = new Map((await listAuthorities(getDb())).map((authority) => [authority.id, authority]));
  const problems: FoundProblem[] = [];
  for (const row of await listStoredCrls(getDb())) {
    const authority = authorities.get(row.authorityId);
    const der = await findCrlDer(getDb(), row.id);
    if (!authority || !der) continue; // removed meanwhile
    const { isDelta, number, baseNumber, thisUpdate, nextUpdate, entryCount } = row;
    const stored = { isDelta, number, baseNumber, thisUpdate, nextUpdate, entryCount };
    const causes = await inWorker("auditStoredCrl", { der, issuerDer: authority.certificate, ...stored });
    const subject = `${captionOf(authority, isDelta)}, number ${number}`;
    for (const cause of causes) problems.push({ rule: "crl", subject, certificateId: null, cause });
  }
  return problems;
}

async function readPublished(authority: Authority, isDelta: boolean): Promise<PublishedCrl | null> {
  const latest = await findLatestCrl(getDb(), authority.id, isDelta);
  if (!latest) return null;
  const { number, baseNumber, thisUpdate, der } = latest;
  try {
    const entries = await indexCrlEntries(der);
    return { number, baseNumber, thisUpdate, entries, caption: captionOf(authority, isDelta) };
  } catch (error) {
    if (!(error instanceof CaError)) throw error;
    return null; // `auditStoredCrls` reports it
  }
}

/** Returns the CRLs that each issuing CA publishes now, by the id of the CA. */
export async function readPublishedCrls(): Promise<Map<number, PublishedCrls>> {
  const crls = new Map<number, PublishedCrls>();
  for (const authority of (await listAuthorities(getDb())).filter(({ isRoot }) => !isRoot))
    crls.set(authority.id, {
      base: await readPublished(authority, false),
      delta: await readPublished(authority, true),
    });
  return crls;
}

/** The number of entries that are looked up at a time. */
const LOOKED_UP = 500;

/** Finds entries of CRLs whose serial number belongs to no certificate of the CA. */
export async function auditUnknownEntries(crls: ReadonlyMap<number, PublishedCrls>): Promise<FoundProblem[]> {
  const problems: FoundProblem[] = [];
  for (const [authorityId, { base, delta }] of crls)
    for (const crl of [base, delta]) {
      const unknown: string[] = [];
      const serials = [...(crl?.entries.keys() ?? [])];
      for (let start = 0; start < serials.length; start += LOOKED_UP) {
        const some = serials.slice(start, start + LOOKED_UP);
        const states = await findCertificateStates(getDb(), some);
        unknown.push(...some.filter((serial) => states.get(serial)?.authorityId !== authorityId));
      }
      if (crl && unknown.length > 0)
        problems.push({
          rule: "surplus-on-crl",
          subject: crl.caption,
          certificateId: null,
          cause: `Entries that belong to no certificate in the database: ${unknown.length}, first ${unknown[0]}.`,
        });
    }
  return problems;
}
