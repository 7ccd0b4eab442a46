import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { CaError } from "~/ca/errors.server";
import { type CertId, issuerReferences } from "~/ca/ocsp/cert-id.server";
import { findNonceAtEnd } from "~/ca/ocsp/nonce.server";
import { type OcspRequest, readOcspRequest } from "~/ca/ocsp/request.server";
import { buildOcspResponse, type OcspError, ocspErrorResponse } from "~/ca/ocsp/response.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { databaseVersion, getDb } from "~db/connection.server";
import { isUnavailable } from "~db/unavailable.server";
import { ANSWER_LIFE_MS, ANSWER_RENEWED_AFTER_MS } from "./answer-life";
import { type OpenResponder, responderOpener } from "./open-responder.server";
import { SignatureLimit, SignatureTurns } from "./signing-limits.server";
import { type KnownStatus, statusAt, statusReader } from "./status.server";

export interface OcspAnswer {
  /** The responseStatus of RFC 6960. */
  status: "successful" | OcspError;
  der: Uint8Array;
  /** How caches may keep the answer, or null when they may not. */
  caching: OcspCaching | null;
}

export interface OcspCaching {
  /** The strong validator, with its quotes. */
  etag: string;
  thisUpdate: Date;
  nextUpdate: Date;
  /** When the answer is due to be signed again. */
  renewAt: Date;
  /** The version of the database when it last said the same as the answer, or null when it is not known. */
  version: number | null;
}

type Statuses = (KnownStatus | null)[];

/** A request, with the answer that is prepared for it when it was read before. */
interface Known {
  request: OcspRequest;
  prepared?: Prepared;
}

interface Prepared {
  answer: OcspAnswer & { caching: OcspCaching };
  /** The content of the answer as text. The answer is right as long as the database says the same. */
  state: string;
}

/** The number of requests that are cached, about 25 MB at most. */
const MOST_CACHED = 10_000;
/**
 * The maximum size in bytes of a request that is cached. A request for one certificate has 70 to 130 bytes; RFC 5019 §5 allows 255 in a
 * GET.
 */
const MAX_CACHED_BYTES = 255;
/** The number of requests with a nonce whose certificates are cached, about 5 MB at most. */
const MOST_NONCES_CACHED = 5000;

const failed = (error: OcspError): OcspAnswer => ({ status: error, der: ocspErrorResponse(error), caching: null });

/** How long the CAs are known before an unknown reference makes the portal look for a new one, in milliseconds. */
const ISSUERS_KEPT_MS = 10_000;

/**
 * Returns a function that finds an issuing CA by any reference of RFC 6960. A CA never changes, and new ones are rare: they are read again
 * when a reference is unknown, at most every ten seconds.
 */
function issuerFinder(): (reference: string) => Promise<Authority | null> {
  let issuers = new Map<string, Authority>();
  let readAt = -Infinity;
  return async (reference) => {
    if (!issuers.has(reference) && performance.now() >= readAt + ISSUERS_KEPT_MS) {
      const issuing = (await listAuthorities(getDb())).filter(({ isRoot }) => !isRoot);
      issuers = new Map(
        issuing.flatMap((authority) =>
          issuerReferences(readIssuer(authority.certificate)).map((known) => [known, authority] as const),
        ),
      );
      readAt = performance.now();
    }
    return issuers.get(reference) ?? null;
  };
}

const stateOf = (statuses: Statuses): string => JSON.stringify(statuses);

const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** Returns when an answer ends: after a day, or earlier when its responder ends or a certificate in it is scheduled for revocation. */
function endOf(thisUpdate: Date, statuses: Statuses, responder: OpenResponder): Date {
  const revocations = statuses.flatMap((status) => (status?.scheduled ? [status.scheduled.at.getTime()] : []));
  return new Date(Math.min(thisUpdate.getTime() + ANSWER_LIFE_MS, ...revocations, responder.notAfter.getTime()));
}

async function sign(request: OcspRequest, statuses: Statuses, responder: OpenResponder, now: Date) {
  const thisUpdate = wholeSeconds(now);
  const nextUpdate = endOf(thisUpdate, statuses, responder);
  const der = await buildOcspResponse({
    responder,
    responses: request.certIds.map((certId, index) => ({
      certId,
      status: statuses[index]?.status ?? { status: "unknown" },
    })),
    nonce: request.nonce,
    thisUpdate,
    nextUpdate,
  });
  return { der, thisUpdate, nextUpdate };
}

function cachingOf({ der, thisUpdate, nextUpdate }: Awaited<ReturnType<typeof sign>>, version: number | null) {
  const etag = `"${createHash("sha256").update(der).digest("hex")}"`;
  const renewAt = new Date(Math.min(thisUpdate.getTime() + ANSWER_RENEWED_AFTER_MS, nextUpdate.getTime()));
  return { etag, thisUpdate, nextUpdate, renewAt, version } satisfies OcspCaching;
}

const isCurrent = ({ thisUpdate, renewAt }: OcspCaching, now: Date) =>
  thisUpdate.getTime() <= now.getTime() && now.getTime() < renewAt.getTime();

/** How long a version of the database counts as the present one, in milliseconds. */
const VERSION_LIFE_MS = 1;

let present: { version: number | null; until: number } | null = null;

/**
 * Returns the version of the database, which is read once in a turn of the event loop, and again when the turn takes long. A revocation
 * takes longer from its commit to its confirmation, which waits for two signatures.
 */
function presentVersion(): number | null {
  const now = performance.now();
  if (present && now < present.until) return present.version;
  if (!present) setImmediate(() => (present = null));
  present = { version: databaseVersion(), until: now + VERSION_LIFE_MS };
  return present.version;
}

/** Returns whether an answer is current and nobody has changed anything since the database last said the same as the answer. */
export const isRightStill = (caching: OcspCaching, now: Date): boolean =>
  isCurrent(caching, now) && caching.version !== null && caching.version === presentVersion();

/**
 * Returns a function that reads requests. It caches them, and of requests with a nonce what they ask: such a request differs from the one
 * before only in the octets of an OCTET STRING, which the parser does not look into.
 */
function requestReader(): (der: Uint8Array) => Known {
  const known = new LRUCache<string, Known>({ max: MOST_CACHED });
  const certIds = new LRUCache<string, CertId[]>({ max: MOST_NONCES_CACHED });

  function readWithNonce(der: Buffer, { extension, value }: { extension: number; value: number }): OcspRequest {
    const key = der.toString("latin1", 0, value);
    const nonce = Uint8Array.from(der.subarray(extension));
    const found = certIds.get(key);
    if (found) return { certIds: found, nonce };
    const request = readOcspRequest(der);
    if (request.nonce && Buffer.compare(request.nonce, nonce) === 0) certIds.set(key, request.certIds);
    return request;
  }

  return (bytes) => {
    if (bytes.length > MAX_CACHED_BYTES) return { request: readOcspRequest(bytes) };
    const der = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const key = der.toString("latin1");
    const found = known.get(key);
    if (found) return found;
    const at = findNonceAtEnd(der);
    const entry = { request: at ? readWithNonce(der, at) : readOcspRequest(der) };
    if (!entry.request.nonce) known.set(key, entry);
    return entry;
  };
}

/** Who sent a request, and when. */
export interface AskedStatus {
  now?: Date;
  /**
   * Returns the network of the client. Its signatures are limited; without this, those of nobody in particular are not. It is not called for
   * a prepared answer.
   */
  network?: (() => string) | null;
}

/**
 * Returns the OCSP responder of this process (RFC 6960, RFC 5019). It takes the bytes of an OCSPRequest, returns the answer and never
 * throws. The status of each certificate is read from the database for every request, unless nothing in it has changed since. Only parsed
 * requests and signed answers that are still valid are cached. Answers tryLater when too many signatures are requested, by one network or in all. An unavailable database is not
 * logged here, because there would be thousands of entries a second; `/readyz` reports it.
 */
export function ocspResponder(): (der: Uint8Array, asked?: AskedStatus) => Promise<OcspAnswer> {
  const read = requestReader();
  const findIssuer = issuerFinder();
  const findStatus = statusReader();
  const openResponder = responderOpener();
  const turns = new SignatureTurns();
  const limit = new SignatureLimit();

  const mayHaveSignature = (network: AskedStatus["network"]) =>
    !network || !getEnv().rateLimits || limit.allows(network(), performance.now());

  /** Returns the CA that issued all certificates of the request, or null when it is not one of ours. Nobody else may answer for a CA. */
  async function issuerOf({ certIds }: OcspRequest): Promise<Authority | null> {
    const references = new Set(certIds.map(({ issuer }) => issuer));
    const issuers = new Set(await Promise.all([...references].map(findIssuer)));
    const [issuer] = issuers;
    return issuers.size === 1 && issuer ? issuer : null;
  }

  async function answer(entry: Known, { now, network }: Required<AskedStatus>): Promise<OcspAnswer> {
    const { request, prepared } = entry;
    const version = databaseVersion();
    // A network without a signature left costs no query either.
    if (request.nonce && !mayHaveSignature(network)) return failed("tryLater");
    const authority = await issuerOf(request);
    if (!authority) return failed("unauthorized");
    const found = await Promise.all(request.certIds.map(({ serial }) => findStatus(serial)));
    const statuses = found.map((known) => (known?.authorityId === authority.id ? statusAt(known, now) : null));
    const state = stateOf(statuses);
    if (prepared?.state === state && isCurrent(prepared.answer.caching, now)) {
      prepared.answer.caching.version = version;
      return prepared.answer;
    }
    if (!request.nonce && !mayHaveSignature(network)) return failed("tryLater");
    const responder = await openResponder(authority, now);
    const signed = responder && (await turns.run(network?.() ?? "", () => sign(request, statuses, responder, now)));
    if (!signed) return failed("tryLater");
    const successful = { status: "successful" as const, der: signed.der };
    // A serial number that is unknown now may be known a second later.
    if (request.nonce || statuses.includes(null)) return { ...successful, caching: null };
    const shared = { ...successful, caching: cachingOf(signed, version) };
    entry.prepared = { state, answer: shared };
    return shared;
  }

  /** Returns the prepared answer while the database is unavailable, as long as the answer is valid. Otherwise returns tryLater. */
  const withoutDatabase = ({ prepared }: Known, now: Date): OcspAnswer =>
    prepared && now < prepared.answer.caching.nextUpdate ? prepared.answer : failed("tryLater");

  return async (der, { now = new Date(), network = null } = {}) => {
    try {
      const entry = read(der);
      try {
        return await answer(entry, { now, network });
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return withoutDatabase(entry, now);
      }
    } catch (error) {
      if (error instanceof CaError && error.code === "malformed") return failed("malformedRequest");
      logError(error, { code: "ocsp" });
      return failed("internalError");
    }
  };
}
