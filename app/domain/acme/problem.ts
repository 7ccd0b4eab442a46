/** The errors of ACME (RFC 8555 §6.7, RFC 9773 §7.4, draft-ietf-acme-profiles) that the portal answers with, and their HTTP status. */
const STATUS = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  connection: 400,
  dns: 400,
  externalAccountRequired: 403,
  incorrectResponse: 403,
  invalidProfile: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  unauthorized: 403,
  unsupportedIdentifier: 400,
  userActionRequired: 403,
} as const;

export type AcmeErrorType = keyof typeof STATUS;

/** A name of an order. */
export interface AcmeIdentifier {
  type: "dns";
  value: string;
}

/** A problem document (RFC 9457) as ACME sends it. */
export interface AcmeProblemDocument {
  type: string;
  detail: string;
  status?: number;
  /** For `userActionRequired`: the page on which somebody has to act. */
  instance?: string;
  /** For `badSignatureAlgorithm`: the algorithms that are accepted. */
  algorithms?: readonly string[];
  subproblems?: readonly (AcmeProblemDocument & { identifier: AcmeIdentifier })[];
}

interface Options {
  status?: number;
  /** Seconds after which the client may try again. */
  retryAfter?: number | undefined;
  /** Headers of the answer. */
  headers?: Readonly<Record<string, string>>;
  instance?: string;
  algorithms?: readonly string[];
  subproblems?: AcmeProblemDocument["subproblems"];
  cause?: unknown;
}

const urn = (type: AcmeErrorType) => `urn:ietf:params:acme:error:${type}`;

/** Returns a problem document without a status, for the `error` of an order or a challenge. */
export const problemDocument = (type: AcmeErrorType, detail: string, instance?: string): AcmeProblemDocument => ({
  type: urn(type),
  detail,
  ...(instance !== undefined && { instance }),
});

/** An error whose type and sentence ACME clients get. */
export class AcmeProblem extends Error {
  readonly type: AcmeErrorType;
  readonly status: number;
  readonly options: Options;

  constructor(type: AcmeErrorType, detail: string, options: Options = {}) {
    super(detail, { cause: options.cause });
    this.name = "AcmeProblem";
    this.type = type;
    this.status = options.status ?? STATUS[type];
    this.options = options;
  }

  /** Returns the problem document of the answer. */
  toDocument(): AcmeProblemDocument {
    const { instance, algorithms, subproblems } = this.options;
    return {
      ...problemDocument(this.type, this.message, instance),
      status: this.status,
      ...(algorithms && { algorithms }),
      ...(subproblems && { subproblems }),
    };
  }
}
