import DataLoader from "dataloader";
import { type OcspStatus } from "~/ca/ocsp/response.server";
import { getDb } from "~db/connection.server";
import {
  type CertificateState,
  findCertificateStates,
  findResponderIssuers,
} from "~db/repositories/certificate-states.server";

type Revoked = Extract<OcspStatus, { status: "revoked" }>;

/** The CA that issued a serial number, and the status of that certificate. */
export interface KnownStatus {
  authorityId: number;
  status: OcspStatus;
  /** The revocation that is scheduled for a good certificate, or null. */
  scheduled: Revoked | null;
}

/**
 * Returns the status that applies at `now`. A scheduled revocation applies from its date on, even when the job has not run yet. It cannot
 * be withdrawn, and a 'good' answer would have to be valid beyond that date.
 */
export function statusAt(known: KnownStatus, now: Date): KnownStatus {
  const { authorityId, scheduled } = known;
  return scheduled && scheduled.at <= now ? { authorityId, status: scheduled, scheduled: null } : known;
}

const MOST_AT_ONCE = 200;

/** Returns the status of a certificate. It is revoked when it has a CRL entry, as on the CRLs. */
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
 * Returns a function that reads the status of a serial number (upper-case hex) from the database, or null for a serial number that is not
 * ours. Nothing is cached: every call is answered by a query that began after the call, so it sees every revocation that was confirmed
 * before. Calls that arrive while a query runs share the next query.
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
