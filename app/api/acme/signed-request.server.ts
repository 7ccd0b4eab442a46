import { type JWK } from "jose";
import { requireAcmeAccount } from "~/domain/acme/accounts.service.server";
import {
  type AcmeJwk,
  jwkOf,
  parseJws,
  type ReadJws,
  requireAlgorithm,
  requireUrl,
  verifiedPayload,
} from "~/domain/acme/jws.server";
import { requireNonce } from "~/domain/acme/nonces.server";
import { AcmeProblem } from "~/domain/acme/problem";
import { readBody } from "~/http/forms.server";
import { getEnv } from "~/lib/env.server";
import { type BoundAccount } from "~db/repositories/acme-accounts.server";

/** The longest request in bytes. A CSR with a hundred names and a key of 8192 bits takes a fifth of it. */
const LONGEST_REQUEST = 64 * 1024;

/** Who signs a request: whoever has a key, an account, or either of them. */
export type SignedBy = "key" | "account" | "either";

/** A request whose signature, address and nonce are right. */
export interface SignedRequest {
  payload: string;
  jws: ReadJws["jws"];
  /** Null for a request that is signed with a key that the request itself has. */
  account: BoundAccount | null;
  key: AcmeJwk;
}

/** Returns the address of a request as clients must sign it: the public one. */
export function signedUrl(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return getEnv().publicUrl + pathname + search;
}

/** Reads the JWS of the body. Throws an AcmeProblem `malformed`, and PortalError (413) when it is too long. */
async function readRequest(request: Request): Promise<ReadJws> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/jose+json")
    throw new AcmeProblem("malformed", "The body must be of the type application/jose+json.", { status: 415 });
  return parseJws((await readBody(request, LONGEST_REQUEST, "body")).toString("utf8"));
}

/** Finds the key that must have signed a request. Throws an AcmeProblem. */
async function signerOf(read: ReadJws, by: SignedBy): Promise<Pick<SignedRequest, "account" | "key">> {
  const { kid, jwk } = read.header;
  if (kid !== undefined && jwk !== undefined)
    throw new AcmeProblem("malformed", "The protected header must have either a kid or a jwk.");
  const isByKey = by === "key" || (by === "either" && kid === undefined);
  if (isByKey) return { account: null, key: await jwkOf(read) };
  if (kid === undefined)
    throw new AcmeProblem("malformed", "The protected header must have the address of the account as kid, and no jwk.");
  const account = await requireAcmeAccount(kid);
  return { account, key: { jwk: JSON.parse(account.jwk) as JWK, thumbprint: account.thumbprint } };
}

/**
 * Verifies a request (RFC 8555 §6.2 to §6.5): its form, algorithm, key, signature, address and nonce.
 *
 * @param by Who must have signed it.
 * @throws AcmeProblem `accountDoesNotExist`, `badNonce`, `badPublicKey`, `badSignatureAlgorithm`, `malformed` or `unauthorized`.
 */
export async function readSigned(request: Request, by: SignedBy): Promise<SignedRequest> {
  const read = await readRequest(request);
  requireAlgorithm(read);
  const signer = await signerOf(read, by);
  const payload = await verifiedPayload(read, signer.key);
  requireUrl(read, signedUrl(request));
  await requireNonce(read.header.nonce ?? "");
  return { payload, jws: read.jws, ...signer };
}
