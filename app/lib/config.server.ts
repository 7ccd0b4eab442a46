import { readFileSync } from "node:fs";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { z } from "zod";
import { ConfigError, problemsOf } from "./config-error";
import { getEnv } from "./env.server";
import { memoize } from "./memoize.server";
import { NAME_CLASS_NAMES } from "./name-classes";
import { parseNetwork } from "./networks.server";
import { singleSignOnSchema } from "./single-sign-on-config";
import { readWebAddress, resolveBelow } from "./web-address";

const isHttpUrl = (value: string) => /^https?:\/\//.test(value) && URL.canParse(value);
const link = z
  .string()
  .refine(
    (value) => isHttpUrl(value) || value.startsWith("/"),
    "must be an address starting 'http://', 'https://' or '/'",
  );
const endpoint = z.string().refine(isHttpUrl, "must be an address starting 'http://' or 'https://'");
/** An endpoint whose pages are framed. The Content-Security-Policy names its origin, and addresses are made below its path. */
const framedEndpoint = endpoint.refine(
  (value) => !isHttpUrl(value) || (readWebAddress(value) !== null && !/[?#]/.test(value)),
  "must name its host plainly and have no user name, query or fragment",
);
const pathBelow = z
  .string()
  .refine(
    (value) => value.startsWith("/") && resolveBelow("https://partner.example", value) !== null,
    "must be a path starting '/'",
  );
const text = z.string().trim().min(1, "must not be empty");
const isDay = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
/** HMRC's monthly rate, or another rate with which UK VAT is stated in sterling. */
const exchangeRate = z
  .object({
    sterlingPerEuro: z.number().positive("must be above 0, such as 0.87"),
    /** The first day on which the rate applies. */
    date: z.string().refine(isDay, "must be a date such as 2026-11-01"),
    source: text,
  })
  .strict();
const cents = z.number().int("must be a whole number of cents").min(0, "must not be negative");

const days = z.number().int("must be a whole number of days").min(1, "must be 1 or more");

const years = z.number().int("must be a whole number of years").min(1, "must be 1 or more");

const lintName = z
  .string()
  .regex(/^(zlint|pkilint) \S+$/, "must be a program and its lint, such as 'zlint w_multiple_issuer_rdn'");
const port = z.number().int().min(1, "must be a port").max(65_535, "must be a port");

/** Returns whether the text is an IP address with or without a port, as Node's resolver takes it: `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
function isDnsServer(text: string): boolean {
  const [, inBrackets, plain, given] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isPort = given === undefined || port.safeParse(Number(given)).success;
  return isIP(text) !== 0 || (isPort && (isIPv6(inBrackets ?? "") || isIPv4(plain ?? "")));
}

const isNetworkEntry = (entry: string) => parseNetwork(entry) !== null;

const schema = z
  .object({
    // The eleven keys of PUB-07.
    helpLink: link,
    pricingLink: link,
    contactLink: link,
    faqLink: link,
    prepareCsrLink: link,
    webApiEndPoint: link,
    odetteCaEndPoint: framedEndpoint,
    oscarEndPoint: framedEndpoint,
    termsAndConditionsLink: link,
    cookiesLink: link,
    privacyPolicyLink: link,
    branding: z.object({ name: text, mailName: text }).strict(),
    partner: z.object({ loginPath: pathBelow, salesOrdersPath: pathBelow.optional() }).strict(),
    legal: z
      .object({
        company: text,
        address: text,
        registration: z.array(text),
        phone: text,
        fax: text,
        social: z.array(z.object({ name: text, url: endpoint }).strict()),
      })
      .strict(),
    seller: z
      .object({
        name: text,
        address: z.array(text).min(1),
        vatNumber: text,
        email: z.string().email(),
        /** How invoices are paid, one line each. */
        payment: z.array(text).optional(),
      })
      .strict(),
    /** The current rate. `earlier` has the rates of previous months, for orders that were paid then. */
    exchangeRate: exchangeRate.extend({ earlier: z.array(exchangeRate).optional() }).optional(),
    prices: z
      .object({
        certificatePerYearCents: cents,
        codeCents: z.object({ OFTP: cents, Full: cents, Basic: cents }).strict(),
      })
      .strict(),
    maintenance: z
      .object({
        codeCents: z.object({ OFTP: cents, Full: cents, Basic: cents }).strict(),
        subcodeBlock: z.object({ size: z.number().int().min(1), cents }).strict(),
      })
      .strict(),
    vatRate: z.number().min(0, "must be a fraction such as 0.2").max(1, "must be a fraction such as 0.2"),
    certificates: z
      .object({
        hierarchy: z.enum(["sha2", "g3"]),
        keyAlgorithms: z.array(z.enum(["RSA", "EC"])).min(1),
        renewalsFromDays: z.number().int().min(1),
        renewalsUntilDays: z.number().int().min(0),
        policyOid: z.string().regex(/^[0-2](\.\d+)+$/, "must be an object identifier such as 2.999.1"),
        organisation: text,
        country: z.string().regex(/^[A-Z]{2}$/, "must be a country code of two capital letters"),
        /** Codes of countries that are not in ISO 3166-1 but can be certified. */
        otherCountries: z
          .array(z.string().regex(/^[A-Z]{2}$/, "must be country codes of two capital letters"))
          .default([]),
        /** Folder with the files of a former CA. */
        sha1Archive: text.optional(),
      })
      .strict(),
    names: z
      .object({
        /** The classes of names that are certified although they are refused by default. */
        allow: z.array(z.enum(NAME_CLASS_NAMES)).default([]),
        /** What happens to orders with names outside the confirmed domains of their company. */
        domainControl: z.enum(["off", "mark", "require"]).default("mark"),
        /** The DNS servers for checks of domains. Two must agree. Without any, those of the system. */
        resolvers: z
          .array(z.string().refine(isDnsServer, "must be IP addresses, with a port where it is not 53"))
          .max(2, "must be two at most")
          .default([]),
        /** Whether a domain may be checked at a private or special-purpose address. */
        checkPrivateAddresses: z.boolean().default(false),
        /** The ports at which files of challenges are read. Only tests change them. */
        checkPorts: z
          .object({ http: port.default(80), https: port.default(443) })
          .strict()
          .default({}),
      })
      .strict()
      .default({}),
    /** The linters of others that the nightly audit asks. */
    lints: z
      .object({
        /** Paths of the programs. Without one, the command is looked for on PATH. */
        programs: z.object({ zlint: text.optional(), pkilint: text.optional() }).strict().default({}),
        /** Lints that do not apply to this CA, beside those that the portal knows. */
        ignore: z.array(z.object({ lint: lintName, reason: text }).strict()).default([]),
      })
      .strict()
      .default({}),
    webhooks: z
      .object({
        /** Networks of the operator's own to which webhooks may lead, by http too. */
        insideNetworks: z.array(z.string().refine(isNetworkEntry, "must be networks such as 10.1.0.0/16")).default([]),
        /** File of PEM certificates to which receivers in these networks may chain, beside the CAs that everybody knows. */
        insideCertificates: text.optional(),
      })
      .strict()
      .default({}),
    policies: z
      .object({
        version: text,
        date: z.string().refine(isDay, "must be a date such as 2026-11-21"),
        email: z.string().email(),
        governingLaw: text,
        /** How often the operator reviews the practices, at the least. The portal states it and does not enforce it. */
        reviewMonths: z.number().int("must be a whole number of months").min(1, "must be 1 or more").default(12),
        /** How many days ahead the operator announces the end of the service. The portal states it and does not enforce it. */
        terminationNoticeDays: days.default(90),
      })
      .strict(),
    accounts: z
      .object({
        passwordMinLength: z.number().int().min(8).max(50),
        passwordMaxAgeDays: z.number().int().min(0),
        /** File of sorted SHA-1 hashes, as Have I Been Pwned publishes them. */
        breachedPasswords: text.optional(),
        blockPasting: z.boolean(),
        securityQuestions: z.array(text).min(1),
        freeMailDomains: z.array(text),
        roleMailboxes: z.array(text),
        /** Unset: see `fourEyes`. */
        fourEyes: z.enum(["strict", "small-office"]).optional(),
        /** How many days staff may log in without a second factor after they were first asked to add one. */
        factorGraceDays: z.number().int("must be a whole number of days").min(0, "must not be negative").default(14),
        /** Single sign-on for staff. The provider is set by variables, see `singleSignOn`. */
        singleSignOn: singleSignOnSchema.optional(),
      })
      .strict(),
    mail: z
      .object({
        /** How many days the row of a message is kept after it was sent or dismissed. */
        keptDays: days.default(400),
      })
      .strict()
      .default({}),
    /** How long data about people is kept. Years say what the portal promises at the least; days are when a job removes rows. */
    privacy: z
      .object({
        invoiceYears: years.default(10),
        evidenceYears: years.default(7),
        /** After how many days an account is removed that was never confirmed and never used. */
        unusedAccountsKeptDays: days.default(30),
        /** How many days an invitation is kept after it was used, withdrawn or has expired. */
        invitationsKeptDays: days.default(90),
        /** How many days a request to a second user administrator is kept after it was decided or has expired. */
        requestsKeptDays: days.default(400),
      })
      .strict()
      .default({}),
    security: z
      .object({
        eventsKeptDays: days.default(90),
        /** Receives the alerts in place of the user administrators and auditors. */
        alertMail: z.string().email().optional(),
        /** So many refusals of one network within so many minutes are reported. */
        burst: z
          .object({
            refusals: z.number().int().min(1).default(100),
            minutes: z.number().int().min(1).max(60).default(10),
          })
          .strict()
          .default({}),
      })
      .strict()
      .default({}),
  })
  .strict()
  .superRefine(({ vatRate, exchangeRate }, context) => {
    if (vatRate > 0 && !exchangeRate)
      context.addIssue({
        code: "custom",
        path: ["exchangeRate"],
        message: "is missing: invoices state UK VAT in sterling too, unless vatRate is 0",
      });
  });

export type PortalConfig = Readonly<z.infer<typeof schema>>;

export type ExchangeRate = z.infer<typeof exchangeRate>;

/** Reads the start-up configuration file. Throws a ConfigError with one line for each wrong key that names the file and the key. */
export function readConfig(file: string): PortalConfig {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError([`PORTAL_CONFIG must name a JSON file: ${(error as Error).message}`]);
  }
  const result = schema.safeParse(parsed);
  if (!result.success) throw new ConfigError(problemsOf(result.error, "PORTAL_CONFIG: "));
  return Object.freeze(result.data);
}

/** The start-up configuration of this process, read once. */
export const getConfig = memoize(() => readConfig(getEnv().portalConfigFile));
