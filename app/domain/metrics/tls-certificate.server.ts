import { isIP } from "node:net";
import { connect } from "node:tls";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";

const MINUTE = 60_000;
/** How long to wait for the server, in milliseconds. It is less than Prometheus waits for the metrics. */
const PATIENCE_MS = 5000;
/** How long a certificate is kept before it is read again, and how long the portal waits after a failure, in milliseconds. */
const KEPT_MS = 6 * 60 * MINUTE;
const RETRY_MS = 15 * MINUTE;

/** The certificate that PUBLIC_URL serves: its end as an ISO timestamp, or why the end is unknown. */
export type TlsCertificate = { notAfter: string } | { problem: string };

/**
 * Returns the end of the certificate that a server presents. The certificate is not verified, because nothing is sent to the server.
 *
 * @param url An https address. Its path does not matter.
 */
function readEnd(url: string): Promise<Date> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} seconds`)),
      PATIENCE_MS,
    );
    socket.on("close", () => clearTimeout(timer));
    socket.on("error", reject);
    socket.on("secureConnect", () => {
      const end = socket.getPeerX509Certificate()?.validTo;
      socket.destroy();
      if (end === undefined) reject(new Error("the server presents no certificate"));
      else resolve(new Date(end));
    });
  });
}

interface Reading {
  /** The latest certificate, or null before the first one. */
  latest: TlsCertificate | null;
  running: Promise<TlsCertificate> | null;
  /** When to read again, by the steady clock. */
  due: number;
}

export const lastTlsReading = memoize((): Reading => ({ latest: null, running: null, due: 0 }));

async function read(reading: Reading, url: string): Promise<TlsCertificate> {
  const found = await readEnd(url).then(
    (end): TlsCertificate => ({ notAfter: end.toISOString() }),
    (error: Error): TlsCertificate => ({ problem: error.message }),
  );
  reading.due = performance.now() + ("problem" in found ? RETRY_MS : KEPT_MS);
  reading.latest = found;
  reading.running = null;
  return found;
}

/**
 * Returns the certificate that PUBLIC_URL serves, or null when the portal is a trial: without https or on this machine only. The address may
 * be out of reach from this machine; then the end is unknown. A reading is kept for hours and renewed in the background, so only the first
 * call waits, for five seconds at most.
 */
export async function findTlsCertificate(): Promise<TlsCertificate | null> {
  const { isForRealUse, publicUrl } = getEnv();
  if (!isForRealUse) return null;
  const reading = lastTlsReading();
  if (reading.running === null && performance.now() >= reading.due) reading.running = read(reading, publicUrl);
  return reading.latest ?? reading.running;
}
