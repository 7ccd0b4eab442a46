import { getConfig } from "./config.server";
import { getEnv } from "./env.server";

/**
 * Returns how strictly several people must take part in orders, rights and reissues: the configured mode, otherwise `strict`. A trial, whose
 * secrets were generated, is a `small-office`, so that one administrator can issue a first certificate.
 */
export const fourEyes = (): "strict" | "small-office" =>
  getConfig().accounts.fourEyes ?? (getEnv().hasSetSecrets ? "strict" : "small-office");
