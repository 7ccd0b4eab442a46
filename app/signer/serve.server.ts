import { mkdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { type Env } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { signerOperatorSocket } from "~/lib/signer-files.server";
import { AppSecrets } from "./app-secrets.server";
import { Books } from "./books.server";
import { operatorListener, portalListener, type SignerProcess } from "./http.server";
import { openIssuer, openIssuers } from "./issuers.server";
import { listenForPortal, listenOnSocket, SocketInUse } from "./listen.server";
import { listenerOf } from "./listener.server";
import { NewKeys } from "./new-keys.server";
import { People } from "./people.server";
import { Refusal } from "./refusal.server";
import { Signing } from "./signing.server";

/** The time that open requests have when the signer ends, in milliseconds. */
const LONGEST_END_MS = 10_000;

const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

const STARTING = listenerOf(() => Promise.reject(new Refusal("unavailable", "The signer is starting.")));

/** Another signer has the folder. */
export class FolderInUse extends Error {}

async function openProcess(env: Env): Promise<SignerProcess & { names: string[] }> {
  const { signer: settings, caPassphrase, pkcs11 } = env;
  const issuers = await openIssuers(env);
  const books = new Books(settings.directory);
  const signing = new Signing({ settings, issuers, books });
  await signing.noteIssuers();
  const secrets = await AppSecrets.open(settings.directory, caPassphrase ?? pkcs11?.pin ?? "");
  return {
    signing,
    books,
    people: new People(books, secrets),
    newKeys: new NewKeys(env),
    open: (name) => openIssuer(env, name),
    names: [...issuers.keys()],
  };
}

/**
 * Runs the signer in this process until it is stopped: opens the keys, verifies the journal and listens.
 *
 * @returns Where it listens for the portal.
 * @throws FolderInUse when another signer runs, and an Error with a sentence when a key does not open or the journal is damaged.
 */
export async function serveSigner(env: Env): Promise<string[]> {
  const settings = env.signer;
  await mkdir(settings.directory, { recursive: true, mode: 0o700 });
  // Two signers would each continue the journal on their own. Whoever listens on this socket has the folder.
  let forOperators: RequestListener = STARTING;
  const operators = createServer((request, response) => forOperators(request, response));
  await listenOnSocket(operators, signerOperatorSocket(settings.directory), 0o600).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    const problem = `Another signer uses ${settings.directory}, or its folder cannot be used: ${why}`;
    throw error instanceof SocketInUse ? new FolderInUse(problem) : new Error(problem);
  });
  try {
    const opened = await openProcess(env);
    const { servers, places } = await listenForPortal(settings, portalListener(opened));
    forOperators = operatorListener(opened);
    stopWith(servers, operators);
    if (opened.names.length === 0 && !env.startsSigner)
      log().warn("the signer has no CA yet: run 'signer adopt', or 'ca request' on the portal");
    log().info({ places, issuers: opened.names }, "the signer listens");
    return places;
  } catch (error) {
    operators.close();
    throw error;
  }
}

type SignerServer = ReturnType<typeof createServer>;

/**
 * Ends the process when it is asked to stop: open requests are answered, and the sockets are removed. A child of the portal ends when the
 * portal lets go of it or has ended. Signals that are meant for the portal reach it, too, while the portal still needs signatures.
 */
function stopWith(servers: readonly SignerServer[], operators: SignerServer): void {
  const close = (server: SignerServer) => {
    const end = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    return end;
  };
  const stop = () => {
    log().info("the signer stops");
    setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
    // The socket of the operators says that the folder is in use, so it goes last.
    void Promise.all(servers.map(close))
      .then(() => close(operators))
      .then(() => process.exit(0));
  };
  if (process.send) {
    for (const signal of END_SIGNALS) process.on(signal, () => undefined);
    if (process.connected) process.once("disconnect", stop);
    else stop(); // the portal has ended while this process started
  } else for (const signal of END_SIGNALS) process.once(signal, stop);
}
