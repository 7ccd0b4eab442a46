import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { makeOcspRequest } from "~/ca/ocsp/make-request.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { ownResponder } from "~/domain/ocsp/own-responder.server";
import { getDb } from "~db/connection.server";
import { findUsableResponder } from "~db/repositories/ocsp-responders.server";
import { type Measurement } from "./measurement.schema";

/**
 * Asks the OCSP responder of a CA about the responder's own certificate, which exists before the first customer's and says nothing about
 * customers. Returns the times of the answer, which are null when there is no valid answer.
 */
export async function askResponder(
  { id, name, certificate }: Authority,
  now: Date,
): Promise<Measurement["responders"][number]> {
  const usable = await findUsableResponder(getDb(), id, now);
  const none = { authority: name, thisUpdate: null, renewAt: null, nextUpdate: null };
  if (!usable) return none;
  const { serialNumber } = describeCertificate(usable.certificate);
  const { status, caching } = await ownResponder()(makeOcspRequest(readIssuer(certificate), serialNumber), { now });
  if (status !== "successful" || !caching) return none;
  const { thisUpdate, renewAt, nextUpdate } = caching;
  return {
    authority: name,
    thisUpdate: thisUpdate.toISOString(),
    renewAt: renewAt.toISOString(),
    nextUpdate: nextUpdate.toISOString(),
  };
}
