import { execFileSync } from "node:child_process";

/** Runs the real OpenSSL. Returns its standard output as text, and throws an Error with its standard error when it fails. */
export function openssl(args: readonly string[], input?: string | Uint8Array): string {
  return execFileSync("openssl", args, { input, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 });
}

/** Returns standard output and error of an OpenSSL command that is expected to fail. */
export function opensslFailure(args: readonly string[], input?: string | Uint8Array): string {
  try {
    openssl(args, input);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
  throw new Error(`openssl ${args.join(" ")} was expected to fail`);
}

export const SUBJECT = "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example";
