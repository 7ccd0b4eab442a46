import { encodeCsrOutline } from "~/ca/csr/outline.server";
import { listSubjectCountries } from "~/domain/reference/countries.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { namesToBe } from "../certified-names.server";
import { hostMarks } from "../marks.server";
import { commandsFor, type PreparationCommands } from "./commands.server";
import {
  DEFAULT_KEY_SIZE,
  PREPARATION_FIELDS,
  type PreparationField,
  type PreparationValues,
} from "./preparation-fields";
import { type Preparation, preparationSchema } from "./preparation-schema.server";

/** What the browser needs to create a CSR: the bytes that do not depend on the key, in base64. */
export interface BrowserRequest {
  subject: string;
  attributes: string;
  /** The length of the RSA modulus in bits. */
  keySize: number;
}

export interface Prepared {
  /** Not empty when TLS clients could not match the certificate with a server. */
  marks: BrokenRule[];
  commands: PreparationCommands;
  browser: BrowserRequest;
}

export type PreparationResult =
  | { ok: true; prepared: Prepared }
  | { ok: false; errors: Partial<Record<PreparationField, string>> };

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** Reads the form's values from the query string. `isSent` is false when the query string has none of the fields. */
export function readPreparation(params: URLSearchParams): { values: PreparationValues; isSent: boolean } {
  const values = Object.fromEntries(PREPARATION_FIELDS.map((field) => [field, params.get(field) ?? ""]));
  const isSent = PREPARATION_FIELDS.some((field) => params.has(field));
  if (!params.has("keySize")) values.keySize = String(DEFAULT_KEY_SIZE);
  return { values: values as PreparationValues, isSent };
}

/** Returns the countries that a certificate may name, with their ISO codes as values. */
export async function listIsoCountries(): Promise<{ value: string; label: string }[]> {
  const countries = await listSubjectCountries();
  return countries.map(({ iso, printableName }) => ({ value: iso, label: printableName }));
}

function prepare(asked: Preparation): Prepared {
  const subject = {
    commonName: asked.commonName,
    organisation: asked.organisation,
    organisationUnit: asked.organisationUnit,
    locality: asked.city,
    state: asked.state,
    country: asked.country,
    deviceSerialNumber: asked.oftpid,
    email: asked.email,
  };
  const alternativeNames = [
    ...asked.dnsNames.map((value) => ({ type: "dns" as const, value })),
    ...asked.ipAddresses.map((value) => ({ type: "ip" as const, value })),
  ];
  const outline = encodeCsrOutline(subject, alternativeNames);
  const names = namesToBe({ commonName: asked.commonName, ssid: asked.oftpid || null, alternativeNames });
  const browser = {
    subject: base64(outline.subject),
    attributes: base64(outline.attributes),
    keySize: asked.keySize,
  };
  const marks = hostMarks({ commonName: asked.commonName, names }, (dnsName) =>
    dnsName === null
      ? "If they are to call a server of yours, enter its host name under DNS names."
      : `For ${asked.commonName} enter ${dnsName} under DNS names.`,
  );
  return { marks, commands: commandsFor(asked), browser };
}

/** Checks the typed values. Returns how to create the CSR, or the rule that each invalid field breaks. Nothing is stored. */
export async function prepareCsr(values: PreparationValues): Promise<PreparationResult> {
  const codes = new Set((await listSubjectCountries()).map(({ iso }) => iso));
  const checked = preparationSchema(codes).safeParse(values);
  if (checked.success) return { ok: true, prepared: prepare(checked.data) };
  const errors: Partial<Record<PreparationField, string>> = {};
  for (const { path, message } of checked.error.issues) errors[path[0] as PreparationField] ??= message;
  return { ok: false, errors };
}
