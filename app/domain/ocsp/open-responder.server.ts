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
 * A way to the current responder of a CA. The database is asked each time, which costs little beside a signature, so that a renewal
 * counts at once in every process; opening a key takes a quarter of a second and is done once. Null when there is no responder.
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
