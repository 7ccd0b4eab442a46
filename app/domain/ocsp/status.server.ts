import DataLoader from "dataloader";
import { type OcspStatus } from "~/ca/ocsp/response.server";
import { getDb } from "~db/connection.server";
import {
  type CertificateState,
  findCertificateStates,
  findResponderIssuers,
} from "~db/repositories/certificate-states.server";

type Revoked = Extract<OcspStatus, { status: "revoked" }>;

/** The CA that issued a serial number, and what is known of that certificate. */
export interface KnownStatus {
  authorityId: number;
  status: OcspStatus;
  /** The revocation that a good certificate waits for. */
  scheduled: Revoked | null;
}

/**
 * Returns what holds at `now`. A scheduled revocation holds from its moment on, whether or not the job was there: it cannot be withdrawn,
 * and a 'good' would have to be valid beyond that moment.
 */
export function statusAt(known: KnownStatus, now: Date): KnownStatus {
  const { authorityId, scheduled } = known;
  return scheduled && scheduled.at <= now ? { authorityId, status: scheduled, scheduled: null } : known;
}

const MOST_AT_ONCE = 200;

/** As the lists say it: a certificate is revoked when it has an entry for them. */
function statusOf(state: CertificateState): KnownStatus {
  const { authorityId, status, revokedCertificateDer, revocationDate, revocationReason: reason } = state;
  const good = { status: "good" } as const;
  if (!revokedCertificateDer && status !== "RequestRevoke") return { authorityId, status: good, scheduled: null };
  if (!revocationDate || reason === null) throw new Error("A revoked certificate has no date or reason.");
  const revoked = { status: "revoked", at: new Date(revocationDate), reason } as const;
  return revokedCertificateDer
    ? { authorityId, status: revoked, scheduled: null }
    : { authorityId, status: good, scheduled: revoked };
}

async function readStatuses(serials: readonly string[]): Promise<(KnownStatus | null)[]> {
  const states = await findCertificateStates(getDb(), [...new Set(serials)]);
  const others = serials.filter((serial) => !states.has(serial));
  const responders = others.length > 0 ? await findResponderIssuers(getDb(), others) : new Map<string, number>();
  return serials.map((serial) => {
    const state = states.get(serial);
    if (state) return statusOf(state);
    const authorityId = responders.get(serial);
    return authorityId === undefined ? null : { authorityId, status: { status: "good" }, scheduled: null };
  });
}

/**
 * Asks the database for the status of serial numbers (upper-case hex; null = none of ours). Nothing is kept: a question is answered by
 * a query that began after it, so it sees every revocation that was answered before. Questions that come while a query runs share the
 * next one.
 */
export function statusReader(): (serial: string) => Promise<KnownStatus | null> {
  let running: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<string, KnownStatus | null>(
    (serials) => {
      const statuses = readStatuses(serials);
      running = statuses.catch(() => undefined);
      return statuses;
    },
    {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (dispatch) => void running.then(() => setImmediate(dispatch)),
    },
  );
  return (serial) => loader.load(serial);
}
