import { readIssuer } from "../certificate/issuer.server";
import { CaError } from "../errors.server";
import { sayIf } from "../lint/lint.server";
import { describeCrl, verifyCrl } from "./describe.server";
import { parseCrl } from "./parse.server";

/** A CRL as the database has it, with what the database says about it. Timestamps are in ISO 8601. */
export interface StoredCrl {
  der: Uint8Array;
  /** The certificate of its CA. */
  issuerDer: Uint8Array;
  isDelta: boolean;
  number: number;
  baseNumber: number | null;
  thisUpdate: string;
  nextUpdate: string;
  entryCount: number;
}

function problemsOf({ der, issuerDer, ...row }: StoredCrl): string[] {
  const issuer = readIssuer(issuerDer);
  const crl = describeCrl(der);
  const base = crl.baseNumber === null ? null : Number(crl.baseNumber);
  const same: [string, boolean][] = [
    ["number", Number(crl.number) === row.number],
    ["base CRL", base === (row.isDelta ? row.baseNumber : null)],
    ["beginning", crl.thisUpdate.toISOString() === row.thisUpdate],
    ["end", crl.nextUpdate.toISOString() === row.nextUpdate],
    ["number of entries", crl.entryCount === row.entryCount],
  ];
  const different = same.filter(([, isSame]) => !isSame).map(([name]) => name);
  const issuerName = Buffer.from(parseCrl(der).list.issuer.valueBeforeDecode);
  return [
    ...sayIf(
      !verifyCrl(der, issuer),
      "It is not signed with the key of its CA, so it was changed after it was signed.",
    ),
    ...sayIf(Buffer.compare(issuerName, issuer.subjectDer) !== 0, "It names another CA as its issuer."),
    ...sayIf(different.length > 0, `The database and the CRL differ in: ${different.join(", ")}.`),
  ];
}

/** Audits a CRL as the database has it. Returns a sentence for everything that is wrong. Never throws for what the database contains. */
export function auditStoredCrl(stored: StoredCrl): string[] {
  try {
    return problemsOf(stored);
  } catch (error) {
    if (!(error instanceof CaError)) throw error;
    return [`It cannot be read. ${error.message}`];
  }
}
