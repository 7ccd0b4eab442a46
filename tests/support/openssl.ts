import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { isWritable, signCsr } from "./csr";
import { nextRsaKey } from "./keys";
import { openssl, opensslFailure, SUBJECT } from "./openssl-command";

export { openssl, opensslFailure, SUBJECT };

export interface CsrOptions {
  /** As for OpenSSL's -subj: `/C=DE/O=Acme/CN=…`. */
  subject?: string;
  /** As for OpenSSL's subjectAltName: `DNS:a.example`, `IP:10.0.0.1`, `email:…`, `URI:…`. */
  san?: readonly string[];
  bits?: number;
  /** An existing private key instead of a new RSA key. */
  keyFile?: string;
  digest?: string;
  /** Further arguments of `openssl req`, which then creates the CSR. */
  args?: readonly string[];
}

export interface MadeCsr {
  pem: string;
  der: Uint8Array;
  keyFile: string;
}

/** Creates a directory for the files of one test file, which is removed afterwards. Call it once at the top of the file. */
export function useOpenssl() {
  const directory = mkdtempSync(join(tmpdir(), "marque-openssl-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let count = 0;

  /** Returns the path of a new file, with this content if given. */
  function file(extension: string, content?: string | Uint8Array): string {
    const path = join(directory, `${(count += 1)}.${extension}`);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }

  /** Creates a private key with `openssl genpkey` and these arguments. Returns its path. */
  function makeKey(...args: string[]): string {
    const path = file("key");
    openssl(["genpkey", ...args, "-out", path]);
    return path;
  }

  /** Returns the path of an RSA private key that the test file has not used yet. Keys of 2048 bits are prepared ones. */
  const makeRsaKey = (bits = 2048): string =>
    bits === 2048 ? file("key", nextRsaKey()) : makeKey("-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${bits}`);

  /** Creates a CSR with `openssl req -new`. */
  function requestCsr({ subject = SUBJECT, san = [], bits, keyFile = makeRsaKey(bits), ...rest }: CsrOptions): MadeCsr {
    const path = file("csr");
    const names = san.length > 0 ? ["-addext", `subjectAltName=${san.join(",")}`] : [];
    const command = ["req", "-new", "-utf8", "-key", keyFile, `-${rest.digest ?? "sha256"}`, "-subj", subject];
    openssl([...command, ...names, ...(rest.args ?? []), "-outform", "DER", "-out", path]);
    const der = new Uint8Array(readFileSync(path));
    return { der, pem: openssl(["req", "-inform", "DER", "-in", path]), keyFile };
  }

  /** Returns the CSR that OpenSSL would create, written in this process. OpenSSL itself creates what `signCsr` cannot write. */
  function makeCsr(options: CsrOptions = {}): MadeCsr {
    const { subject = SUBJECT, san = [], digest = "sha256" } = options;
    const keyFile = options.keyFile ?? makeRsaKey(options.bits);
    const key = readFileSync(keyFile, "utf8");
    if (options.args || !isWritable({ san, digest, key })) return requestCsr({ ...options, keyFile });
    return { ...signCsr({ subject, san, digest, key }), keyFile };
  }

  return { directory, file, makeKey, makeRsaKey, makeCsr, requestCsr };
}
