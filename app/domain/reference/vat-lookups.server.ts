import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { takeTry } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { wasOrderedWithValidVat } from "~db/repositories/orders.server";
import { normaliseVat, vatNumberProblem } from "./vat.schema";
import { checkVatNumber, hasVatService, type VatCheck } from "./vat.service.server";

interface VatCountry {
  id: number;
  iso: string;
  euMember: boolean;
}

/** Whether a service is asked about this number; all else is known without one, and costs nobody a look-up. */
export const isLookedUp = (value: string, country: VatCountry): boolean =>
  vatRequired(country) &&
  normaliseVat(value) !== "" &&
  vatNumberProblem(value, country) === null &&
  hasVatService(value);

/** Midnight in UTC before `now`: an order of the day before was checked too long ago to spare the next one its look-up. */
const beginOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

/** Whether the account's own details hold this number of this country as one that the service knew. */
async function isValidInDetails(userId: number, vat: string, { id }: VatCountry): Promise<boolean> {
  const { vatNumber, vatNumberChecked, invoicingAddress } = await getProfile(userId);
  return vatNumberChecked === true && vatNumber === vat && invoicingAddress?.country === id;
}

/**
 * Checks a VAT number for an account, which has a limited number of look-ups. A number that this account ordered with on the same day is
 * not looked up again, so that however many orders cost one look-up. Without a look-up left nothing is refused: it counts as it is stored
 * in the account's details, else as one whose service did not answer. Never throws for the service; not to be called inside a transaction.
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
  if ((await takeTry("vat-account", userId)) === null) return checkVatNumber(vat, country);
  return (await isValidInDetails(userId, vat, country)) ? "valid" : "serviceError";
}
