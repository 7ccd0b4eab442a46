import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { type Env } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { signerHandler } from "./http.server";
import { openIssuers } from "./issuers.server";
import { Journal } from "./journal.server";
import { Ledger } from "./ledger.server";
import { listenForPortal, listenOnSocket } from "./listen.server";
import { type Books, Signing } from "./signing.server";

async function openBooks(directory: string): Promise<Books> {
  const ledger = new Ledger();
  const journal = await Journal.open(directory, {
    onEntry: (entry) => ledger.apply(entry),
    onTorn: (bytes) => log().warn({ bytes }, "the last line of the journal was torn by a crash and was cut off"),
  });
  return { journal, ledger };
}

/** The time that open requests have when the signer ends, in milliseconds. */
const LONGEST_END_MS = 10_000;

/**
 * Runs the signer in this process until it is stopped: opens the keys, verifies the journal and listens.
 *
 * @returns Where it listens.
 * @throws Error with a sentence when a key does not open, the journal is damaged, or another signer runs.
 */
export async function serveSigner(env: Env): Promise<string[]> {
  const settings = env.signer;
  await mkdir(settings.directory, { recursive: true, mode: 0o700 });
  // Two signers would each continue the journal on their own. Whoever listens on this socket has the folder.
  const lock = createServer((_, response) => void response.writeHead(404).end());
  await listenOnSocket(lock, join(settings.directory, ".in-use"), 0o600).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Another signer uses ${settings.directory}, or its folder cannot be used: ${why}`);
  });
  try {
    const issuers = await openIssuers(env);
    const signing = new Signing({ settings, issuers, openBooks: () => openBooks(settings.directory) });
    await signing.noteIssuers();
    const { servers, places } = await listenForPortal(settings, signerHandler(signing));
    stopWith([...servers, lock]);
    log().info({ places, issuers: [...issuers.keys()] }, "the signer listens");
    return places;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Ends the process when it is asked to stop: open requests are answered, and the sockets are removed. */
function stopWith(servers: readonly ReturnType<typeof createServer>[]): void {
  const stop = () => {
    log().info("the signer stops");
    setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
    const closed = servers.map((server) => {
      const end = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      return end;
    });
    void Promise.all(closed).then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}
