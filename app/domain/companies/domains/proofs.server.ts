import { randomBytes } from "node:crypto";
import { sha256Hex } from "~/ca/thumbprint.server";
import { getConfig } from "~/lib/config.server";

const FILE_FOLDER = "/.well-known/marque-challenge";

/** Returns a new random value of 256 bits for a challenge as hexadecimal digits, so that a double click marks all of it. */
export const newToken = (): string => randomBytes(32).toString("hex");

/** Returns the name of the TXT record that shows the random value. */
export const recordNameOf = (domain: string): string => `_marque-challenge.${domain}`;

/**
 * Returns the path of the file that shows the random value. Its name is derived from the value but does not contain it, so that a server
 * that repeats the requested address in its answer proves nothing (CA/Browser Forum Baseline Requirements §3.2.2.4.18).
 */
export const filePathOf = (token: string): string => `${FILE_FOLDER}/${sha256Hex(Buffer.from(token)).slice(0, 32)}`;

/** Returns the URL of a path of a host, with the port at which files are read where it is not 80. */
export function hostUrl(host: string, path: string): string {
  const { http } = getConfig().names.checkPorts;
  return `http://${host}${http === 80 ? "" : `:${http}`}${path}`;
}

/** Returns the URL of that file. */
export const fileUrlOf = (domain: string, token: string): string => hostUrl(domain, filePathOf(token));
