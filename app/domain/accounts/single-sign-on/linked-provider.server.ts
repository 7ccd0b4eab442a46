import { type SingleSignOn, singleSignOn } from "~/lib/single-sign-on.server";
import { getDb } from "~db/connection.server";
import { hasIdentity } from "~db/repositories/sign-on-identities.server";

/** Returns the settings of single sign-on when the user has an identity at the provider, otherwise null. */
export async function findProviderOf(user: { id: number }): Promise<SingleSignOn | null> {
  const settings = singleSignOn();
  return settings && (await hasIdentity(getDb(), user.id, settings.issuer)) ? settings : null;
}
