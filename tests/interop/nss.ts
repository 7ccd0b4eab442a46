import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../support/tool";
import { type Check, derOf, type Material, verdictOf } from "./material";

const SAYS = {
  revoked: /Peer's Certificate has been revoked/,
  good: /certificate is valid|Chain is good!/,
};

async function run(command: string, args: string[]): Promise<string> {
  const { code, text } = await runTool(command, args);
  if (code !== 0) throw new Error(`${command} failed: ${text}`);
  return text;
}

/** Creates an NSS database that trusts the root and contains the issuing CA. */
async function makeDatabase({ directory, root, issuing }: Material): Promise<string> {
  const database = `sql:${mkdtempSync(join(directory, "nss-"))}`;
  await run("certutil", ["-N", "-d", database, "--empty-password"]);
  await run("certutil", ["-A", "-d", database, "-n", "root", "-t", "C,C,C", "-i", root]);
  await run("certutil", ["-A", "-d", database, "-n", "issuing", "-t", ",,", "-i", issuing]);
  return database;
}

const importCrl = (database: string, list: string) =>
  runTool("crlutil", ["-I", "-d", database, "-t", "1", "-i", derOf(list)]);

async function byImportedLists(leaf: string, material: Material) {
  const database = await makeDatabase(material);
  for (const list of [material.rootList, material.base]) {
    const { code, text } = await importCrl(database, list);
    if (code !== 0) return text;
  }
  await run("certutil", ["-A", "-d", database, "-n", "leaf", "-t", ",,", "-i", leaf]);
  const { text } = await runTool("certutil", ["-V", "-d", database, "-n", "leaf", "-u", "V"]);
  return verdictOf(text, SAYS);
}

/**
 * Verifies a certificate with libpkix, as that of a TLS server. Only this method is used, and the certificate is refused when it gives no
 * status.
 */
async function byFetching(leaf: string, material: Material, method: "crl" | "ocsp") {
  const database = await makeDatabase(material);
  const revocation = ["-g", "leaf", "-m", method, "-s", "failIfNoInfo"];
  const { text } = await runTool("vfychain", ["-pp", "-d", database, ...revocation, "-u", "1", "-a", leaf]);
  return verdictOf(text, SAYS);
}

/** Returns the output of crlutil for a delta CRL, which NSS does not support. */
export async function importDelta(material: Material): Promise<string> {
  return (await importCrl(await makeDatabase(material), material.delta)).text;
}

export const nssChecks: Check[] = [
  { name: "certutil by imported lists", verdict: byImportedLists },
  { name: "vfychain by the list it fetches", asks: "/repository/", verdict: (leaf, m) => byFetching(leaf, m, "crl") },
  { name: "vfychain by OCSP", asks: "/ocsp", verdict: (leaf, m) => byFetching(leaf, m, "ocsp") },
];
