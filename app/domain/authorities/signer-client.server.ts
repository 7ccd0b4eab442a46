import { readFileSync } from "node:fs";
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { CaError, type CaErrorCode } from "~/ca/errors.server";
import { type SignatureHash } from "~/ca/signer.server";
import { getEnv } from "~/lib/env.server";
import { memoize } from "~/lib/memoize.server";
import { type SignerWay } from "~/lib/signer-env.server";
import {
  type FactorRemoval,
  type GrantRequest,
  type JournalPage,
  type NewKeyRequest,
  type PasskeyOffer,
  type ProblemCode,
  type SignerFactor,
  type SignerFactors,
  type SignerProblem,
  type SignerStandingGrant,
  type SignerState,
  type StandingGrantRequest,
  type StandingGrants,
} from "~/signer/protocol";
import { requireOwnSigner } from "./own-signer.server";

/** How long the signer may take to answer, in milliseconds. A CRL of 40 MB takes seconds. */
const PATIENCE_MS = { question: 10_000, signature: 60_000 };

/** What a problem of the signer is to the portal. Everything else is a fault that may pass, like a token that was pulled out. */
const CODES: Partial<Record<ProblemCode, CaErrorCode>> = {
  malformed: "signer-refused",
  refused: "signer-refused",
  "too-large": "signer-refused",
  ceiling: "signer-ceiling",
  "no-grant": "signer-no-grant",
  "not-found": "signer-not-found",
  "older-crl": "signer-older-crl",
  factor: "signer-factor",
};

type Send = (path: string, method: string, headers: Record<string, string>) => ClientRequest;

/** How many connections to the signer are kept. More signatures than processors do not help. */
const CONNECTIONS = { keepAlive: true, maxSockets: 16 };

function senderOf(way: SignerWay): Send {
  if ("socketPath" in way) {
    const agent = new Agent(CONNECTIONS);
    return (path, method, headers) =>
      httpRequest({ socketPath: way.socketPath, host: "signer", agent, path, method, headers });
  }
  const [cert, key, ca] = [way.tls.certFile, way.tls.keyFile, way.tls.caFile].map((file) => readFileSync(file));
  const agent = new TlsAgent({ ...CONNECTIONS, cert, key, ca, minVersion: "TLSv1.3" });
  return (path, method, headers) => tlsRequest(`${way.url}${path}`, { agent, method, headers });
}

/** Sends requests to the signer of the variables. */
export const signerClient = memoize(() => {
  const { signerWay } = getEnv();
  if (!signerWay) throw new Error("None of SIGNER_SOCKET, SIGNER_URL and SIGNER_CHILD is set.");
  return senderOf(signerWay);
});

/** Returns where the signer is, as in the variables. */
export function signerPlace(): string {
  const { signerWay } = getEnv();
  if (!signerWay) return "no signer";
  return "socketPath" in signerWay ? signerWay.socketPath : signerWay.url;
}

const NOBODY_LISTENS = "nothing listens there. Start the signer.";

/** Why a connection fails, and what to do, by the code of the error. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: NOBODY_LISTENS,
  ECONNREFUSED: NOBODY_LISTENS,
  EACCES: "this user may not use its socket. Run the portal and its commands as a user of the signer's group.",
  ECONNRESET: "it closed the connection. With TLS, its SIGNER_TLS_CA must have signed the SIGNER_TLS_CERT of this end.",
};

/** Returns the error for a signer that cannot be reached. `code` and `message` are those of the failed connection. */
function unreachable({ code = "", message }: NodeJS.ErrnoException): CaError {
  const why = CAUSES[code] ?? (message.endsWith(".") ? message : `${message}.`);
  return new CaError("signer", `The signer (${signerPlace()}) cannot be reached: ${why}`);
}

/** Whether the error says that no process listens on the socket of the signer. */
const isAbsent = ({ code }: NodeJS.ErrnoException) => code === "ECONNREFUSED" || code === "ENOENT";

/** Whether the error says that the signer closed the connection before it answered. */
const isReset = ({ code }: NodeJS.ErrnoException) => code === "ECONNRESET" || code === "EPIPE";

/** Whether the error says that the signer closed a kept connection before it got the request. */
const isClosed = (error: NodeJS.ErrnoException, request: ClientRequest) => request.reusedSocket && isReset(error);

/**
 * Whether the error says that the portal's own signer does not run any more. One that ends answers what it has got, but can close a connection
 * that it has just accepted, for example when the command that started it ends while another one begins.
 */
const isGone = (error: NodeJS.ErrnoException) => getEnv().startsSigner && (isAbsent(error) || isReset(error));

function respond(
  path: string,
  method: string,
  body: Uint8Array | undefined,
  patienceMs: number,
): Promise<IncomingMessage> {
  const headers = { "content-length": String(body?.length ?? 0) };
  const send = (isAgain = false): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = signerClient()(path, method, headers);
      const silence = setTimeout(() => request.destroy(new Error("it does not answer.")), patienceMs);
      request.on("response", resolve);
      request.on("error", (error) => {
        if (isClosed(error, request)) send(isAgain).then(resolve, reject);
        else if (isGone(error) && !isAgain)
          requireOwnSigner()
            .then(() => send(true))
            .then(resolve, reject);
        else reject(unreachable(error));
      });
      request.on("close", () => clearTimeout(silence));
      request.end(body);
    });
  return send();
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
  } catch (error) {
    throw unreachable(error instanceof Error ? error : new Error(String(error)));
  }
  return Buffer.concat(pieces);
}

function problemOf(status: number | undefined, body: Buffer): CaError {
  try {
    const { code, message } = JSON.parse(body.toString("utf8")) as SignerProblem;
    return new CaError(CODES[code] ?? "signer", message);
  } catch {
    return new CaError("signer", `The signer (${signerPlace()}) answers ${status} without a reason.`);
  }
}

async function ask(path: string, patienceMs: number, toPost?: Uint8Array): Promise<Buffer> {
  const response = await respond(path, toPost ? "POST" : "GET", toPost, patienceMs);
  const body = await bodyOf(response);
  if (response.statusCode !== 200) throw problemOf(response.statusCode, body);
  return body;
}

/**
 * Asks the signer to sign these bytes with the key of a CA.
 *
 * @param standing The standing authorisation under which the certificate was ordered, whose grant at the signer counts for it, or null.
 * @returns The bare signature octets.
 * @throws CaError `signer` when it cannot be reached or does not work now, `signer-refused` when the bytes break one of its rules, which they
 *   will do again, `signer-ceiling` when it has signed enough for today, `signer-no-grant` while nobody has granted the certificate, and
 *   `signer-older-crl` when it has signed a CRL with a higher number.
 */
export const askForSignature = (name: string, tbs: Uint8Array, standing: number | null = null): Promise<Uint8Array> =>
  ask(`/sign/${name}${standing === null ? "" : `?standing=${standing}`}`, PATIENCE_MS.signature, tbs);

/** Asks for JSON, or posts JSON and returns the answer. */
async function askJson<Answer>(path: string, toPost?: object): Promise<Answer> {
  const body = toPost && Buffer.from(JSON.stringify(toPost));
  return JSON.parse((await ask(path, PATIENCE_MS.question, body)).toString("utf8")) as Answer;
}

/** Asks the signer for its CAs, its ceiling and the end of its journal. Throws a CaError `signer` when it cannot be reached. */
export const askForState = (): Promise<SignerState> => askJson<SignerState>("/state");

/**
 * Has the signer make a key for a CA with this name, which waits there for its certificate. Returns its SubjectPublicKeyInfo.
 *
 * @throws CaError `signer-refused` when the signer has such a CA or too many keys wait, and `signer` when it cannot be reached.
 */
export const makeKey = (name: string, request: NewKeyRequest): Promise<Uint8Array> =>
  ask(`/keys/${name}`, PATIENCE_MS.signature, Buffer.from(JSON.stringify(request)));

/** Asks the signer to sign the request for the certificate of a waiting key. Throws what `makeKey` throws. */
export const askForRequest = (
  name: string,
  { key, hash }: { key: string; hash: SignatureHash },
  information: Uint8Array,
): Promise<Uint8Array> => ask(`/requests/${name}?key=${key}&hash=${hash}`, PATIENCE_MS.signature, information);

/** Gives the signer the certificate of a waiting key. Returns false when the key does not wait there. Throws what `makeKey` throws. */
export const giveCertificate = (name: string, certificate: Uint8Array): Promise<boolean> =>
  ask(`/issuers/${name}`, PATIENCE_MS.signature, certificate).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CaError && error.code === "signer-not-found") return false;
      throw error;
    },
  );

/** Asks the signer for the factors of all persons. Throws a CaError `signer` when it cannot be reached. */
export const askForFactors = async (): Promise<SignerFactor[]> => (await askJson<SignerFactors>("/factors")).factors;

/**
 * Offers a passkey to the signer. Returns its id there.
 *
 * @throws CaError `signer-factor` when the passkey does not count, `signer-refused` when a rule is broken, and `signer` when the signer cannot be reached.
 */
export const offerPasskey = async (offer: PasskeyOffer): Promise<string> =>
  (await askJson<{ factor: string }>("/factors", offer)).factor;

/** Removes a passkey or an app at the signer. Throws what `offerPasskey` throws. */
export const removeFactor = async (id: string, removal: FactorRemoval): Promise<void> => {
  await askJson(`/factors/${id}/remove`, removal);
};

/** Gives the signer a person's word for certificates. Returns the SHA-256 that identifies the grant. Throws what `offerPasskey` throws. */
export const sendGrant = async (request: GrantRequest): Promise<string> =>
  (await askJson<{ grant: string }>("/grants", request)).grant;

/** Gives the signer a person's word for a standing authorisation. Returns the SHA-256 of the grant. Throws what `offerPasskey` throws. */
export const sendStandingGrant = async (request: StandingGrantRequest): Promise<string> =>
  (await askJson<{ grant: string }>("/standing-grants", request)).grant;

/**
 * Returns the grants of standing authorisations that are neither withdrawn nor replaced. A signer of an earlier version has none. Throws a
 * CaError `signer` when the signer cannot be reached.
 */
export const askForStandingGrants = (): Promise<SignerStandingGrant[]> =>
  askJson<StandingGrants>("/standing-grants").then(
    ({ grants }) => grants,
    (error: unknown) => {
      if (error instanceof CaError && error.code === "signer-not-found") return [];
      throw error;
    },
  );

/** Withdraws the grant of a standing authorisation. Throws a CaError `signer-not-found` when there is none, and `signer`. */
export const withdrawStandingGrant = async (standing: number, removal: FactorRemoval): Promise<void> => {
  await askJson(`/standing-grants/${standing}/withdraw`, removal);
};

/** Yields the lines of the signer's journal after number `from`, in order. Throws a CaError `signer` when it cannot be reached. */
export async function* askForJournal(from = 0): AsyncGenerator<string, void> {
  for (let [after, hasMore] = [from, true]; hasMore;) {
    const body = await ask(`/journal?after=${after}`, PATIENCE_MS.question);
    const page = JSON.parse(body.toString("utf8")) as JournalPage;
    yield* page.lines;
    after += page.lines.length;
    hasMore = page.hasMore && page.lines.length > 0;
  }
}
