import { z } from "zod";
import { optional } from "./env-values";
import { type Network, parseNetwork, withinNetworks } from "./networks.server";

const addresses = z
  .string()
  .transform((value) => value.split(",").map(parseNetwork))
  .refine(
    (networks): networks is Network[] => networks.every((network) => network !== null),
    "must be a comma list of addresses or networks such as 192.0.2.0/24",
  );

export const authProxyVariables = {
  AUTH_PROXY_SECRET: optional(z.string().min(32, "must have 32 characters or more")),
  AUTH_PROXY_ADDRESSES: optional(addresses),
};
type Variables = z.infer<z.ZodObject<typeof authProxyVariables>>;

/** Adds an issue when only one of the two variables is set. */
export function checkAuthProxy(env: Variables, context: z.RefinementCtx): void {
  if (!env.AUTH_PROXY_SECRET !== !env.AUTH_PROXY_ADDRESSES)
    context.addIssue({
      code: "custom",
      path: [env.AUTH_PROXY_SECRET ? "AUTH_PROXY_ADDRESSES" : "AUTH_PROXY_SECRET"],
      message: "must be set together with the other one of the two",
    });
}

/** Returns the authentication proxy that may log people in, or undefined when none is configured. */
export const authProxyOf = ({ AUTH_PROXY_SECRET: secret, AUTH_PROXY_ADDRESSES: networks }: Variables) =>
  secret && networks ? { secret, isTrusted: withinNetworks(networks) } : undefined;
