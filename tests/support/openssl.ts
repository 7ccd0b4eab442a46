import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openssl, opensslFailure, SUBJECT } from "./openssl-command";

export { openssl, opensslFailure, SUBJECT };

export interface CsrOptions {
  /** As openssl's -subj: `/C=DE/O=Acme/CN=…`. */
  subject?: string;
  /** As openssl's subjectAltName: `DNS:a.example`, `IP:10.0.0.1`, `email:…`, `URI:…`. */
  san?: readonly string[];
  bits?: number;
  /** An existing private key instead of a new RSA key. */
  keyFile?: string;
  digest?: string;
  /** Further arguments of `openssl req`. */
  args?: readonly string[];
}

export interface MadeCsr {
  pem: string;
  der: Uint8Array;
  keyFile: string;
}

/** A directory for the files of one test file, removed after it. Call it once at the top of the file. */
export function useOpenssl() {
  const directory = mkdtempSync(join(tmpdir(), "marque-openssl-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let count = 0;

  /** Path of a new file, with content when given. */
  function file(extension: string, content?: string | Uint8Array): string {
    const path = join(directory, `${(count += 1)}.${extension}`);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }

  /** A private key made by `openssl genpkey` with these arguments; its path. */
  function makeKey(...args: string[]): string {
    const path = file("key");
    openssl(["genpkey", ...args, "-out", path]);
    return path;
  }

  /** A new RSA private key; its path. */
  const makeRsaKey = (bits = 2048): string => makeKey("-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${bits}`);

  /** A CSR made by `openssl req -new`. */
  function makeCsr({
    subject = SUBJECT,
    san = [],
    bits,
    keyFile = makeRsaKey(bits),
    ...rest
  }: CsrOptions = {}): MadeCsr {
    const path = file("csr");
    const names = san.length > 0 ? ["-addext", `subjectAltName=${san.join(",")}`] : [];
    const command = ["req", "-new", "-utf8", "-key", keyFile, `-${rest.digest ?? "sha256"}`, "-subj", subject];
    openssl([...command, ...names, ...(rest.args ?? []), "-outform", "DER", "-out", path]);
    const der = new Uint8Array(readFileSync(path));
    return { der, pem: openssl(["req", "-inform", "DER", "-in", path]), keyFile };
  }

  return { directory, file, makeKey, makeRsaKey, makeCsr };
}
