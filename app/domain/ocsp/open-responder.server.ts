import { type KeyObject } from "node:crypto";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { decryptPrivateKey, spkiDerOf } from "~/ca/keys.server";
import { type Responder, responderOf } from "~/ca/ocsp/response.server";
import { softwareSigner } from "~/ca/signer.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { passphraseOf } from "~/domain/authorities/passphrases.server";
import { getDb } from "~db/connection.server";
import { findUsableResponder, type UsableResponder } from "~db/repositories/ocsp-responders.server";

export interface OpenResponder extends Responder {
  notAfter: Date;
}

/** Opens the key of a responder. Throws a CaError when RESPONDER_PASSPHRASE does not open it, and an Error when it is another key. */
function openKey({ certificate, privateKey }: UsableResponder): KeyObject {
  const key = decryptPrivateKey(privateKey, passphraseOf("responder"));
  if (Buffer.from(spkiDerOf(key)).equals(parseCertificate(certificate).key.spkiDer)) return key;
  throw new Error("The key of an OCSP responder does not belong to its certificate.");
}

/** Returns whether the key of a responder can be opened and belongs to its certificate. */
export function opens(responder: UsableResponder): boolean {
  try {
    openKey(responder);
    return true;
  } catch {
    return false;
  }
}

function open({ hierarchy }: Authority, responder: UsableResponder): OpenResponder {
  const signer = softwareSigner(openKey(responder), HIERARCHIES[hierarchy].hash);
  return { ...responderOf(responder.certificate, signer), notAfter: new Date(responder.notAfter) };
}

/** Opens a responder. When that fails, returns the one before if it has not ended. */
function openOr(kept: OpenResponder | null, authority: Authority, responder: UsableResponder): OpenResponder {
  try {
    return open(authority, responder);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** How long calls share what a query has found, in milliseconds. A responder is renewed weeks before the last one ends. */
const SHARED_MS = 100;

/**
 * Returns a function that opens the current responder of a CA, or returns null when there is none. Calls share a query for a tenth of a
 * second, so a renewed responder is used that soon in every process. A key is opened only once, because that takes a quarter of a second.
 * A process with an old passphrase keeps the responder that it has opened until its end, while others use the next one.
 */
export function responderOpener(): (authority: Authority, now: Date) => Promise<OpenResponder | null> {
  const opened = new Map<number, { id: number; responder: OpenResponder }>();
  const queries = new Map<string, Promise<UsableResponder | null>>();

  async function find(key: string, { id }: Authority, now: Date): Promise<UsableResponder | null> {
    try {
      return await findUsableResponder(getDb(), id, now);
    } finally {
      setTimeout(() => queries.delete(key), SHARED_MS).unref();
    }
  }

  function current(authority: Authority, now: Date): Promise<UsableResponder | null> {
    const key = `${authority.id} ${Math.floor(now.getTime() / 1000)}`;
    const running = queries.get(key);
    if (running) return running;
    const query = find(key, authority, now);
    queries.set(key, query);
    return query;
  }

  return async (authority, now) => {
    const usable = await current(authority, now);
    if (!usable || new Date(usable.notAfter) <= now) return null;
    const known = opened.get(authority.id);
    const kept = known && known.responder.notAfter > now ? known.responder : null;
    if (kept && known?.id === usable.id) return kept;
    const responder = openOr(kept, authority, usable);
    opened.set(authority.id, { id: usable.id, responder });
    return responder;
  };
}
