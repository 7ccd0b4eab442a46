import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { authProxyOf, authProxyVariables, checkAuthProxy } from "./auth-proxy-env.server";
import { ConfigError, problemsOf } from "./config-error";
import { optional, wholeNumber } from "./env-values";
import { memoize } from "./memoize.server";
import { checkOidc, oidcOf, oidcVariables } from "./oidc-env.server";
import { checkPkcs11, pkcs11Of, pkcs11Variables } from "./pkcs11-env.server";
import {
  checkSigner,
  dataDirOf,
  signerSettingsOf,
  signerVariables,
  signerWayOf,
  startsSignerOf,
} from "./signer-env.server";
import { trustProxy, TRUST_PROXY_MISSING } from "./trust-proxy-env.server";
import { isLoopback } from "./web-address";

const httpUrl = (scheme: RegExp, what: string) =>
  z.string().refine((value) => scheme.test(value) && URL.canParse(value), `must be ${what}`);

const origin = (what: string, scheme = /^https?:\/\//) =>
  httpUrl(scheme, what).transform((value) => value.replace(/\/+$/, ""));

/** The address of another service, to which the portal sends data or secrets. */
const serviceUrl = origin("an address starting 'https://', or 'http://' for a service on this machine").refine(
  (value) => value.startsWith("https://") || isLoopback(new URL(value).hostname),
  "must start 'https://', unless the service is on this machine",
);

const secretList = z
  .string()
  .transform((value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((list) => list.length > 0 && list.every((secret) => secret.length >= 32), {
    message: "must be a comma list of secrets of 32 characters or more, newest first",
  });

const passphrase = z.string().min(12, "must have 12 characters or more");

const variables = z.object({
  NODE_ENV: optional(z.enum(["development", "production", "test"])),
  PORT: optional(wholeNumber(0, 65535)),
  HOST: optional(z.string()),
  DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(
    httpUrl(/^postgres(ql)?:\/\//, "a PostgreSQL address such as postgres://user@host/name, or unset for SQLite"),
  ),
  DATABASE_TIMEOUT: optional(wholeNumber(1, 3600)),
  PUBLIC_URL: optional(origin("an address starting 'http://' or 'https://'")),
  REPOSITORY_URL: optional(
    origin(
      "an address starting 'http://': clients fetch CRLs, CA certificates and OCSP answers without TLS",
      /^http:\/\//,
    ),
  ),
  PORTAL_CONFIG: optional(z.string()),
  SESSION_SECRETS: optional(secretList),
  ROOT_PASSPHRASE: optional(passphrase),
  CA_PASSPHRASE: optional(passphrase),
  RESPONDER_PASSPHRASE: optional(passphrase),
  AUDIT_KEYS: optional(secretList),
  ADMIN_EMAIL: optional(z.string().email("must be an email address")),
  ADMIN_PASSWORD: optional(z.string().min(8, "must have 8 to 50 characters").max(50, "must have 8 to 50 characters")),
  SMTP_URL: optional(
    httpUrl(/^smtps?:\/\//, "an address such as smtp://user:password@host:587, or unset for the outbox"),
  ),
  MAIL_FROM: optional(z.string().regex(/@/, "must be an email address, with or without a name")),
  VAT_SERVICE_URL: optional(serviceUrl),
  HMRC_URL: optional(serviceUrl),
  HMRC_CLIENT_ID: optional(z.string()),
  HMRC_CLIENT_SECRET: optional(z.string()),
  HMRC_TOKEN: optional(z.string()),
  PARTNER_SECRET: optional(z.string().min(32, "must have 32 characters or more")),
  METRICS_TOKEN: optional(z.string().min(32, "must have 32 characters or more")),
  WEB_CONCURRENCY: optional(wholeNumber(1, 64)),
  STOP_DELAY: optional(wholeNumber(0, 300)),
  RATE_LIMITS: optional(z.enum(["on", "off"])),
  TRUST_PROXY: optional(trustProxy),
  SECURITY_LOG: optional(z.string()),
  STATUS_DIR: optional(z.string()),
  LOG_LEVEL: optional(z.enum(["trace", "debug", "info", "warn", "error", "silent"])),
  ...authProxyVariables,
  ...oidcVariables,
  ...pkcs11Variables,
  ...signerVariables,
});
type Variables = z.infer<typeof variables>;

/** Requires both variables of an HMRC application or neither. */
function checkHmrc({ HMRC_CLIENT_ID: id, HMRC_CLIENT_SECRET: secret }: Variables, context: z.RefinementCtx) {
  if (!id !== !secret)
    context.addIssue({
      code: "custom",
      path: [id ? "HMRC_CLIENT_SECRET" : "HMRC_CLIENT_ID"],
      message: "must be set together with the other one of the two",
    });
}

/**
 * Returns where and with which credentials HMRC checks VAT numbers, or undefined when it is not used. An application takes precedence over
 * a token.
 */
function hmrcOf({ HMRC_URL: url, HMRC_TOKEN: token, ...env }: Variables) {
  const { HMRC_CLIENT_ID: clientId, HMRC_CLIENT_SECRET: clientSecret } = env;
  return url
    ? { url, token, application: clientId && clientSecret ? { clientId, clientSecret } : undefined }
    : undefined;
}

const securityLogOf = (value = "off") => (["off", "stdout"].includes(value) ? value : resolve(value));

const schema = variables
  .superRefine(checkHmrc)
  .superRefine(checkAuthProxy)
  .superRefine(checkOidc)
  .superRefine(checkPkcs11)
  .superRefine(checkSigner);

/** The settings with which the process was started, including defaults. Secrets come from the variables or from `DATA_DIR/secrets.json`. */
export type Env = Readonly<ReturnType<typeof parseEnv>>;

const storedSecrets = z
  .object({
    sessionSecrets: z.array(z.string().min(32)).min(1),
    rootPassphrase: passphrase,
    caPassphrase: passphrase,
    responderPassphrase: passphrase,
    auditKeys: z.array(z.string().min(32)).min(1),
  })
  .partial()
  .refine((secrets) => Object.keys(secrets).length > 0);

type StoredSecrets = z.infer<typeof storedSecrets>;

/** Returns the contents of a `secrets.json`, or undefined when the file is missing or invalid. */
export function readSecretsFile(file: string): StoredSecrets | undefined {
  try {
    return storedSecrets.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** Returns the contents of `DATA_DIR/secrets.json`, or undefined when the file is missing or invalid. */
export const readStoredSecrets = (dataDir: string): StoredSecrets | undefined =>
  readSecretsFile(join(dataDir, "secrets.json"));

/**
 * Reads the variables of docs/configuration.md from an environment and returns an immutable object. Throws a ConfigError with one line for
 * each wrong variable that names the variable and what it must be.
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const result = schema.safeParse(source);
  if (!result.success) throw new ConfigError(problemsOf(result.error));
  const { data } = result;
  const dataDir = dataDirOf(data);
  const port = data.PORT ?? 3000;
  const publicUrl = data.PUBLIC_URL ?? `http://localhost:${port}`;
  const isHttps = publicUrl.startsWith("https://");
  const isForRealUse = isHttps && !isLoopback(new URL(publicUrl).hostname);
  const startsSigner = startsSignerOf(data, { dataDir, isForRealUse });
  const env = { ...data, SIGNER_CHILD: startsSigner ? ("yes" as const) : ("no" as const) };
  const repositoryUrl = env.REPOSITORY_URL ?? publicUrl.replace(/^https:/, "http:");
  const { SESSION_SECRETS, CA_PASSPHRASE, RESPONDER_PASSPHRASE, AUDIT_KEYS, ROOT_PASSPHRASE } = env;
  const signerWay = signerWayOf(env, dataDir);
  const needsCaPassphrase = signerWay === undefined || startsSigner;
  const hasSetSecrets = Boolean(SESSION_SECRETS && (CA_PASSPHRASE || !needsCaPassphrase) && AUDIT_KEYS);
  const stored = hasSetSecrets && RESPONDER_PASSPHRASE && ROOT_PASSPHRASE ? undefined : readStoredSecrets(dataDir);
  return Object.freeze({
    mode: env.NODE_ENV ?? "production",
    port,
    host: env.HOST ?? "127.0.0.1",
    dataDir,
    databaseUrl: env.DATABASE_URL,
    databaseTimeoutMs: (env.DATABASE_TIMEOUT ?? 20) * 1000,
    publicUrl,
    isHttps,
    /** Whether people reach the portal from other computers with TLS. Then a start asks for more than a trial needs. */
    isForRealUse,
    repositoryUrl,
    portalConfigFile: resolve(env.PORTAL_CONFIG ?? "config/portal.json"),
    /** Newest first. Undefined until they are set or a trial start has generated them. */
    sessionSecrets: SESSION_SECRETS ?? stored?.sessionSecrets,
    /** Opens the keys of the roots. Undefined where roots are elsewhere. Trials of an earlier version had one passphrase for all keys. */
    rootPassphrase: ROOT_PASSPHRASE ?? stored?.rootPassphrase ?? stored?.caPassphrase,
    /** Opens the keys of the issuing CAs. */
    caPassphrase: CA_PASSPHRASE ?? stored?.caPassphrase,
    /** Opens the keys of the OCSP responders. */
    responderPassphrase: RESPONDER_PASSPHRASE ?? stored?.responderPassphrase,
    /** The keys that seal the audit trail, newest first. */
    auditKeys: AUDIT_KEYS ?? stored?.auditKeys,
    /** Whether the variables set these secrets, so that the portal is no trial (`fourEyes`). Earlier versions had no other ones. */
    hasSetSecrets,
    hasSetResponder: RESPONDER_PASSPHRASE !== undefined,
    /** The token that contains CA keys. When undefined, all keys are files. */
    pkcs11: pkcs11Of(env),
    /** How the portal reaches the signer with the keys of the issuing CAs. When undefined, the portal signs by itself. */
    signerWay,
    /** Whether the portal starts this signer itself, as a child with the same user and the same secrets. */
    startsSigner,
    /** Whether the processes of the portal need CA_PASSPHRASE: to sign, or for the signer that they start. */
    needsCaPassphrase,
    /** The settings of the signer itself, for the process that is it. */
    signer: signerSettingsOf(env, {
      dataDir,
      repositoryUrl: env.REPOSITORY_URL || env.PUBLIC_URL ? repositoryUrl : undefined,
      isTrial: !isForRealUse,
    }),
    adminEmail: env.ADMIN_EMAIL ?? "admin@example.org",
    adminPassword: env.ADMIN_PASSWORD,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    vatServiceUrl: env.VAT_SERVICE_URL,
    hmrc: hmrcOf(env),
    /** The secret with which the partner service verifies the tokens of remote logins. When undefined, nobody can. */
    partnerSecret: env.PARTNER_SECRET,
    /** The proxy that may log people in with their passwords. When undefined, none may. */
    authProxy: authProxyOf(env),
    /** The identity provider with which staff log in, and the portal's client there. When undefined, there is none. */
    oidc: oidcOf(env),
    /** The token with which a program may read the metrics. When undefined, nobody can. */
    metricsToken: env.METRICS_TOKEN,
    webConcurrency: env.WEB_CONCURRENCY ?? 1,
    /** How long a process that was asked to stop still accepts requests, so that proxies learn of it first. */
    stopDelayMs: (env.STOP_DELAY ?? 0) * 1000,
    rateLimits: env.RATE_LIMITS !== "off",
    /** Whose forwarded headers count. When undefined, nobody's do. */
    trustProxy: env.TRUST_PROXY,
    /** Where security events are written as lines of JSON: "off", "stdout" or the path of a file. */
    securityLog: securityLogOf(env.SECURITY_LOG),
    /** Where the public status is written as files, for a web server that answers while the portal is down. Undefined for nowhere. */
    statusDir: env.STATUS_DIR === undefined ? undefined : resolve(env.STATUS_DIR),
    logLevel: env.LOG_LEVEL ?? "info",
  });
}

/** The environment of this process, parsed once. */
export const getEnv = memoize((): Env => parseEnv(process.env));

/** Returns a secret that the start needs. `name` is its variable. Throws a ConfigError when it is neither set nor generated. */
export function requireSecret<T>(value: T | undefined, name: keyof Variables): T {
  if (value !== undefined) return value;
  throw new ConfigError([`${name} is missing: set it, or run 'npm run portal -- setup' to generate one for a trial`]);
}

const secretsMissing = (file: string, needsCaPassphrase: boolean) =>
  `SESSION_SECRETS, ${needsCaPassphrase ? "CA_PASSPHRASE, " : ""}RESPONDER_PASSPHRASE and AUDIT_KEYS must be set as variables when PUBLIC_URL is https, because secrets beside the data are for ` +
  `trials; ${existsSync(file) ? `set the values that ${file} has, then delete it` : "make each with 'openssl rand -hex 32'"}`;

const ONE_PASSPHRASE =
  "RESPONDER_PASSPHRASE must differ from CA_PASSPHRASE, so that whoever has one of the two cannot open the other keys";
const CA_PASSPHRASE_HERE =
  "CA_PASSPHRASE must be unset when PUBLIC_URL is https and a signer has the keys of the issuing CAs, also in secrets.json: only the signer may open them";
const ROOT_PASSPHRASE_HERE =
  "ROOT_PASSPHRASE must be unset when PUBLIC_URL is https, also in secrets.json: the keys of the roots are opened on another machine";

/**
 * Throws a ConfigError when a portal for real use starts with what is good for a trial only: without a decision about reverse proxies, with
 * secrets that were generated beside the data, or with what opens the keys of the roots.
 *
 * @param others What else is good for a trial only, in a sentence each.
 */
export function requireRealUse(env: Env, others: readonly string[] = []): void {
  const { isForRealUse, trustProxy: trust, dataDir } = env;
  const hasSetSecrets = env.hasSetSecrets && env.hasSetResponder;
  const { rootPassphrase, caPassphrase, responderPassphrase, needsCaPassphrase } = env;
  const problems = [
    ...(trust ? [] : [TRUST_PROXY_MISSING]),
    ...(hasSetSecrets ? [] : [secretsMissing(join(dataDir, "secrets.json"), needsCaPassphrase)]),
    ...(!needsCaPassphrase && caPassphrase !== undefined ? [CA_PASSPHRASE_HERE] : []),
    ...(hasSetSecrets && rootPassphrase !== undefined ? [ROOT_PASSPHRASE_HERE] : []),
    ...(hasSetSecrets && caPassphrase === responderPassphrase ? [ONE_PASSPHRASE] : []),
    ...others,
  ];
  if (isForRealUse && problems.length > 0) throw new ConfigError(problems);
}
