import { getEnv } from "~/lib/env.server";
import { type AcmeChallengeType } from "~db/tables";

/** Returns the whole address of a resource. Clients sign it, so it is always the public one, whatever a proxy makes of it. */
const at = (path: string): string => `${getEnv().publicUrl}/acme/${path}`;

/** The addresses of the ACME server (RFC 8555 §7.1). */
export const acmeUrls = {
  directory: () => at("directory"),
  newNonce: () => at("new-nonce"),
  newAccount: () => at("new-account"),
  newOrder: () => at("new-order"),
  revokeCert: () => at("revoke-cert"),
  keyChange: () => at("key-change"),
  renewalInfo: () => at("renewal-info"),
  account: (id: number) => at(`account/${id}`),
  orders: (id: number, before?: number) => at(`account/${id}/orders${before === undefined ? "" : `?before=${before}`}`),
  order: (id: number) => at(`order/${id}`),
  finalize: (id: number) => at(`order/${id}/finalize`),
  authorization: (id: number) => at(`authorization/${id}`),
  challenge: (id: number, type: AcmeChallengeType) => at(`challenge/${id}/${type}`),
  certificate: (id: number) => at(`certificate/${id}`),
};

/** Returns the id in the address of an account, or null for any other text. */
export function accountIdOf(url: string): number | null {
  const id = url.startsWith(acmeUrls.account(0).slice(0, -1)) ? url.slice(acmeUrls.account(0).length - 1) : "";
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}
