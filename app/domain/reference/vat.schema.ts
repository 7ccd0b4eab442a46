import { vatRequired } from "~/domain/accounts/accounts.policy";
import { messages } from "~/lib/messages";

interface VatCountry {
  iso: string;
  euMember: boolean;
}

/** Returns a VAT number as it is checked and stored: without spaces, in capitals. */
export const normaliseVat = (value: string): string => value.replace(/\s+/g, "").toUpperCase();

/** The prefixes of the countries in which VAT is mandatory. Companies of other countries have no numbers with these prefixes. */
const EU_AND_UK = "AT BE BG CY CZ DE DK EE EL ES FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");

/**
 * Returns the prefixes of a country's VAT numbers. Greece uses EL and Switzerland CHE. Monaco and the Isle of Man use the prefix of their
 * neighbour.
 */
export const vatPrefixes = (iso: string): readonly string[] => {
  if (iso === "GR") return ["EL"];
  if (iso === "CH") return ["CHE"];
  if (iso === "GB") return ["GB", "XI"]; // XI: Northern Ireland
  if (iso === "MC") return ["FR"];
  if (iso === "IM") return ["GB"];
  return [iso];
};

const GENERAL = /^[A-Z]{2}[A-Z\d]{2,15}$/;
const SWISS = /^[A-Z]{3}[A-Z\d.]{3,15}$/;

/**
 * Returns what is wrong with a VAT number of this country, or null. An empty value is valid where VAT is not required. Asks no service, so
 * that the page and the server can share it.
 */
export function vatNumberProblem(value: string, country: VatCountry): string | null {
  const required = vatRequired(country);
  const vat = normaliseVat(value);
  if (vat === "") return required ? messages.vatMissing : null;
  const isWellFormed = vat.length >= 4 && (GENERAL.test(vat) || (country.iso === "CH" && SWISS.test(vat)));
  const hasPrefix = (prefix: string) => vat.startsWith(prefix);
  const isOfCountry = vatPrefixes(country.iso).some(hasPrefix) || (!required && !EU_AND_UK.some(hasPrefix));
  return isWellFormed && isOfCountry ? null : messages.vatInvalid;
}
