import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../support/tool";
import { type Check, type Material, verdictOf } from "./material";

const SAYS = { revoked: /certificate revoked/, good: /: OK\n/ };

async function verify(leaf: string, { directory, root, issuing }: Material, lists: string[], options: string[]) {
  const together = join(directory, "lists-for-openssl.pem");
  writeFileSync(together, lists.map((list) => readFileSync(list, "utf8")).join(""));
  const trust = ["-x509_strict", "-CAfile", root, "-untrusted", issuing, "-CRLfile", together];
  const { text } = await runTool("openssl", ["verify", ...trust, "-crl_check_all", ...options, leaf]);
  return verdictOf(text, SAYS);
}

async function ask(leaf: string, { root, issuing, ocspUrl }: Material) {
  const trust = ["-issuer", issuing, "-CAfile", root, "-verify_other", issuing];
  const { text } = await runTool("openssl", ["ocsp", "-url", ocspUrl, ...trust, "-cert", leaf]);
  if (!text.includes("Response verify OK")) return text;
  return verdictOf(text, { revoked: /: revoked\n/, good: /: good\n/ });
}

export const opensslChecks: Check[] = [
  { name: "openssl verify by base lists", verdict: (leaf, m) => verify(leaf, m, [m.rootList, m.base], []) },
  {
    name: "openssl verify by an older base list and the delta list",
    verdict: (leaf, m) => verify(leaf, m, [m.rootList, m.older, m.delta], ["-extended_crl", "-use_deltas"]),
  },
  { name: "openssl ocsp", asks: "/ocsp", verdict: ask },
];
