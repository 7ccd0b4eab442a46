import { chmod, link, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { dirname, join } from "node:path";
import { type SignerSettings, type SignerTls } from "~/lib/signer-env.server";
import { isSocketLive } from "~/lib/socket.server";

/** How long a request may take to arrive, in milliseconds: 40 MB from another machine. */
const LONGEST_REQUEST_MS = 120_000;

const EVERYBODY_WRITES = 0o002;
const STICKY = 0o1000;

const listening = (server: Server, place: object): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      server.off("error", reject);
      resolve();
    });
  });

/** Throws an Error when everybody may write to the folder of the socket, and so put another socket in its place. */
async function requireOwnFolder(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if (mode & EVERYBODY_WRITES && !(mode & STICKY))
    throw new Error(`The folder ${folder} of the socket must not be writable by everybody.`);
}

/** Another process listens on a socket. */
export class SocketInUse extends Error {}

/**
 * Removes the socket of a process that has ended. Another process may do the same and listen before the file is removed, so the file is
 * moved aside and looked at again first.
 */
async function removeLeftSocket(path: string): Promise<void> {
  const aside = join(dirname(path), `.${process.pid}`);
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  // A link does not replace the socket of somebody who listens there by now.
  if (await isSocketLive(aside)) await link(aside, path).catch(() => undefined);
  await rm(aside);
}

async function replaceSocket(server: Server, path: string): Promise<void> {
  const isOther = await stat(path).then(
    (found) => !found.isSocket(),
    () => false, // removed by now
  );
  if (isOther) throw new Error(`${path} is not a socket. Move the file away.`);
  if (!(await isSocketLive(path))) await removeLeftSocket(path);
  await listening(server, { path }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EADDRINUSE" ? new SocketInUse(`Another signer listens on ${path} already.`) : error;
  });
}

/**
 * Listens on a Unix socket. Replaces the socket of a process that has ended.
 *
 * @param mode The permissions of the socket.
 * @throws SocketInUse when another process listens on it.
 */
export async function listenOnSocket(server: Server, path: string, mode: number): Promise<void> {
  const folder = dirname(path);
  // The process creates files for its own user only, and the group must reach the socket.
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o750);
  await requireOwnFolder(folder);
  try {
    await listening(server, { path });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    await replaceSocket(server, path);
  }
  try {
    await chmod(path, mode);
  } catch (error) {
    server.close(); // otherwise the process would stay, with a socket that somebody else has moved away
    throw error;
  }
}

async function tlsOptions({ certFile, keyFile, caFile }: SignerTls) {
  const [cert, key, ca] = await Promise.all([certFile, keyFile, caFile].map((file) => readFile(file)));
  return { cert, key, ca, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" as const };
}

const ROOM_FOR_TWO = 0o660;

/**
 * Listens where the settings say: on a socket, which only the signer's user and group may use, or with TLS, for clients with a certificate of
 * SIGNER_TLS_CA.
 *
 * @returns The servers and where they listen.
 * @throws Error when neither is set, or a place is taken.
 */
export async function listenForPortal(
  { socketPath, listen, tls }: SignerSettings,
  handler: RequestListener,
): Promise<{ servers: Server[]; places: string[] }> {
  const [servers, places]: [Server[], string[]] = [[], []];
  const limits = { requestTimeout: LONGEST_REQUEST_MS };
  if (socketPath) {
    const server = createServer(limits, handler);
    await listenOnSocket(server, socketPath, ROOM_FOR_TWO);
    servers.push(server);
    places.push(socketPath);
  }
  if (listen && tls) {
    const server = createTlsServer({ ...limits, ...(await tlsOptions(tls)) }, handler);
    await listening(server, listen);
    servers.push(server);
    places.push(`https://${listen.host}:${listen.port}`);
  }
  if (servers.length === 0)
    throw new Error("Set SIGNER_SOCKET to the socket on which the signer listens, or SIGNER_LISTEN to its address.");
  return { servers, places };
}
