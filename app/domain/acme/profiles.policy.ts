import { type UsageFlag } from "~/domain/certificates/purchase/fields";
import { listsOf } from "~/domain/certificates/standing/standing.policy";
import { type AcmeOrderRow } from "~db/repositories/acme-orders.server";
import { type StandingRow } from "~db/repositories/standing-authorisations.server";
import { type AcmeProfile } from "~db/tables";
import { AcmeProblem } from "./problem";

/** The profile of orders that name none. It has every usage of the standing authorisation. */
const DEFAULT_PROFILE = "all";

const USAGES: Record<AcmeProfile, UsageFlag> = {
  "secure-session": "hasSecureSession",
  email: "hasEmail",
  encryption: "hasEncryption",
  "file-signing": "hasFileSigning",
};

/** The profiles with what the directory says about them (draft-ietf-acme-profiles). */
export const ACME_PROFILES: Record<AcmeProfile | typeof DEFAULT_PROFILE, string> = {
  [DEFAULT_PROFILE]: "All usages of the standing authorisation",
  "secure-session": "The usage Secure session only",
  email: "The usage E-mail only",
  encryption: "The usage Encryption only",
  "file-signing": "The usage File signing only",
};

const isProfile = (name: string): name is AcmeProfile => Object.hasOwn(USAGES, name);

/** Returns the name of the profile of an order. */
export const profileNameOf = ({ profile }: Pick<AcmeOrderRow, "profile">): string => profile ?? DEFAULT_PROFILE;

/** Returns the usages that the certificate of an order has. */
export const usagesOfOrder = ({ profile }: Pick<AcmeOrderRow, "profile">, standing: StandingRow): UsageFlag[] =>
  profile === null ? listsOf(standing).usages : [USAGES[profile]];

/**
 * Returns the profile that a client has asked for, or null for the one with all usages. Throws an AcmeProblem `invalidProfile` for one that
 * there is not, or whose usage the standing authorisation does not cover.
 */
export function requireProfile(asked: string | undefined, standing: StandingRow): AcmeProfile | null {
  if (asked === undefined || asked === DEFAULT_PROFILE) return null;
  const { usages } = listsOf(standing);
  if (isProfile(asked) && usages.includes(USAGES[asked])) return asked;
  const covered = Object.keys(USAGES).filter((name) => isProfile(name) && usages.includes(USAGES[name]));
  const why = isProfile(asked)
    ? `The standing authorisation does not cover the usage of the profile '${asked}'.`
    : `There is no profile '${asked}'.`;
  throw new AcmeProblem("invalidProfile", `${why} Use ${[DEFAULT_PROFILE, ...covered].join(", ")}.`);
}
