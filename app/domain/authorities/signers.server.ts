import { readIssuer } from "~/ca/certificate/issuer.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type Signer } from "~/ca/signer.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { type AuthorityName } from "~db/tables";
import { getAuthority } from "./authorities.service.server";
import { authorityEntry } from "./catalogue";
import { keyStoreOf } from "./key-stores.server";

const signers = memoize(() => new Map<AuthorityName, Promise<Signer>>());

/** Opens the key of an authority and proves that it is the one of its certificate. */
async function openSigner(name: AuthorityName): Promise<Signer> {
  const { certificate, hierarchy } = await getAuthority(getDb(), name);
  return keyStoreOf(name).open(name, readIssuer(certificate).publicKey, HIERARCHIES[hierarchy].hash);
}

/**
 * The signer of an authority. An issuing CA's key is opened once per process. Roots are refused unless `allowRoot` is given,
 * which only the command line does, and are opened anew each time so that nothing keeps them.
 * Throws Error when authority or key are missing or do not belong together, CaError `wrong-passphrase`, `wrong-pin` or `token`,
 * ConfigError without passphrase.
 */
export async function getSigner(
  name: AuthorityName,
  { allowRoot = false }: { allowRoot?: boolean } = {},
): Promise<Signer> {
  const { isRoot } = authorityEntry(name);
  if (isRoot && !allowRoot) throw new Error(`The key of '${name}' is opened by the command line only.`);
  const known = signers().get(name);
  if (known || isRoot) return known ?? openSigner(name);
  const opening = openSigner(name);
  signers().set(name, opening);
  opening.catch(() => signers().delete(name));
  return opening;
}

/** Puts another signer in place of the stored key, for tests; null goes back to the key. */
export function setSigner(name: AuthorityName, signer: Signer | Promise<Signer> | null): void {
  if (signer) signers().set(name, Promise.resolve(signer));
  else signers().delete(name);
}
