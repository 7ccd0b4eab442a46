import { type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { expect } from "vitest";
import { askForFactors } from "~/domain/authorities/signer-client.server";
import { staffPaths } from "~/lib/staff-paths";
import * as signerPage from "~/routes/home.signer._index/route";
import { type Authenticator } from "./authenticator";
import { App } from "./authenticator-app";
import { runCommand } from "./command";
import { type createStaff } from "./factories";
import { jsonOf, run, type Visitor } from "./visitor";

/** An approver, and their browser. */
export interface Approver {
  user: Awaited<ReturnType<typeof createStaff>>;
  visitor: Visitor;
}

/** An authenticator that checks who uses it. */
export const CHECKED = { isVerified: true };

/** Returns what a page sends to the script of a passkey. */
export const optionsIn = async (answer: Promise<Response>) =>
  (await jsonOf<{ options: PublicKeyCredentialRequestOptionsJSON }>(await answer)).options;

/** Adds an app on the console of the signer. The one who looks at the screen types its secret into the app and the code of the app. */
export async function addApp(env: Record<string, string>, person: string): Promise<App> {
  let app: App | undefined;
  const result = await runCommand(["signer", "add-app", "--person", person, "--operator", "Olga"], env, (printed) => {
    const secret = /Secret: ([A-Z2-7 ]+)\n/.exec(printed)?.[1]?.replace(/ /g, "");
    if (secret === undefined || app) return null;
    app = new App(secret);
    return app.code();
  });
  expect(result).toMatchObject({ code: 0, err: "" });
  if (!app) throw new Error("No secret was shown.");
  return app;
}

/** Offers the only passkey of a person to the signer. Returns its number there. */
export async function offerPasskeyOf({ user, visitor }: Approver, key: Authenticator): Promise<string> {
  const post = async (fields: Record<string, string>) =>
    run(signerPage.action, await visitor.post(staffPaths.signer, fields), { id: "" });
  const data = await run(signerPage.loader, visitor.get(staffPaths.signer));
  const [first] = (await jsonOf<{ offerable: { id: number }[] }>(data)).offerable;
  const passkey = String(first?.id);
  const options = await optionsIn(post({ intent: "passkey-options", passkey }));
  const response = await post({ intent: "passkey", passkey, answer: key.use(options, CHECKED) });
  expect(response.status).toBe(303);
  return (await askForFactors()).findLast(({ person }) => person === user.username)?.id ?? "";
}
