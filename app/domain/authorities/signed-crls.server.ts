import { splitDer } from "~/ca/der.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { type SignedContent } from "~/signer/journal-entry.server";
import { getDb } from "~db/connection.server";
import { type CrlSummary, findCrlDer } from "~db/repositories/crls.server";

/** A CRL of the journal: the SHA-256 of its TBS in lower-case hex, and how many entries it has. */
interface SignedCrl {
  sha256: string;
  entries: number;
}

/** The base and delta CRLs of one CA that the journal of the signer has. */
export class SignedCrls {
  private readonly byNumber = new Map<string, SignedCrl[]>();
  /** The number of the first CRL that the signer signed. */
  private first = Infinity;

  private static key(isDelta: boolean, number: number): string {
    return `${isDelta ? "delta " : ""}CRL ${number}`;
  }

  /** Adds a line of the kind `crl` or `delta-crl`. */
  add({ kind, serial, sha256, entries = 0 }: SignedContent): void {
    const number = Number(serial);
    const key = SignedCrls.key(kind === "delta-crl", number);
    this.byNumber.set(key, [...(this.byNumber.get(key) ?? []), { sha256, entries }]);
    this.first = Math.min(this.first, number);
  }

  /**
   * Compares a CRL of the database with the journal.
   *
   * @param der The CRL as DER, or null when its bytes are no longer kept. Then only its number and its entries are compared.
   * @param since When the signer got the key of the CA, as an ISO timestamp, or null when the journal does not say so.
   * @returns What is wrong, as a sentence, or null.
   */
  problemOf(crl: CrlSummary, name: string, der: Buffer | null, since: string | null): string | null {
    const key = SignedCrls.key(crl.isDelta, crl.number);
    const caption = `The ${key} of '${name}'`;
    const signed = this.byNumber.get(key);
    if (!signed) {
      // A CRL that was published before the signer got the key is not in its journal.
      const isOfSigner = crl.number > this.first || (since !== null && crl.thisUpdate > since);
      return isOfSigner ? `${caption} is in the database, but not in the signer's journal.` : null;
    }
    const [tbs] = der ? splitDer(der) : [];
    const same = tbs ? signed.filter(({ sha256 }) => sha256 === sha256Hex(tbs)) : signed;
    if (same.length === 0) return `${caption} is not what the signer's journal has under this number.`;
    if (same.some(({ entries }) => entries === crl.entryCount)) return null;
    const [{ entries } = { entries: 0 }] = same;
    return `${caption} has ${crl.entryCount} entries in the database, but ${entries} in the signer's journal.`;
  }
}

/**
 * Compares the CRLs of a CA that the database has with the journal of the signer. A CRL that was signed and is not in the database is no
 * difference: a crash can come between the two, and old CRLs are removed.
 *
 * @param crls The CRLs of the database, listed before the journal was read.
 * @param name The name of the CA.
 * @param since When the signer got the key of the CA, as an ISO timestamp, or null when the journal does not say so.
 * @param report Is called with a sentence for each difference.
 */
export async function compareCrls(
  crls: readonly CrlSummary[],
  name: string,
  signed: SignedCrls,
  since: string | null,
  report: (problem: string) => void,
): Promise<void> {
  for (const crl of crls) {
    const problem = signed.problemOf(crl, name, await findCrlDer(getDb(), crl.id), since);
    if (problem !== null) report(problem);
  }
}
