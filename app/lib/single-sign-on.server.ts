import { ConfigError } from "./config-error";
import { getConfig, type PortalConfig } from "./config.server";
import { getEnv, type Env } from "./env.server";
import { type SingleSignOnConfig } from "./single-sign-on-config";

/** The settings of single sign-on: the provider and the client from the environment, everything else from the configuration file. */
export interface SingleSignOn extends SingleSignOnConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Returns the settings of single sign-on, or null when it is off. */
export function singleSignOn(): SingleSignOn | null {
  const { oidc } = getEnv();
  const config = getConfig().accounts.singleSignOn;
  return oidc && config ? { ...oidc, ...config } : null;
}

/** Throws a ConfigError that says what to set when only one half of the settings of single sign-on is there. */
export function requireWholeSingleSignOn({ oidc }: Pick<Env, "oidc">, { accounts }: PortalConfig): void {
  if (oidc && !accounts.singleSignOn)
    throw new ConfigError([
      "PORTAL_CONFIG: accounts.singleSignOn is missing: set at least its name and rights, or unset OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET",
    ]);
  if (!oidc && accounts.singleSignOn)
    throw new ConfigError([
      "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set, because PORTAL_CONFIG has accounts.singleSignOn",
    ]);
}
