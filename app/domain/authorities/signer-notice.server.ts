import { getEnv } from "~/lib/env.server";
import { askForState, signerPlace } from "./signer-client.server";

const STARTED_HERE =
  " The portal has started it itself, as the same user and with the same secrets: whoever controls the portal controls it, too.";

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
  const { authority, ceiling, needsGrants } = state;
  const who = needsGrants
    ? "An approver confirms each certificate, or a standing authorisation, to it."
    : "No person confirms a certificate to the signer itself.";
  const differs =
    needsGrants === getEnv().signer.needsGrants
      ? ""
      : " SIGNER_GRANTS of the portal says something else, so the practice statement is wrong: set both to the same.";
  return (
    `The signer (${signerPlace()}) holds the keys of the issuing CAs. It signs by this authority: ${authority}. ` +
    `${who} Certificates today: ${ceiling.used} of at most ${ceiling.perDay}.${differs}${getEnv().startsSigner ? STARTED_HERE : ""}`
  );
}
