import { type GroupRight, type SingleSignOnConfig } from "~/lib/single-sign-on-config";
import { type SignOnStrength } from "~db/tables";

/** What the identity provider says about a user. */
export interface Claims {
  [claim: string]: unknown;
  iss: string;
  sub: string;
  auth_time?: number;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const textsOf = (value: unknown): string[] => [value].flat().filter((item): item is string => typeof item === "string");

/** Returns the rights that the user's groups give. */
export function rightsOfGroups(claims: Claims, { groupClaim, rights }: SingleSignOnConfig): GroupRight[] {
  const groups = textsOf(claims[groupClaim]);
  const given = groups.flatMap((group) => (Object.hasOwn(rights, group) ? (rights[group] ?? []) : []));
  return [...new Set(given)];
}

/** Returns whether the provider used a second factor, by the claims `amr` (RFC 8176) and `acr`. */
export function strengthOf({ amr, acr }: Claims, { secondFactor }: SingleSignOnConfig): SignOnStrength {
  const isSecond =
    textsOf(amr).some((value) => secondFactor.amr.includes(value)) || secondFactor.acr.includes(textOf(acr));
  return isSecond ? "two-factors" : "one-factor";
}

/** Returns the email of the user, or null when the provider does not say that it is confirmed. */
export function confirmedEmail({ email, email_verified: isVerified }: Claims): string | null {
  const address = textOf(email).toLowerCase();
  return isVerified === true && address !== "" ? address : null;
}

/** Returns the names of the user. The email is in place of names that the provider does not tell. */
export function namesIn(claims: Claims, email: string): { firstName: string; lastName: string } {
  const [first = "", ...rest] = textOf(claims.name).split(/\s+/);
  const cut = (name: string) => name.slice(0, 50);
  return {
    firstName: cut(textOf(claims.given_name) || first || (email.split("@")[0] ?? email)),
    lastName: cut(textOf(claims.family_name) || rest.join(" ") || (email.split("@")[1] ?? email)),
  };
}
