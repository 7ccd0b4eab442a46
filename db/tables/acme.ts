import { type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

/**
 * A key with which one ACME account is bound to a standing authorisation (external account binding, RFC 8555 §7.3.4). An owner of the
 * company makes it.
 */
export interface AcmeKeyTable {
  id: Generated<number>;
  companyId: number;
  /** The standing authorisation under which the account orders. */
  authorisationId: number;
  /** The key identifier that clients send as `kid`. */
  keyId: string;
  /** The sealed MAC key. */
  secret: string;
  description: string;
  /** The owner who answers for what the account orders. */
  madeBy: number;
  madeAt: Timestamp;
  /** When an account was made with it. A key is used once. */
  boundAt: MaybeTimestamp;
  /** When its account sent a request last. */
  usedAt: MaybeTimestamp;
  /** From then on, neither the key nor its account can be used. */
  revokedAt: MaybeTimestamp;
}

/** An ACME account. It has no contacts: messages go to the members of the company. */
export interface AcmeAccountTable {
  id: Generated<number>;
  acmeKeyId: number;
  /** The thumbprint of the public key (RFC 7638). */
  thumbprint: string;
  /** The public key as a JWK. */
  jwk: string;
  createdAt: Timestamp;
  deactivatedAt: MaybeTimestamp;
}

/** A nonce that no request has used yet. */
export interface AcmeNonceTable {
  nonce: string;
  expiresAt: Timestamp;
}

/** The profiles with one usage (draft-ietf-acme-profiles). */
export type AcmeProfile = "secure-session" | "email" | "encryption" | "file-signing";

/** An order of an ACME client. It becomes an order of the portal when the client finalises it. */
export interface AcmeOrderTable {
  id: Generated<number>;
  accountId: number;
  /** The DNS names in lower case, as JSON. */
  names: string;
  /** The certificate that the client says it replaces (RFC 9773 §5). */
  replaces: Maybe<number>;
  /** Null for the profile with all usages of the standing authorisation. */
  profile: Maybe<AcmeProfile>;
  createdAt: Timestamp;
  /** Until when it can be finalised. */
  expiresAt: Timestamp;
  /** The order of the portal. */
  orderId: Maybe<number>;
}

/** The ways to prove the control of a name with ACME (RFC 8555 §8). */
export type AcmeChallengeType = "http-01" | "dns-01";

/** The authorization of one name of an ACME order. */
export interface AcmeAuthorizationTable {
  id: Generated<number>;
  acmeOrderId: number;
  /** The name without its wildcard. */
  name: string;
  isWildcard: boolean;
  httpToken: string;
  dnsToken: string;
  /** The challenge that was met. Null for a name that is confirmed for the company. */
  provedBy: Maybe<AcmeChallengeType>;
  validatedAt: MaybeTimestamp;
  /** When a challenge was tried last, and which. */
  triedAt: MaybeTimestamp;
  triedBy: Maybe<AcmeChallengeType>;
  /** Why the challenge was not met, as a sentence. */
  problem: Maybe<string>;
  deactivatedAt: MaybeTimestamp;
}
