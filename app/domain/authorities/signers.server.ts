import { setTimeout as sleep } from "node:timers/promises";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { getAuthority } from "./authorities.service.server";
import { isRootName } from "./catalogue";
import { type KeyStore, type OpenSigner } from "./key-store";
import { keyStoreOf } from "./key-stores.server";

const signers = memoize(() => new Map<AuthorityName, Promise<OpenSigner>>());

/** Returns what its key store needs to know of the key of an authority. */
async function keyOf(name: AuthorityName): Promise<Parameters<KeyStore["open"]>> {
  const { certificate, hierarchy } = await getAuthority(getDb(), name);
  return [name, readIssuer(certificate).publicKey, HIERARCHIES[hierarchy].hash];
}

/** Opens the key of an authority and proves that it matches the authority's certificate. */
const openSigner = async (name: AuthorityName): Promise<OpenSigner> => keyStoreOf(name).open(...(await keyOf(name)));

/** Proves that the key of an authority can be opened now, whatever signer this process holds. Throws an Error or a CaError otherwise. */
export const proveKey = async (name: AuthorityName): Promise<void> => keyStoreOf(name).prove(...(await keyOf(name)));

/** How long a key may take to answer, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Returns why the key of an issuing CA cannot be opened now, or null when it can. A process that has opened a key file goes on signing when
 * the file is lost, so `getSigner` does not tell: the portal would not work after its next start.
 */
export async function whyUnusable(name: AuthorityName): Promise<string | null> {
  const silence = sleep(PATIENCE_MS, "The key does not answer.", { ref: false });
  const proof = proveKey(name).then(() => null);
  return Promise.race([proof, silence]).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
}

/**
 * Returns the signer of an authority. The key of an issuing CA is opened once per process. A root is refused unless `allowRoot` is set,
 * which only the command line does, and its key is opened each time, so that nothing keeps it in memory. Throws an Error when the authority
 * or its key is missing or they do not match, a CaError `wrong-passphrase`, `wrong-pin`, `token` or `signer`, or a ConfigError without a passphrase.
 */
export async function getSigner(
  name: AuthorityName,
  { allowRoot = false }: { allowRoot?: boolean } = {},
): Promise<OpenSigner> {
  const isRoot = isRootName(name);
  if (isRoot && !allowRoot) throw new Error(`The key of '${name}' is opened by the command line only.`);
  const known = signers().get(name);
  if (known || isRoot) return known ?? openSigner(name);
  const opening = openSigner(name);
  signers().set(name, opening);
  opening.catch(() => signers().delete(name));
  return opening;
}

/** Replaces the stored key of an authority with another signer, for tests. Null restores the key. */
export function setSigner(name: AuthorityName, signer: OpenSigner | Promise<OpenSigner> | null): void {
  if (signer) signers().set(name, Promise.resolve(signer));
  else signers().delete(name);
}
