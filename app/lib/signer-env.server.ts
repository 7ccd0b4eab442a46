import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { databaseFileIn, keyFolderIn } from "./data-files.server";
import { optional, wholeNumber } from "./env-values";
import { NAME_CLASSES, NAME_CLASS_NAMES, type NameClass } from "./name-classes";
import { signerFolderIn, signerKeyFolder, signerPortalSocket } from "./signer-files.server";

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const pemFile = z.string().refine(isReadable, "must be the path of a readable PEM file");

const KEY_ALGORITHMS = ["RSA", "EC"] as const;
type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

const keyAlgorithms = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names): names is KeyAlgorithm[] => names.every((name) => KEY_ALGORITHMS.some((one) => one === name)), {
    message: "must be RSA, EC, or RSA,EC",
  });

const allowedNames = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names): names is NameClass[] => names.every((name) => Object.hasOwn(NAME_CLASSES, name)), {
    message: `must list classes of names, separated by commas: ${NAME_CLASS_NAMES.join(", ")}`,
  });

/** `host:port`, or `[address]:port` for IPv6. */
const LISTEN = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/;

/** Where the path of a socket must end, in bytes. Systems differ by a few. */
const SOCKET_PATH_LIMIT = 104;
const isSocketPath = (path: string): boolean => Buffer.byteLength(path) < SOCKET_PATH_LIMIT;

/** Variables of the signer, and of the way by which the portal reaches it. */
export const signerVariables = {
  SIGNER_CHILD: optional(z.enum(["yes", "no"])),
  SIGNER_SOCKET: optional(
    z.string().refine(isSocketPath, `must be shorter than ${SOCKET_PATH_LIMIT} bytes, the limit for sockets`),
  ),
  SIGNER_URL: optional(
    z
      .string()
      .refine((url) => url.startsWith("https://") && URL.canParse(url), "must be an address starting 'https://'"),
  ),
  SIGNER_LISTEN: optional(
    z
      .string()
      .refine((text) => Number(LISTEN.exec(text)?.[3] ?? 65536) <= 65535, "must be an address such as 10.0.0.5:8443"),
  ),
  SIGNER_TLS_CERT: optional(pemFile),
  SIGNER_TLS_KEY: optional(pemFile),
  SIGNER_TLS_CA: optional(pemFile),
  SIGNER_DIR: optional(z.string()),
  SIGNER_DAILY_CEILING: optional(wholeNumber(1, 1_000_000)),
  SIGNER_KEY_ALGORITHMS: optional(keyAlgorithms),
  SIGNER_GRANTS: optional(z.enum(["required", "off"])),
  SIGNER_POLICY_OID: optional(z.string().regex(/^[0-2](\.\d+)+$/, "must be an object identifier such as 2.999.1")),
  SIGNER_ALLOW_NAMES: optional(allowedNames),
};

type Variables = { [Name in keyof typeof signerVariables]?: z.infer<(typeof signerVariables)[Name]> };

const TLS = ["SIGNER_TLS_CERT", "SIGNER_TLS_KEY", "SIGNER_TLS_CA"] as const;

/** Returns the absolute path of DATA_DIR. */
export const dataDirOf = ({ DATA_DIR }: { DATA_DIR?: string }): string => resolve(DATA_DIR ?? "data");

/** Returns the folder of the signer. */
const directoryOf = ({ SIGNER_DIR }: Variables, dataDir: string): string =>
  resolve(SIGNER_DIR ?? signerFolderIn(dataDir));

const CONFIRMED_FOR_NOTHING =
  "must be off with SIGNER_CHILD=yes: whoever controls the portal controls the signer that it starts, so what people confirm to it protects nothing";

/** Checks what SIGNER_CHILD=yes excludes. Calls `problem` with the name of a variable and what it must be. */
function checkChild(env: Variables, dataDir: string, problem: (name: keyof Variables, message: string) => void): void {
  for (const name of ["SIGNER_SOCKET", "SIGNER_URL", "SIGNER_LISTEN"] as const)
    if (env[name]) problem(name, "must be unset with SIGNER_CHILD=yes, by which the portal starts a signer itself");
  if (env.SIGNER_GRANTS === "required") problem("SIGNER_GRANTS", CONFIRMED_FOR_NOTHING);
  const socket = signerPortalSocket(directoryOf(env, dataDir));
  if (!isSocketPath(socket))
    problem(
      "SIGNER_CHILD",
      `needs the socket ${socket}, whose path must be shorter than ${SOCKET_PATH_LIMIT} bytes: set a shorter SIGNER_DIR or DATA_DIR`,
    );
}

/** Variables that say that the keys of the issuing CAs are elsewhere than in a folder of this portal on one machine. */
const ELSEWHERE = ["SIGNER_SOCKET", "SIGNER_URL", "SIGNER_LISTEN", "PKCS11_MODULE", "DATABASE_URL"] as const;
type Elsewhere = { [Name in (typeof ELSEWHERE)[number]]?: string };

/** Returns whether the portal has the key of an issuing CA in its own folder. */
const hasIssuingKey = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((file) => /^issuing-.*\.key\.pem$/.test(file));

/**
 * Returns whether the portal starts its signer itself: as SIGNER_CHILD says, and otherwise on SQLite when the signer has the keys already,
 * or when a trial begins with a new data folder. A portal that has the keys of its issuing CAs keeps them.
 */
export function startsSignerOf(
  env: Variables & Elsewhere,
  { dataDir, isForRealUse }: { dataDir: string; isForRealUse: boolean },
): boolean {
  if (env.SIGNER_CHILD) return env.SIGNER_CHILD === "yes";
  if (ELSEWHERE.some((name) => env[name]) || env.SIGNER_GRANTS === "required") return false;
  const directory = directoryOf(env, dataDir);
  if (!isSocketPath(signerPortalSocket(directory)) || hasIssuingKey(keyFolderIn(dataDir))) return false;
  return existsSync(signerKeyFolder(directory)) || (!isForRealUse && !existsSync(databaseFileIn(dataDir)));
}

/** Checks rules that concern several of the variables. */
export function checkSigner(env: Variables & { DATA_DIR?: string }, context: z.RefinementCtx): void {
  const problem = (name: keyof Variables, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  if (env.SIGNER_SOCKET && env.SIGNER_URL) problem("SIGNER_URL", "must be unset when SIGNER_SOCKET is set");
  if (env.SIGNER_CHILD === "yes") checkChild(env, dataDirOf(env), problem);
  const reason = (["SIGNER_URL", "SIGNER_LISTEN"] as const).find((name) => env[name]);
  for (const name of TLS) if (reason && !env[name]) problem(name, `is missing, but ${reason} is set`);
}

/** Files with which one end of a TLS connection proves who it is and checks the other end. */
export interface SignerTls {
  certFile: string;
  keyFile: string;
  caFile: string;
}

function tlsOf({ SIGNER_TLS_CERT, SIGNER_TLS_KEY, SIGNER_TLS_CA }: Variables): SignerTls | undefined {
  if (!SIGNER_TLS_CERT || !SIGNER_TLS_KEY || !SIGNER_TLS_CA) return undefined;
  return { certFile: SIGNER_TLS_CERT, keyFile: SIGNER_TLS_KEY, caFile: SIGNER_TLS_CA };
}

/** How the portal reaches the signer. */
export type SignerWay = { socketPath: string } | { url: string; tls: SignerTls };

/** Returns the socket on which the signer of these checked variables listens, or undefined. */
function socketOf(env: Variables, dataDir: string): string | undefined {
  if (env.SIGNER_CHILD === "yes") return signerPortalSocket(directoryOf(env, dataDir));
  return env.SIGNER_SOCKET && resolve(env.SIGNER_SOCKET);
}

/** Returns the way to the signer that the checked variables describe, or undefined when the portal signs by itself. */
export function signerWayOf(env: Variables, dataDir: string): SignerWay | undefined {
  const tls = tlsOf(env);
  const socketPath = socketOf(env, dataDir);
  if (socketPath) return { socketPath };
  return env.SIGNER_URL && tls ? { url: env.SIGNER_URL.replace(/\/+$/, ""), tls } : undefined;
}

/**
 * Returns the settings of the signer itself. They are its own: the portal cannot change them.
 *
 * @param repositoryUrl The address of the repository, when the variables say it.
 * @param isTrial Whether the portal is one on which example data can be made.
 */
export function signerSettingsOf(
  env: Variables,
  { dataDir, repositoryUrl, isTrial }: { dataDir: string; repositoryUrl: string | undefined; isTrial: boolean },
) {
  const [, ipv6, host, port] = LISTEN.exec(env.SIGNER_LISTEN ?? "") ?? [];
  return Object.freeze({
    directory: directoryOf(env, dataDir),
    socketPath: socketOf(env, dataDir),
    listen: port === undefined ? undefined : { host: ipv6 ?? host ?? "", port: Number(port) },
    tls: tlsOf(env),
    /** How many certificates are signed on a day (UTC) at most. */
    dailyCeiling: env.SIGNER_DAILY_CEILING ?? 2000,
    /** Where the addresses in certificates must lead, and their policy. Undefined: wherever the portal says. */
    repositoryUrl,
    policyOid: env.SIGNER_POLICY_OID,
    /** Whether each certificate needs the grant of a person. */
    needsGrants: env.SIGNER_GRANTS === "required",
    /** The types of keys that certificates may have. */
    keyAlgorithms: env.SIGNER_KEY_ALGORITHMS ?? (["RSA"] as KeyAlgorithm[]),
    /** The classes of names that it certifies although they are refused by default. */
    allowedNames: env.SIGNER_ALLOW_NAMES ?? ([] as NameClass[]),
    /** Whether it signs certificates of the past, which the example data of a trial have. Only the signer that a trial starts itself does. */
    acceptsPast: env.SIGNER_CHILD === "yes" && isTrial,
  });
}

export type SignerSettings = ReturnType<typeof signerSettingsOf>;
