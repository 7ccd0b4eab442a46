import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toPem } from "~/ca/pem.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { type AuthorityName } from "~db/tables";

/** Files that other people's tools take: certificates and lists as PEM, lists as DER, too. */
export interface Material {
  directory: string;
  root: string;
  issuing: string;
  /** Lists in force; `older` is the base list to which a delta list adds. */
  rootList: string;
  base: string;
  delta: string;
  older: string;
  ocspUrl: string;
}

/** What a tool says of a certificate: `good`, `revoked`, or its own words when it says anything else. */
export type Verdict = string;

export interface Check {
  /** The tool, and what it goes by. */
  name: string;
  /** Beginning of the paths on our server that it must ask for; none when it is given files. */
  asks?: string;
  verdict: (leaf: string, material: Material) => Promise<Verdict>;
}

/** Names the file of a DER list beside its PEM file. */
export const derOf = (pemFile: string): string => pemFile.replace(/pem$/, "der");

/** Fetches a list from where certificates say it is. Returns its PEM file. */
export async function fetchList(directory: string, url: string, name: string): Promise<string> {
  const der = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const file = join(directory, `${name}.pem`);
  writeFileSync(file, toPem("X509 CRL", der));
  writeFileSync(derOf(file), der);
  return file;
}

/** The lists of an issuing CA and its root that are in force. */
export async function fetchLists(directory: string, root: AuthorityName, issuing: AuthorityName) {
  const { crl, deltaCrl, ocsp } = authorityUrls(issuing);
  return {
    rootList: await fetchList(directory, authorityUrls(root).crl, root),
    base: await fetchList(directory, crl, issuing),
    delta: await fetchList(directory, deltaCrl ?? "", `${issuing}-delta`),
    ocspUrl: ocsp,
  };
}

/** The verdict that the first matching pattern stands for, else the text itself. */
export const verdictOf = (text: string, patterns: Record<"revoked" | "good", RegExp>): Verdict =>
  patterns.revoked.test(text) ? "revoked" : patterns.good.test(text) ? "good" : text;
