import { vatRequired } from "~/domain/accounts/accounts.policy";
import { messages } from "~/lib/messages";

interface VatCountry {
  iso: string;
  euMember: boolean;
}

/** White space removed, letters in capitals: what is checked and stored. */
export const normaliseVat = (value: string): string => value.replace(/\s+/g, "").toUpperCase();

/** The prefixes of the countries in which VAT is mandatory: no other country's companies are registered under them. */
const EU_AND_UK = "AT BE BG CY CZ DE DK EE EL ES FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");

/** The prefixes that a country's VAT numbers carry: Greece writes EL, Switzerland CHE; Monaco and Man use their neighbour's. */
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
 * What is wrong with a VAT number for this country, or null. Pure: shared by the page and the server, asks no service.
 * Where VAT is not required an empty value is right.
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
