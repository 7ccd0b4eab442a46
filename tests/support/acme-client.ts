import { readFileSync } from "node:fs";
import {
  base64url,
  type CryptoKey,
  exportJWK,
  FlattenedSign,
  type FlattenedJWS,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from "jose";

/** A key pair of a client, and its algorithm. */
export interface AcmeClientKey {
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export async function newClientKey(alg = "ES256"): Promise<AcmeClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: await exportJWK(publicKey) };
}

/** Returns an RSA key of a file as the key of a client. */
export async function clientKeyOf(keyFile: string): Promise<AcmeClientKey> {
  const privateKey = await importPKCS8(readFileSync(keyFile, "utf8"), "RS256", { extractable: true });
  const { kty, n, e } = await exportJWK(privateKey);
  return { alg: "RS256", privateKey, jwk: { kty, n, e } };
}

interface AcmeProblem {
  type: string;
  detail: string;
  instance: string;
}

/** The members that the tests read. Each resource has some of them. */
interface AcmeBody extends AcmeProblem {
  status: string;
  algorithms: string[];
  subproblems: (AcmeProblem & { identifier: { value: string } })[];
  orders: string[];
  authorizations: [string, ...string[]];
  challenges: { type: string; url: string; token: string; status: string }[];
  finalize: string;
  certificate: string;
  replaces: string;
  profile: string;
  meta: { profiles: Record<string, string> };
  error: AcmeProblem;
  suggestedWindow: { start: string; end: string };
}

export interface AcmeAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: AcmeBody;
}

/** How a request differs from a right one. */
export interface Wrong {
  nonce?: string;
  url?: string;
  /** Other members of the protected header. */
  header?: Record<string, unknown>;
  type?: string;
  /** Changes the JWS after it was signed. */
  change?: (jws: FlattenedJWS) => unknown;
}

const asText = (payload: unknown) => (payload === "" ? "" : JSON.stringify(payload));

/** Signs a payload. */
export const signFlattened = (
  payload: string | Uint8Array,
  key: CryptoKey | Uint8Array,
  header: object,
): Promise<FlattenedJWS> =>
  new FlattenedSign(typeof payload === "string" ? new TextEncoder().encode(payload) : payload)
    .setProtectedHeader(header as { alg: string })
    .sign(key);

/** An ACME client that sends its requests as RFC 8555 has them. */
export class AcmeClient {
  account = "";
  /** The nonces of answers that were not used yet. */
  private readonly nonces: string[] = [];

  constructor(
    public key: AcmeClientKey,
    readonly origin: string,
    /** Sends a request to the portal. */
    private readonly fetched: (request: Request) => Promise<Response> = (request) => fetch(request),
  ) {}

  url(path: string): string {
    return path.startsWith("http") ? path : `${this.origin}/acme/${path}`;
  }

  async ask(path: string, init: RequestInit = {}): Promise<AcmeAnswer> {
    const response = await this.fetched(new Request(this.url(path), init));
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as AcmeBody,
    };
  }

  async nonce(): Promise<string> {
    return (await this.ask("new-nonce", { method: "HEAD" })).headers.get("Replay-Nonce") ?? "";
  }

  /** Sends a signed request. An empty payload reads a resource. */
  async post(path: string, payload: unknown = "", wrong: Wrong = {}, isByKey = false): Promise<AcmeAnswer> {
    const { alg, privateKey, jwk } = this.key;
    const who = isByKey ? { jwk } : { kid: this.account };
    const kept = this.nonces.pop();
    const nonce = wrong.nonce ?? kept ?? (await this.nonce());
    const header = { alg, ...who, nonce, url: wrong.url ?? this.url(path), ...wrong.header };
    const jws = await signFlattened(asText(payload), privateKey, header);
    const headers = { "Content-Type": wrong.type ?? "application/jose+json" };
    const body = JSON.stringify(wrong.change?.(jws) ?? jws);
    const answer = await this.ask(path, { method: "POST", headers, body });
    const isStale = nonce === kept && typeOf(answer) === "badNonce";
    if (isStale) return this.post(path, payload, { ...wrong, nonce: await this.nonce() }, isByKey);
    const next = answer.headers.get("Replay-Nonce");
    if (next !== null) this.nonces.push(next);
    return answer;
  }

  /** Returns an external account binding. */
  bind({ keyId, secret }: { keyId: string; secret: string }, header: object = {}, jwk: JWK = this.key.jwk) {
    const url = this.url("new-account");
    return signFlattened(JSON.stringify(jwk), base64url.decode(secret), { alg: "HS256", kid: keyId, url, ...header });
  }

  async register(key: { keyId: string; secret: string }): Promise<AcmeAnswer> {
    const binding = await this.bind(key);
    return this.newAccount({ termsOfServiceAgreed: true, externalAccountBinding: binding });
  }

  async newAccount(payload: object): Promise<AcmeAnswer> {
    const answer = await this.post("new-account", payload, {}, true);
    if (answer.status < 300) this.account = answer.headers.get("Location") ?? "";
    return answer;
  }

  order(...names: string[]): Promise<AcmeAnswer> {
    return this.post("new-order", { identifiers: names.map((value) => ({ type: "dns", value })) });
  }

  finalize(order: AcmeAnswer, csr: Uint8Array): Promise<AcmeAnswer> {
    return this.post(order.body.finalize, { csr: base64url.encode(csr) });
  }
}

export const typeOf = ({ body }: AcmeAnswer): string => String(body.type).replace("urn:ietf:params:acme:error:", "");
