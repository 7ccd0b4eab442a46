import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pkcs11js, { type Handle } from "pkcs11js";
import { afterAll, beforeAll } from "vitest";
import { tokenKeys } from "~/domain/authorities/key-stores.server";
import { setSigner } from "~/domain/authorities/signers.server";
import { getDb } from "~db/connection.server";
import { setVariables } from "./variables";

const PLACES = [
  "/usr/lib/softhsm/libsofthsm2.so",
  "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
  "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
  "/usr/local/lib/softhsm/libsofthsm2.so",
  "/opt/homebrew/lib/softhsm/libsofthsm2.so",
];

/** Returns the path of SoftHSM's PKCS #11 library. */
function softhsmModule(): string {
  const path = [process.env.SOFTHSM2_MODULE, ...PLACES].find((place) => place && existsSync(place));
  if (!path) throw new Error("SoftHSM's library was not found: set SOFTHSM2_MODULE to its path.");
  return path;
}

export const ALL_AUTHORITIES = "root,issuing-sha2,root-g3,issuing-g3";
export const TOKEN = { label: "marque test", pin: "a PIN of the tests" };

/**
 * Creates a SoftHSM token for the test file and removes it afterwards. `hsm` accesses it as another program does. Call it once at the top
 * of the file, before `usePortal`. With `env` the portal keeps all CA keys there.
 */
export function useSoftHsm() {
  const directory = mkdtempSync(join(tmpdir(), "marque-softhsm-"));
  const configuration = join(directory, "softhsm2.conf");
  mkdirSync(join(directory, "tokens"));
  writeFileSync(configuration, `directories.tokendir = ${join(directory, "tokens")}\nlog.level = ERROR\n`);
  process.env.SOFTHSM2_CONF = configuration; // must be set before the library is loaded, because the library reads it when it starts
  const module = softhsmModule();
  const hsm = new pkcs11js.PKCS11();

  const util = (...args: string[]) => execFileSync("softhsm2-util", args, { encoding: "utf8", stdio: "pipe" });
  const makeToken = (label: string) =>
    util("--init-token", "--free", "--label", label, "--so-pin", "the officer's", "--pin", TOKEN.pin);
  makeToken(TOKEN.label);

  const slotOf = (label = TOKEN.label): Handle => {
    const slot = hsm.C_GetSlotList(true).find((one) => hsm.C_GetTokenInfo(one).label.trimEnd() === label);
    if (!slot) throw new Error(`There is no token '${label}'.`);
    return slot;
  };

  /** Runs `work` in a session that may change objects. The portal's login applies to the whole process. */
  function withSession<T>(work: (session: Handle) => T): T {
    const session = hsm.C_OpenSession(slotOf(), pkcs11js.CKF_SERIAL_SESSION | pkcs11js.CKF_RW_SESSION);
    try {
      return work(session);
    } finally {
      hsm.C_CloseSession(session);
    }
  }

  /** Returns the private keys on the token, with the values of these attributes. */
  const privateKeys = (...types: number[]): { handle: Handle; values: Buffer[] }[] =>
    withSession((session) => {
      hsm.C_FindObjectsInit(session, [{ type: pkcs11js.CKA_CLASS, value: pkcs11js.CKO_PRIVATE_KEY }]);
      const handles = hsm.C_FindObjects(session, 50);
      hsm.C_FindObjectsFinal(session);
      return handles.map((handle) => {
        const attributes = hsm.C_GetAttributeValue(
          session,
          handle,
          types.map((type) => ({ type })),
        );
        return { handle, values: attributes.map(({ value }) => value) };
      });
    });

  const labels = () =>
    privateKeys(pkcs11js.CKA_LABEL)
      .map(({ values }) => String(values[0]))
      .sort();

  /** Changes the label of a private key. */
  function relabel(from: string, to: string): void {
    const key = privateKeys(pkcs11js.CKA_LABEL).find(({ values }) => String(values[0]) === from);
    if (!key) throw new Error(`There is no key '${from}'.`);
    withSession((session) => hsm.C_SetAttributeValue(session, key.handle, [{ type: pkcs11js.CKA_LABEL, value: to }]));
  }

  /** Imports an unencrypted PKCS #8 key file into a token. */
  const importKey = (label: string, file: string, token = TOKEN.label) =>
    util("--import", file, "--token", token, "--label", label, "--id", "01", "--pin", TOKEN.pin);

  /** SoftHSM finds objects that other programs have added only when it starts. */
  function restart(): void {
    hsm.C_Finalize();
    start();
  }

  /**
   * With locks, because the first caller that initializes the library decides this for the whole process, and the portal signs in several
   * threads.
   */
  const start = () => hsm.C_Initialize({ flags: pkcs11js.CKF_OS_LOCKING_OK });

  beforeAll(() => {
    hsm.load(module);
    start();
  });
  afterAll(() => {
    forgetSigners();
    hsm.C_Finalize();
    rmSync(directory, { recursive: true, force: true });
  });

  const env = {
    SOFTHSM2_CONF: configuration,
    PKCS11_MODULE: module,
    PKCS11_TOKEN: TOKEN.label,
    PKCS11_PIN: TOKEN.pin,
    PKCS11_AUTHORITIES: ALL_AUTHORITIES,
  };
  return { directory, env, hsm, slotOf, privateKeys, labels, relabel, importKey, makeToken, restart };
}

/** Clears the opened token and signers, as a restart of the portal does. */
export function forgetSigners(): void {
  for (const name of ["issuing-sha2", "issuing-g3"] as const) setSigner(name, null);
  tokenKeys.clear();
}

/** Restarts the portal of this process with these variables changed. */
export function restartWith(change: Record<string, string>): void {
  setVariables(change);
  forgetSigners();
}

/** Deletes the CAs with everything that they issued, as before the first start. */
export async function forgetAuthorities(): Promise<void> {
  for (const table of ["ocspResponders", "crls", "certificates", "authorities"] as const)
    await getDb().deleteFrom(table).execute();
}
