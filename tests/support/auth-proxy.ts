/** The variables of a portal that trusts an authentication proxy at 192.0.2.7. */
export const AUTH_PROXY = {
  AUTH_PROXY_SECRET: "the secret of the authentication proxy",
  AUTH_PROXY_ADDRESSES: "192.0.2.0/28, 2001:db8::7",
} as const;

/** The header that the portal's server sets on a request from the proxy. */
export const FROM_PROXY = { "x-marque-address": "192.0.2.7" };
