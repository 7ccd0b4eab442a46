import { type ClientStanding, isAnsweredFor } from "~/domain/api-clients/client-state.policy";
import { standingName } from "~/domain/certificates/standing/standing";
import { type AnsweredAcmeKey } from "~db/repositories/acme-accounts.server";

type Answered = Pick<AnsweredAcmeKey, "companyId" | "role" | "isDisabled" | "adminLockedAt">;

/** Returns whether the person who made a key still answers for it: an owner of its company who can log in. */
export const isKeyAnsweredFor = (key: Answered, after: Partial<ClientStanding> = {}): boolean =>
  isAnsweredFor({ ...key, ...after, isAdmin: false, right: null });

/** Returns how questions and messages name a key, such as `Web server (standing authorisation 3)`. */
export const namedAcmeKey = ({
  description,
  authorisationId,
}: Pick<AnsweredAcmeKey, "description" | "authorisationId">): string =>
  `${description} (${standingName(authorisationId)})`;
