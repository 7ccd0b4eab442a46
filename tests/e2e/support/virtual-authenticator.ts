import { type CDPSession, type Page } from "playwright";

type Passkey = Awaited<ReturnType<typeof passkeysIn>>[number];

const passkeysIn = async (devtools: CDPSession, authenticatorId: string) =>
  (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

/** A security key in a browser. It answers every question at once. */
export interface VirtualAuthenticator {
  /** Returns the passkeys on it, with their private keys and counters. */
  passkeys: () => Promise<Passkey[]>;
  /** Stores a passkey of another key on it. */
  store: (passkey: Passkey) => Promise<void>;
}

/** Gives the browser of a page a security key (Chromium only). */
export async function plugIn(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "usb",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: () => passkeysIn(devtools, authenticatorId),
    store: async (credential) => {
      await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
  };
}
