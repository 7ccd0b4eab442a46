import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { consumeTry, tryToConsume } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { type Country, listCountries } from "~db/repositories/countries.server";
import { wasOrderedWithValidVat } from "~db/repositories/orders.server";
import { normaliseVat, vatNumberProblem, vatPrefixes } from "./vat.schema";
import { checkVatNumber, hasVatService, type VatCheck } from "./vat.service.server";

const LIMIT = "vat-account";

interface VatCountry {
  id: number;
  iso: string;
  euMember: boolean;
}

/** Returns whether a service must be asked about this number. Everything else is decided without a service and uses up no look-up. */
const isLookedUp = (value: string, country: VatCountry): boolean =>
  vatRequired(country) &&
  normaliseVat(value) !== "" &&
  vatNumberProblem(value, country) === null &&
  hasVatService(value);

/** Returns the last midnight in UTC. An order from the day before does not spare the next one its look-up. */
const beginOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

/** Returns whether the details of the account contain this number for this country, and the service has confirmed it. */
async function isValidInDetails(userId: number, vat: string, { id }: VatCountry): Promise<boolean> {
  const { vatNumber, vatNumberChecked, invoicingAddress } = await getProfile(userId);
  return vatNumberChecked === true && vatNumber === vat && invoicingAddress?.country === id;
}

/**
 * Returns the country to which a VAT number belongs by its prefix, or null. Where several countries share a prefix, returns the one whose
 * ISO code it is.
 */
async function findCountryOf(vat: string): Promise<Country | null> {
  const number = normaliseVat(vat);
  const found = (await listCountries(getDb())).filter(({ iso }) =>
    vatPrefixes(iso).some((prefix) => number.startsWith(prefix)),
  );
  return found.find(({ iso }) => number.startsWith(iso)) ?? found[0] ?? null;
}

/**
 * Checks a VAT number of the country that its prefix names, for an account, which has a limited number of look-ups. Throws a PortalError
 * (429) when a look-up is needed and none is left. Never throws because of the service. Must not be called inside a transaction.
 */
export async function lookUpVat(userId: number, value: string): Promise<VatCheck> {
  const country = await findCountryOf(value);
  if (!country) return "invalid";
  if (isLookedUp(value, country)) await consumeTry(LIMIT, userId);
  return checkVatNumber(value, country);
}

/**
 * Checks a VAT number of an order or of an account's details. Each look-up uses up one of the account's tries. A number that the account
 * used in an order on the same day is not looked up again, so that many orders use up only one look-up. Without a look-up left, a number
 * that the account's details contain as confirmed counts as valid, and any other as if the service had not answered. Never throws because
 * of the service. Must not be called inside a transaction.
 */
export async function checkVatOf(
  userId: number,
  value: string,
  country: VatCountry,
  now = new Date(),
): Promise<VatCheck> {
  if (!isLookedUp(value, country)) return checkVatNumber(value, country);
  const vat = normaliseVat(value);
  const order = { userId, vatNumber: vat, countryId: country.id, since: beginOfDay(now) };
  if (await wasOrderedWithValidVat(getDb(), order)) return "valid";
  if ((await tryToConsume(LIMIT, userId)) === null) return checkVatNumber(vat, country);
  return (await isValidInDetails(userId, vat, country)) ? "valid" : "serviceError";
}
