import { getConfig } from "./config.server";
import { getEnv } from "./env.server";

/** How strictly several people must take part (docs/decisions/0054). */
export type FourEyes = "strict" | "small-office";

/**
 * Returns how strictly several people must take part in orders, rights and reissues: the configured mode, otherwise `strict`. A trial,
 * whose secrets were generated, is a `small-office`, so that one administrator can issue a first certificate.
 */
export const fourEyes = (config = getConfig()): FourEyes =>
  config.accounts.fourEyes ?? (getEnv().hasSetSecrets ? "strict" : "small-office");
