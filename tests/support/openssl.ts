import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { isWritable, signCsr } from "./csr";
import { nextRsaKey } from "./keys";
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
  /** Further arguments of `openssl req`, which then makes the CSR. */
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

  /** An RSA private key that the test file has not used yet; its path. One of 2048 bits is a prepared one. */
  const makeRsaKey = (bits = 2048): string =>
    bits === 2048 ? file("key", nextRsaKey()) : makeKey("-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${bits}`);

  /** A CSR made by `openssl req -new`. */
  function requestCsr({ subject = SUBJECT, san = [], bits, keyFile = makeRsaKey(bits), ...rest }: CsrOptions): MadeCsr {
    const path = file("csr");
    const names = san.length > 0 ? ["-addext", `subjectAltName=${san.join(",")}`] : [];
    const command = ["req", "-new", "-utf8", "-key", keyFile, `-${rest.digest ?? "sha256"}`, "-subj", subject];
    openssl([...command, ...names, ...(rest.args ?? []), "-outform", "DER", "-out", path]);
    const der = new Uint8Array(readFileSync(path));
    return { der, pem: openssl(["req", "-inform", "DER", "-in", path]), keyFile };
  }

  /** The CSR that openssl would make, written in this process; openssl itself makes what is beyond the writer. */
  function makeCsr(options: CsrOptions = {}): MadeCsr {
    const { subject = SUBJECT, san = [], digest = "sha256" } = options;
    const keyFile = options.keyFile ?? makeRsaKey(options.bits);
    const key = readFileSync(keyFile, "utf8");
    if (options.args || !isWritable({ san, digest, key })) return requestCsr({ ...options, keyFile });
    return { ...signCsr({ subject, san, digest, key }), keyFile };
  }

  return { directory, file, makeKey, makeRsaKey, makeCsr, requestCsr };
}
