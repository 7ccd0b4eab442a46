import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { dirname } from "node:path";
import { type SignerSettings, type SignerTls } from "~/lib/signer-env.server";

/** How long a request may take to arrive, in milliseconds: 40 MB from another machine. */
const LONGEST_REQUEST_MS = 120_000;

const EVERYBODY_WRITES = 0o002;
const STICKY = 0o1000;

/** Returns whether a process listens on the socket. */
const isLive = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      else reject(error);
    });
  });

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

/**
 * Listens on a Unix socket. Replaces the socket of a process that has ended, and refuses one on which a process listens.
 *
 * @param mode The permissions of the socket.
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
    if (!(await stat(path)).isSocket()) throw new Error(`${path} is no socket. Move the file away.`);
    if (await isLive(path)) throw new Error(`Another signer listens on ${path} already.`);
    await rm(path);
    await listening(server, { path });
  }
  await chmod(path, mode);
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
