import { sha256Hex } from "~/ca/thumbprint.server";
import { type StandingScope } from "./protocol";

/** What a person confirms to the signer with a factor. */
export interface Statement {
  purpose: "grant" | "standing" | "offer";
  /** The user name of the person. */
  person: string;
  /** When the person was asked, as an ISO timestamp. */
  askedAt: string;
  /** The SHA-256 of each TBS certificate that is granted, the text of the scope of a standing grant, or the id of an offered passkey. */
  about: readonly string[];
}

/** Returns the SHA-256 of a statement in lower-case hex. A passkey signs it as its challenge. */
export const hashOfStatement = ({ purpose, person, askedAt, about }: Statement): string =>
  sha256Hex(Buffer.from(["marque", purpose, person, askedAt, ...about].join("\n")));

/** Returns the challenge for a passkey in base64url (WebAuthn Level 3 §13.4.3). */
export const challengeOf = (statement: Statement): string =>
  Buffer.from(hashOfStatement(statement), "hex").toString("base64url");

/**
 * Returns the only text of a scope: JSON with all members in this order, so that the portal and the signer hash the same bytes. JSON has no
 * line end, so nothing in it can look like another line of a statement.
 */
export const scopeText = (scope: StandingScope): string =>
  JSON.stringify([
    scope.authorisation,
    scope.company,
    scope.organisation,
    scope.organisationUnit,
    scope.locality,
    scope.state,
    scope.country,
    scope.domains.map(({ name, isHostOnly }) => [name, isHostOnly]),
    scope.oftpIds,
    scope.usages,
    scope.issuers,
    scope.longestYears,
    scope.renewalDays,
    scope.certificates,
    scope.endsAt,
  ]);

/** Returns what a person confirms who gives a standing grant, without the time. */
export const standingStatement = (person: string, scope: StandingScope) =>
  ({ purpose: "standing", person, about: [scopeText(scope)] }) as const;

const GROUPS = /.{4}/g;
const GROUPS_OF_ID = 5;

/**
 * Returns the id of a passkey at the signer: 80 bits of the SHA-256 of whose it is and of its public key, such as
 * `3f9c-2a1b-77aa-0192-ab34`. Whoever accepts the passkey compares the id with the one that its person reads out.
 */
export function passkeyId(person: string, credential: string, publicKey: string): string {
  const hash = sha256Hex(Buffer.from(["marque passkey", person, credential, publicKey].join("\n")));
  return (hash.match(GROUPS) ?? []).slice(0, GROUPS_OF_ID).join("-");
}
