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

/**
 * Returns a function that opens the current responder of a CA, or returns null when there is none. The function queries the database each
 * time, so that a renewed responder is used at once in every process; this costs little compared with a signature. A key is opened only
 * once, because that takes a quarter of a second.
 */
export function responderOpener(): (authority: Authority, now: Date) => Promise<OpenResponder | null> {
  const opened = new Map<number, { id: number; responder: OpenResponder }>();
  return async (authority, now) => {
    const current = await findUsableResponder(getDb(), authority.id, now);
    if (!current) return null;
    const known = opened.get(authority.id);
    if (known?.id === current.id) return known.responder;
    const responder = open(authority, current);
    opened.set(authority.id, { id: current.id, responder });
    return responder;
  };
}
