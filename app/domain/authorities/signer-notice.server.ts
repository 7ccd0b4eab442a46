import { getEnv } from "~/lib/env.server";
import { askForState, signerPlace } from "./signer-client.server";

/** Returns the state of the signer, null when the portal uses none, or why it cannot be reached as a sentence. */
export async function findSignerState() {
  if (!getEnv().signerWay) return null;
  return askForState().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

/** Returns what staff should know of the signer, as sentences, or null when the portal uses none. */
export async function signerNotice(): Promise<string | null> {
  const state = await findSignerState();
  if (state === null) return null;
  if (typeof state === "string")
    return `${state} Nothing can be issued until it answers. Approved orders are completed then.`;
  const { authority, ceiling } = state;
  return (
    `The signer (${signerPlace()}) holds the keys of the issuing CAs. It signs by this authority: ${authority}. ` +
    `No person confirms a certificate to the signer itself. Certificates today: ${ceiling.used} of at most ${ceiling.perDay}.`
  );
}
