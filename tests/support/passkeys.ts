import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import * as factorPage from "~/routes/_public.login_.factor/route";
import * as page from "~/routes/_public.second-factors/route";
import { Authenticator } from "./authenticator";
import { openPage } from "./route-page";
import { jsonOf, run, signedInAs, type Visitor } from "./visitor";

const PAGE = "/second-factors";
export const LOGIN_FACTOR = "/login/factor";

/** Presses the button that adds a passkey. Returns the answer to the browser's script. */
export const askToAdd = async (visitor: Visitor, name: string): Promise<Response> =>
  run(page.action, await visitor.post(PAGE, { intent: "passkey-options", name }));

export const optionsToAdd = async (visitor: Visitor, name = "Key ring") =>
  (await jsonOf<{ options: PublicKeyCredentialCreationOptionsJSON }>(await askToAdd(visitor, name))).options;

/** Sends the form with the authenticator's answer, as the browser does: as a document. */
export const sendAddition = (visitor: Visitor, answer: string, name = "Key ring") =>
  openPage(page, visitor, PAGE, { fields: { intent: "passkey-add", name, answer } });

/** Sends the same and returns the answer. */
export const postAddition = async (visitor: Visitor, answer: string, headers: Record<string, string> = {}) =>
  run(page.action, await visitor.post(PAGE, { intent: "passkey-add", name: "Key ring", answer }, headers));

/** Adds a passkey in a new session of the account. Returns its authenticator. */
export async function givePasskey(
  user: { id: number; sessionEpoch?: number },
  authenticator = new Authenticator(),
): Promise<Authenticator> {
  const visitor = await signedInAs(user);
  const { html, status } = await sendAddition(visitor, authenticator.add(await optionsToAdd(visitor)));
  if (status >= 400) throw new Error(`No passkey: ${html}`);
  return authenticator;
}

/** Presses the button for a passkey on the second page of the login. Returns the answer to the browser's script. */
export const askToUse = async (visitor: Visitor): Promise<Response> =>
  run(factorPage.action, await visitor.post(LOGIN_FACTOR, { intent: "passkey-options" }));

export const optionsToUse = async (visitor: Visitor) =>
  (await jsonOf<{ options: PublicKeyCredentialRequestOptionsJSON }>(await askToUse(visitor))).options;

/** Sends the authenticator's answer on the second page of the login. */
export const sendUse = async (visitor: Visitor, answer: string, headers: Record<string, string> = {}) =>
  run(factorPage.action, await visitor.post(LOGIN_FACTOR, { intent: "passkey", answer }, headers));
