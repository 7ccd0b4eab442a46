import { HIERARCHIES } from "~/ca/hierarchies.server";
import { decryptPrivateKey } from "~/ca/keys.server";
import { type Responder, responderOf } from "~/ca/ocsp/response.server";
import { softwareSigner } from "~/ca/signer.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { caPassphrase } from "~/domain/authorities/key-files.server";
import { getDb } from "~db/connection.server";
import { findUsableResponder, type UsableResponder } from "~db/repositories/ocsp-responders.server";

export interface OpenResponder extends Responder {
  notAfter: Date;
}

function open({ hierarchy }: Authority, { certificate, privateKey, notAfter }: UsableResponder): OpenResponder {
  const key = decryptPrivateKey(privateKey, caPassphrase());
  return {
    ...responderOf(certificate, softwareSigner(key, HIERARCHIES[hierarchy].hash)),
    notAfter: new Date(notAfter),
  };
}

/** How long calls share what a query has found, in milliseconds. A responder is renewed weeks before the last one ends. */
const SHARED_MS = 100;

/**
 * Returns a function that opens the current responder of a CA, or returns null when there is none. Calls share a query for a tenth of a
 * second, so a renewed responder is used that soon in every process. A key is opened only once, because that takes a quarter of a second.
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
    if (known?.id === usable.id) return known.responder;
    const responder = open(authority, usable);
    opened.set(authority.id, { id: usable.id, responder });
    return responder;
  };
}
