import { json } from "@remix-run/node";
import { SIGN_ON_REFUSALS, SignOnRefused } from "~/domain/accounts/single-sign-on/refusals";
import { noteRefusedSignOn } from "~/domain/accounts/single-sign-on/single-sign-on.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { type SingleSignOn, singleSignOn } from "~/lib/single-sign-on.server";
import { originOf } from "./known-device.server";
import { addressOf } from "./rate-limit.server";

/**
 * Returns the settings of single sign-on and counts a step of a login. Throws a PortalError (404) when single sign-on is off, and a
 * PortalError (429) after too many steps from one network.
 */
export async function guardSignOn(request: Request): Promise<SingleSignOn> {
  const settings = singleSignOn();
  if (!settings) throw notFound();
  await consumeTry("sign-on-address", addressOf(request));
  return settings;
}

/**
 * Returns the page that says in plain words why a login through the identity provider was refused. Throws every other error.
 *
 * @param isNew Whether the refusal is not yet recorded as a security event.
 */
export async function refusedSignOn(request: Request, error: unknown, target: string, isNew: boolean) {
  if (!(error instanceof SignOnRefused)) throw error;
  if (isNew) await noteRefusedSignOn(error, await originOf(request));
  const { status, text } = SIGN_ON_REFUSALS[error.reason];
  const headers = { "Cache-Control": "no-store" };
  return json({ reason: text, again: paths.singleSignOn(target), back: paths.login(target) }, { status, headers });
}
