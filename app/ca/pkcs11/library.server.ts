import type * as pkcs11js from "pkcs11js";
import { CaError } from "../errors.server";
import { returnValueOf, tokenError } from "./errors.server";

export type Pkcs11 = typeof pkcs11js;
export type Functions = pkcs11js.PKCS11;
export type Handle = pkcs11js.Handle;

/** A loaded PKCS #11 library of a token's manufacturer. `ck` contains the constants of the standard. */
export interface Library {
  ck: Pkcs11;
  functions: Functions;
}

const MISSING =
  "The package 'pkcs11js', by which PKCS11_MODULE is used, is not installed: run 'npm install' with optional dependencies, " +
  "with python3, make and a C++ compiler at hand.";

const isMissing = (error: unknown) =>
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String((error as NodeJS.ErrnoException).code));

async function importPackage(): Promise<Pkcs11> {
  try {
    return (await import("pkcs11js")).default;
  } catch (error) {
    throw isMissing(error) ? new CaError("token", MISSING) : error;
  }
}

/** Loads and initializes the library at this path. Throws a CaError `token`. */
export async function loadLibrary(path: string): Promise<Library> {
  const ck = await importPackage();
  const functions = new ck.PKCS11();
  try {
    functions.load(path);
    initialize({ ck, functions });
  } catch (error) {
    throw tokenError(`PKCS11_MODULE ${path} cannot be used`, error);
  }
  return { ck, functions };
}

/** How often the library was started again. Sessions and handles of before mean nothing afterwards, or something else. */
let restarts = 0;

export const libraryRestarts = (): number => restarts;

/** Ends the library and starts it again. Some find a token that was pulled out and came back only then. No function of it may be running. */
export function restartLibrary(library: Library): void {
  restarts += 1;
  try {
    library.functions.C_Finalize();
  } catch (error) {
    if (returnValueOf(error) !== "CKR_CRYPTOKI_NOT_INITIALIZED") throw error;
  }
  initialize(library);
}

/**
 * Initializes the library, with locks because several threads call it. It is initialized once for each process; further calls change
 * nothing.
 */
export function initialize({ ck, functions }: Library): void {
  try {
    functions.C_Initialize({ flags: ck.CKF_OS_LOCKING_OK });
  } catch (error) {
    if (returnValueOf(error) !== "CKR_CRYPTOKI_ALREADY_INITIALIZED") throw error;
  }
}
