import { type SessionUser } from "~/domain/accounts/session-user";
import { type Typed } from "~/domain/drafts/typed-values";
import { listSubjectCountries } from "~/domain/reference/countries.server";
import { type PreparationCommands } from "../request/preparation/commands.server";
import {
  DEFAULT_KEY_SIZE,
  detailsToMake,
  type PreparationField,
  type PreparationValues,
} from "../request/preparation/preparation-fields";
import { prepareCsr } from "../request/preparation/preparation.service.server";
import { type Original, type Preceding } from "../succession/original.server";
import { technicalContact } from "./contact.service.server";

const NOTHING: PreparationValues = {
  commonName: "",
  organisation: "",
  organisationUnit: "",
  city: "",
  state: "",
  country: "",
  email: "",
  oftpid: "",
  dnsNames: "",
  ipAddresses: "",
  keySize: String(DEFAULT_KEY_SIZE),
};

/** Returns the details that a successor takes over: the CSR of a renewal must state the same subject and names. */
export function detailsToPrepare({ subject, dnsNames }: Preceding): PreparationValues {
  return {
    ...NOTHING,
    commonName: subject.commonName ?? "",
    organisation: subject.organisation ?? "",
    organisationUnit: subject.organisationUnit ?? "",
    city: subject.locality ?? "",
    state: subject.state ?? "",
    country: subject.country ?? "",
    email: subject.email ?? "",
    oftpid: subject.deviceSerialNumber ?? "",
    dnsNames: dnsNames.join("\n"),
  };
}

/**
 * Returns the details of a CSR that are known before anything is typed: those of the certificate that is renewed, or company, city and
 * country of the account. An email address is not among them, because a certificate is public.
 */
async function knownDetails(user: SessionUser, original: Original | null): Promise<PreparationValues> {
  if (original) return detailsToPrepare(original);
  const [contact, countries] = await Promise.all([technicalContact(user), listSubjectCountries()]);
  const country = countries.find(({ id }) => id === contact.countryId);
  return { ...NOTHING, organisation: contact.company, city: contact.city, country: country?.iso ?? "" };
}

/**
 * Returns what the order step needs to make a CSR: the known details, and the commands for the typed ones.
 *
 * @param typed The stored values of the step. `commands` is null while they are not complete.
 */
export async function csrToMake(user: SessionUser, original: Original | null, typed: Typed) {
  const known = await knownDetails(user, original);
  const values = detailsToMake(known, typed);
  const made = typed.csrWay === "make" && values.commonName ? await prepareCsr(values) : null;
  const { organisation, organisationUnit, city, state, country } = known;
  return {
    known,
    /** Where the details come from, and what they are, in words. */
    source: original ? `From the certificate, for ${known.commonName}` : "From your account",
    facts: [organisation, organisationUnit, city, state, country].filter(Boolean).join(", "),
    commands: made?.ok ? textsOf(made.prepared.commands) : null,
  };
}

/** Returns the commands by the program that runs them. */
const textsOf = ({ key, request, keytool }: PreparationCommands): [tool: string, text: string][] => [
  ["OpenSSL on Linux and macOS", `${key}\n${request}`],
  ["Java’s keytool, also on Windows", keytool],
];

export type Making = Awaited<ReturnType<typeof csrToMake>>;

const FIELD_OF: Partial<Record<PreparationField, string>> = {
  commonName: "host",
  dnsNames: "host",
  ipAddresses: "host",
};

/** Returns what is wrong with the details of a CSR to be made, by field of the order step. A detail of the account is named. */
export async function problemsToMake(user: SessionUser, original: Original | null, typed: Typed) {
  const result = await prepareCsr(detailsToMake(await knownDetails(user, original), typed));
  const problems: Record<string, string> = {};
  if (result.ok) return problems;
  for (const [name, message] of Object.entries(result.errors)) {
    const field = FIELD_OF[name as PreparationField];
    problems[field ?? "host"] ??= field ? message : `The ${name} in your account cannot be used: ${message}`;
  }
  return problems;
}
