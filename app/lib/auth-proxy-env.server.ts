import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { optional } from "./env-values";

/** Splits `192.0.2.0/24` into its parts. An address without a prefix is a single host. Returns null when the entry is not valid. */
function partsOf(entry: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | null {
  const [address = "", bits, ...rest] = entry.split("/");
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return version > 0 && rest.length === 0 && prefix <= most
    ? { address, prefix, family: version === 6 ? "ipv6" : "ipv4" }
    : null;
}

const addresses = z
  .string()
  .transform((value) => value.split(",").map((entry) => partsOf(entry.trim())))
  .refine(
    (parts) => parts.every((part) => part !== null),
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
export function authProxyOf({ AUTH_PROXY_SECRET: secret, AUTH_PROXY_ADDRESSES: parts }: Variables) {
  if (!secret || !parts) return undefined;
  const trusted = new BlockList();
  for (const part of parts) if (part) trusted.addSubnet(part.address, part.prefix, part.family);
  const isTrusted = (address: string) =>
    isIP(address) > 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return { secret, isTrusted };
}
