import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toPem } from "~/ca/pem.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { type AuthorityName } from "~db/tables";

/** The input files of the tools: certificates and CRLs as PEM, and CRLs as DER too. */
export interface Material {
  directory: string;
  root: string;
  issuing: string;
  /** The CRLs in force. `older` is the base CRL to which the delta CRL refers. */
  rootList: string;
  base: string;
  delta: string;
  older: string;
  ocspUrl: string;
}

/** What a tool says about a certificate: `good`, `revoked`, or its own output when it says anything else. */
export type Verdict = string;

export interface Check {
  /** The tool, and where it gets the status from. */
  name: string;
  /** The prefix of the paths that the tool must request from our server. Omitted when it gets files. */
  asks?: string;
  verdict: (leaf: string, material: Material) => Promise<Verdict>;
}

/** Returns the path of the DER file beside the PEM file of a CRL. */
export const derOf = (pemFile: string): string => pemFile.replace(/pem$/, "der");

/** Fetches a CRL from the address in the certificates. Returns its PEM file. */
export async function fetchList(directory: string, url: string, name: string): Promise<string> {
  const der = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const file = join(directory, `${name}.pem`);
  writeFileSync(file, toPem("X509 CRL", der));
  writeFileSync(derOf(file), der);
  return file;
}

/** Fetches the CRLs in force of an issuing CA and its root. */
export async function fetchLists(directory: string, root: AuthorityName, issuing: AuthorityName) {
  const { crl, deltaCrl, ocsp } = authorityUrls(issuing);
  return {
    rootList: await fetchList(directory, authorityUrls(root).crl, root),
    base: await fetchList(directory, crl, issuing),
    delta: await fetchList(directory, deltaCrl ?? "", `${issuing}-delta`),
    ocspUrl: ocsp,
  };
}

/** Returns the verdict of the first pattern that matches the text, or the text itself. */
export const verdictOf = (text: string, patterns: Record<"revoked" | "good", RegExp>): Verdict =>
  patterns.revoked.test(text) ? "revoked" : patterns.good.test(text) ? "good" : text;
