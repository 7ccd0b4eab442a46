import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIPv6 } from "node:net";
import { getConfig } from "~/lib/config.server";
import { CONNECTION_FAILURES } from "~/lib/connection-failures";

/** How long reading a file may take in all, with its redirects, in milliseconds. */
export const FILE_TIME_MS = 10_000;

/** How many bytes of a file are read. */
export const FILE_BYTES = 16 * 1024;

/** How many redirects are followed. */
export const FILE_REDIRECTS = 3;

/** A file that cannot be read. The message is a sentence for people. */
export class ChallengeFileProblem extends Error {
  /** Whether no server answered at the address. */
  readonly isUnreached: boolean;

  constructor(message: string, isUnreached = false) {
    super(message);
    this.isUnreached = isUnreached;
  }
}

const FAILURES: Partial<Record<string, string>> = {
  ...CONNECTION_FAILURES,
  EPROTO: "does not speak TLS at its port for https",
};

const REDIRECTS = [301, 302, 303, 307, 308];

/** Returns the default port of the URL's scheme when it names none. */
const portOf = ({ protocol, port }: URL): number => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port));

/** Returns the port to connect to. Throws a ChallengeFileProblem for a port that is not the one of its scheme. */
function requirePort(url: URL): number {
  const { checkPorts } = getConfig().names;
  const allowed = url.protocol === "https:" ? checkPorts.https : checkPorts.http;
  if (portOf(url) === allowed) return allowed;
  throw new ChallengeFileProblem(
    `The server redirects to port ${portOf(url)}; files are read at port ${allowed} only.`,
  );
}

/** Sends a GET to this very address, whatever the name of the host resolves to now. */
function get(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const options = {
    host: address,
    port: requirePort(url),
    path: url.pathname + url.search,
    headers: { Host: url.host, "User-Agent": "Marque domain check", Accept: "text/plain, */*" },
    agent: false,
    signal,
  };
  // The content of the file is the proof. Many servers redirect to HTTPS before they have a certificate for the name.
  const secure = { ...options, servername: url.hostname, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.get(secure, resolve) : http.get(options, resolve);
    request.on("error", reject);
  });
}

/** Returns the body as text. Throws a ChallengeFileProblem when it is longer than FILE_BYTES, without reading the rest. */
async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > FILE_BYTES) throw new ChallengeFileProblem(`The file has more than ${FILE_BYTES / 1024} KB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns where a redirect leads. Throws a ChallengeFileProblem for another host, and for another scheme than http and https. */
function targetOf(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from))
    throw new ChallengeFileProblem("The server redirects without a valid address.");
  const to = new URL(location, from);
  if (!["http:", "https:"].includes(to.protocol))
    throw new ChallengeFileProblem(`The server redirects to ${to.protocol} but must stay with http: or https:.`);
  if (to.hostname !== from.hostname)
    throw new ChallengeFileProblem(`The server redirects to ${to.host}; only redirects to the same host are followed.`);
  return to;
}

async function follow(start: URL, address: string, signal: AbortSignal): Promise<string> {
  let url = start;
  for (let redirects = 0; redirects <= FILE_REDIRECTS; redirects += 1) {
    const answer = await get(url, address, signal);
    const status = answer.statusCode ?? 0;
    try {
      if (status === 200) return await textOf(answer);
      if (!REDIRECTS.includes(status))
        throw new ChallengeFileProblem(`The server answers with status ${status} instead of 200.`);
      url = targetOf(url, answer.headers.location);
    } finally {
      answer.destroy();
    }
  }
  throw new ChallengeFileProblem(`The server redirects more than ${FILE_REDIRECTS} times.`);
}

/**
 * Reads a text file at this address of a host. Redirects are followed to the same host and address only.
 * @param url The http URL with the name of the host.
 * @param address The IP address of the host that was checked.
 * @returns The text. Throws a ChallengeFileProblem with a sentence that says why it cannot be read.
 */
export async function readFileAt(url: string, address: string): Promise<string> {
  const signal = AbortSignal.timeout(FILE_TIME_MS);
  const shown = isIPv6(address) ? `[${address}]` : address;
  try {
    return await follow(new URL(url), address, signal);
  } catch (error) {
    if (error instanceof ChallengeFileProblem) throw error;
    if (signal.aborted)
      throw new ChallengeFileProblem(
        `The server at ${shown} did not answer within ${FILE_TIME_MS / 1000} seconds.`,
        true,
      );
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    const why = FAILURES[code];
    throw new ChallengeFileProblem(`The server at ${shown} ${why ?? "cannot be read"} (${code}).`, true);
  }
}
