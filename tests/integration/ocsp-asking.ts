import { readFileSync } from "node:fs";
import { toPem } from "~/ca/pem.server";
import { getAuthority } from "~/domain/authorities/authorities.service.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { openssl, useOpenssl } from "../support/openssl";
import { runTool } from "../support/tool";

/** Returns functions for OCSP tests with OpenSSL. Call it once at the top of the file. */
export function useOcsp() {
  const { file } = useOpenssl();

  const certificateFile = async (name: AuthorityName) =>
    file("pem", toPem("CERTIFICATE", (await getAuthority(getDb(), name)).certificate));

  /** Returns the DER of a request for these serial numbers (hex). */
  async function makeRequest(
    serials: readonly string[],
    {
      issuer = "issuing-sha2",
      digest = "sha1",
      args = ["-no_nonce"],
    }: { issuer?: AuthorityName; digest?: string; args?: string[] } = {},
  ): Promise<Buffer> {
    const path = file("req");
    const wanted = serials.flatMap((serial) => [`-${digest}`, "-serial", `0x${serial}`]);
    openssl(["ocsp", "-issuer", await certificateFile(issuer), ...wanted, ...args, "-reqout", path]);
    return readFileSync(path);
  }

  /**
   * Requests the status of a certificate from `url` by POST. Returns OpenSSL's output. Throws unless the answer verifies up to the root.
   */
  async function check(
    url: string,
    serial: string,
    { hierarchy = "sha2", args = [] }: { hierarchy?: "sha2" | "g3"; args?: readonly string[] } = {},
  ): Promise<string> {
    const [issuer, root] = [`issuing-${hierarchy}`, hierarchy === "sha2" ? "root" : "root-g3"] as const;
    const issuerFile = await certificateFile(issuer);
    const trust = ["-issuer", issuerFile, "-CAfile", await certificateFile(root), "-verify_other", issuerFile];
    const { text } = await runTool("openssl", ["ocsp", "-url", url, ...trust, "-serial", `0x${serial}`, ...args]);
    if (!text.includes("Response verify OK")) throw new Error(`openssl does not accept the answer: ${text}`);
    return text;
  }

  /** Returns an answer as OpenSSL's text, without verification. */
  const textOf = (der: Uint8Array) => openssl(["ocsp", "-respin", file("rsp", der), "-resp_text", "-noverify"]);

  return { file, certificateFile, makeRequest, check, textOf };
}

/** Returns the number of an answer that is only an error (RFC 6960 §4.2.1), or null for a full answer. */
export function errorOf(der: Uint8Array): number | null {
  const [sequence, length, enumerated, one, status] = der;
  return sequence === 0x30 && length === 3 && enumerated === 0x0a && one === 1 ? (status ?? null) : null;
}
