import { z } from "zod";
import { optional } from "./env-values";
import { isLoopback } from "./web-address";

/** An issuer is compared letter by letter, so it stays as it was written. */
const issuer = z
  .string()
  .refine(
    (value) => /^https?:\/\//.test(value) && URL.canParse(value) && !/[?#]/.test(value),
    "must be an address starting 'https://' without query and fragment",
  )
  .refine(
    (value) => !value.startsWith("http://") || !URL.canParse(value) || isLoopback(new URL(value).hostname),
    "must start 'https://', unless the provider is on this machine",
  );

export const oidcVariables = {
  OIDC_ISSUER: optional(issuer),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
};
type Variables = z.infer<z.ZodObject<typeof oidcVariables>>;

/** Adds an issue for each of the three variables that is missing while another one is set. */
export function checkOidc(env: Variables, context: z.RefinementCtx): void {
  const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  if (names.every((name) => env[name] === undefined)) return;
  for (const name of names)
    if (env[name] === undefined)
      context.addIssue({
        code: "custom",
        path: [name],
        message: `must be set too: ${names.join(", ")} belong together`,
      });
}

/** Returns the identity provider of staff and the portal's client there, or undefined when none is set. */
export const oidcOf = ({ OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }: Variables) =>
  OIDC_ISSUER && clientId && clientSecret ? { issuer: OIDC_ISSUER, clientId, clientSecret } : undefined;
