import { type PasskeyAddition, type PasskeyUse, relyingParty } from "./passkey-answers.server";

/** EdDSA, ES256 and RS256 (RFC 9053), which every version of Node.js can check. */
export const ALGORITHMS = [-8, -7, -257];

/** A passkey as it is stored. */
export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
}

/** The library is loaded when the first passkey is used, because most starts of the portal and of its command line need none. */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** Returns the authenticator data of a new passkey, and whether no certificate attests it, or null when they cannot be read. */
async function readAttestation({ response }: PasskeyAddition) {
  const { decodeAttestationObject } = await helpers();
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, "base64url")));
    const format = attestation.get("fmt");
    const isSelfMade = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
    return { authenticatorData: attestation.get("authData"), isPlain: format === "none" || isSelfMade };
  } catch {
    return null;
  }
}

/**
 * Checks a new passkey whose challenge, origin and account have been checked. Returns it, or null when it is not valid. An attestation with
 * certificates is refused: none is asked for, and checking it would fetch the revocation lists that these certificates name.
 */
export async function checkAddition(answer: PasskeyAddition, challenge: string): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library();
  if (!(await readAttestation(answer))?.isPlain) return null;
  const { origin, rpID } = relyingParty();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const transports = answer.response.transports.join();
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
  } catch {
    return null;
  }
}

/** Returns the authenticator data of a new passkey, or null when it cannot be read. */
export const authenticatorDataOf = async (answer: PasskeyAddition): Promise<Uint8Array | null> =>
  (await readAttestation(answer))?.authenticatorData ?? null;

/**
 * Checks the signature of a passkey whose challenge, origin and account have been checked. Returns its counter, or null when the answer is
 * not valid. The counter is left to the caller, which tells a copy from a wrong signature.
 *
 * @param passkey.publicKey The COSE key in base64url.
 * @param needsVerification Whether the device must have verified the person, such as by a fingerprint or a PIN.
 */
export async function checkUse(
  answer: PasskeyUse,
  { publicKey }: { publicKey: string | null },
  challenge: string,
  needsVerification = false,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { origin, rpID } = relyingParty();
  const key = new Uint8Array(Buffer.from(publicKey ?? "", "base64url"));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: needsVerification,
      credential: { id: answer.id, publicKey: key, counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** Returns whether the counter does not grow although the authenticator counts (WebAuthn Level 3 §6.1.1). */
export const isCopy = (before: number, counter: number): boolean => (before > 0 || counter > 0) && counter <= before;
