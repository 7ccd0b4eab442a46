import { base64url, calculateJwkThumbprint, type CryptoKey, flattenedVerify, importJWK, type JWK } from "jose";
import { z } from "zod";
import { AcmeProblem } from "./problem";

/** The signature algorithms of account keys (RFC 7518 §3.1, RFC 8037 §3.1). */
export const ACME_ALGORITHMS = ["ES256", "ES384", "RS256", "EdDSA"] as const;

type Algorithm = (typeof ACME_ALGORITHMS)[number];

/** The largest modulus of an RSA key, as base64url of 4096 bits. A longer one would take long to verify. */
const LONGEST_MODULUS = 684;
const LONGEST_EXPONENT = 6;

const text = z.string();

const flattened = z.object({ protected: text, payload: text, signature: text }).strict();

const headerSchema = z
  .object({
    alg: text,
    url: text,
    nonce: text.optional(),
    kid: text.optional(),
    jwk: z.record(z.unknown()).optional(),
  })
  .passthrough();

/** A JWS in the flattened JSON serialization (RFC 7515 §7.2.2) whose signature is not verified yet. */
export interface ReadJws {
  jws: z.infer<typeof flattened>;
  header: z.infer<typeof headerSchema>;
}

const malformed = (detail: string, cause?: unknown) => new AcmeProblem("malformed", detail, { cause });

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw malformed("The request is not valid JSON.", cause);
  }
}

/** Returns the bytes of a base64url text. Throws an AcmeProblem `malformed` for any other text, also one with padding (RFC 8555 §6.1). */
export function fromBase64url(value: string, what: string): Buffer {
  if (!/^[\w-]*$/.test(value)) throw malformed(`${what} is not base64url without padding.`);
  return Buffer.from(base64url.decode(value));
}

/** Returns the object in a JSON text. Throws an AcmeProblem `malformed`. */
export function readObject<Shape extends z.ZodTypeAny>(json: string, schema: Shape, what: string): z.output<Shape> {
  const read = schema.safeParse(parseJson(json));
  if (read.success) return read.data as z.output<Shape>;
  const [issue] = read.error.issues;
  throw malformed(`${what} is not as RFC 8555 has it: ${[...(issue?.path ?? []), issue?.message].join(": ")}.`);
}

/** Reads a JWS and its protected header. Throws an AcmeProblem `malformed`. */
export function readJws(value: unknown): ReadJws {
  const read = flattened.safeParse(value);
  if (!read.success)
    throw malformed("Send a JWS in the flattened JSON serialization: protected, payload and signature, nothing else.");
  const bytes = fromBase64url(read.data.protected, "The protected header");
  return { jws: read.data, header: readObject(bytes.toString("utf8"), headerSchema, "The protected header") };
}

/** Reads the JWS of a request body. Throws an AcmeProblem `malformed`. */
export const parseJws = (body: string): ReadJws => readJws(parseJson(body));

/** Throws an AcmeProblem for an algorithm that is none of `ACME_ALGORITHMS`, such as `none` and those of MACs. */
export function requireAlgorithm({ header: { alg } }: ReadJws): Algorithm {
  const known = ACME_ALGORITHMS.find((one) => one === alg);
  if (known) return known;
  const list = ACME_ALGORITHMS.join(", ");
  throw new AcmeProblem("badSignatureAlgorithm", `The algorithm must be one of ${list}.`, {
    algorithms: ACME_ALGORITHMS,
  });
}

/** Throws an AcmeProblem unless the JWS was signed for this address (RFC 8555 §6.4). */
export function requireUrl({ header }: ReadJws, url: string): void {
  if (header.url === url) return;
  throw new AcmeProblem("unauthorized", `The url of the protected header is not ${url}, the address of the request.`);
}

/** A public key of a client. */
export interface AcmeJwk {
  jwk: JWK;
  /** As RFC 7638 has it. */
  thumbprint: string;
}

const badKey = (detail: string, cause?: unknown) => new AcmeProblem("badPublicKey", detail, { cause });

const OF_KEY = { EC: ["crv", "x", "y"], RSA: ["n", "e"], OKP: ["crv", "x"] } as const;
const CURVES = ["P-256", "P-384", "Ed25519"];

/** Reads a public key. Throws an AcmeProblem `badPublicKey` for a key that is not accepted, and for a private one. */
export async function readJwk(given: Record<string, unknown>): Promise<AcmeJwk> {
  const { kty } = given;
  if (kty !== "EC" && kty !== "RSA" && kty !== "OKP") throw badKey("The key must be of the type EC, RSA or OKP.");
  if ("d" in given) throw badKey("This is a private key. Treat it as disclosed, and create a new one.");
  const jwk: JWK = { kty };
  for (const name of OF_KEY[kty]) {
    const value = given[name];
    if (typeof value !== "string") throw badKey(`The key has no ${name}.`);
    Object.assign(jwk, { [name]: value });
  }
  if (kty !== "RSA" && !CURVES.includes(jwk.crv ?? "")) throw badKey(`The curve must be one of ${CURVES.join(", ")}.`);
  if ((jwk.n ?? "").length > LONGEST_MODULUS || (jwk.e ?? "").length > LONGEST_EXPONENT)
    throw badKey("An RSA key has 2048 to 4096 bits, and an exponent of 32 bits at most.");
  return { jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

/** Returns the public key in the header of a JWS. Throws an AcmeProblem when there is none or it is not accepted. */
export async function jwkOf({ header: { jwk, kid } }: ReadJws): Promise<AcmeJwk> {
  if (!jwk || kid !== undefined) throw malformed("The protected header must have a jwk and no kid.");
  return readJwk(jwk);
}

/**
 * Verifies the signature of a JWS. Returns its payload. Throws an AcmeProblem: `badSignatureAlgorithm`, `badPublicKey`, or `malformed` when
 * the signature is wrong.
 */
export async function verifiedPayload(read: ReadJws, { jwk }: Pick<AcmeJwk, "jwk">): Promise<string> {
  const alg = requireAlgorithm(read);
  let key: CryptoKey | Uint8Array;
  try {
    key = await importJWK(jwk, alg);
  } catch (cause) {
    throw badKey(`The key does not fit the algorithm ${alg}.`, cause);
  }
  try {
    const { payload } = await flattenedVerify(read.jws, key, { algorithms: [alg] });
    return Buffer.from(payload).toString("utf8");
  } catch (cause) {
    throw malformed("The signature of the JWS does not verify with the key, or the key does not fit it.", cause);
  }
}

const macHeader = z.object({ alg: text, kid: text, url: text }).passthrough();

/** Returns the key identifier of an external account binding. Throws an AcmeProblem `malformed`, also for another algorithm than HS256. */
export function bindingKeyId(read: ReadJws, url: string): string {
  const { alg, kid, url: signedUrl } = readObject(JSON.stringify(read.header), macHeader, "externalAccountBinding");
  if (alg !== "HS256") throw malformed("The algorithm of externalAccountBinding must be HS256.");
  if ("nonce" in read.header || signedUrl !== url)
    throw malformed(`The header of externalAccountBinding must have the url ${url} and no nonce.`);
  return kid;
}

/** Returns the payload of an external account binding, or null when the MAC is wrong. */
export async function macPayload({ jws }: ReadJws, secret: Uint8Array): Promise<string | null> {
  try {
    return Buffer.from((await flattenedVerify(jws, secret, { algorithms: ["HS256"] })).payload).toString("utf8");
  } catch {
    return null;
  }
}
