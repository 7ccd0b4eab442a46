import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../support/tool";
import { type Check, type Material, verdictOf } from "./material";

const SAYS = {
  revoked: /Chain verification output: Not verified\. .*revoked/,
  good: /Chain verification output: Verified\./,
};

async function verify(leaf: string, { directory, root, issuing }: Material, list: string) {
  const chain = join(directory, "chain-for-certtool.pem");
  writeFileSync(chain, [leaf, issuing, root].map((file) => readFileSync(file, "utf8")).join(""));
  const { text } = await runTool("certtool", [
    ...["--verify", "--load-ca-certificate", root, "--load-crl", list, "--infile", chain],
  ]);
  return verdictOf(text, SAYS);
}

async function ask(leaf: string, { issuing, ocspUrl }: Material) {
  const certificates = ["--load-cert", leaf, "--load-issuer", issuing, "--load-trust", issuing];
  const { text } = await runTool("ocsptool", [`--ask=${ocspUrl}`, "--nonce", ...certificates]);
  if (!text.includes("Verifying OCSP Response: Success.")) return text;
  return verdictOf(text, { revoked: /Certificate Status: revoked/, good: /Certificate Status: good/ });
}

/** Returns what certtool says about a CRL: whether the CA has signed it. */
export async function verifyList(list: string, ca: string): Promise<string> {
  const { text } = await runTool("certtool", ["--verify-crl", "--load-ca-certificate", ca, "--infile", list]);
  return /Verification output: (.*?) *\n/.exec(text)?.[1] ?? text;
}

export const gnutlsChecks: Check[] = [
  { name: "certtool by the base list", verdict: (leaf, m) => verify(leaf, m, m.base) },
  { name: "certtool by the delta list", verdict: (leaf, m) => verify(leaf, m, m.delta) },
  { name: "ocsptool", asks: "/ocsp", verdict: ask },
];
