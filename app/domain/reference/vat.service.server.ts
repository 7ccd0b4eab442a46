import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getEnv } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { askHmrc } from "./hmrc.server";
import { type VatCheck } from "./vat-answer.server";
import { normaliseVat, vatNumberProblem } from "./vat.schema";
import { askVies } from "./vies.server";

export { type VatCheck } from "./vat-answer.server";

/** Returns the service for this number: HMRC for GB, VIES for the EU and Northern Ireland, or null when it is not configured. */
function serviceFor(vat: string): (() => Promise<VatCheck>) | null {
  const { vatServiceUrl, hmrc } = getEnv();
  if (vat.startsWith("GB")) return hmrc ? () => askHmrc(hmrc, vat) : null;
  return vatServiceUrl ? () => askVies(vatServiceUrl, vat) : null;
}

/** Returns whether a service is configured for this number. Without one, the number is not expected to be checked. */
export const hasVatService = (value: string): boolean => serviceFor(normaliseVat(value)) !== null;

/**
 * Checks a VAT number: first its form, then with the service of its country. Returns `serviceError` when no service is configured, or when
 * it fails or takes longer than 5 seconds. Never throws because of the service. Must not be called inside a transaction.
 */
export async function checkVatNumber(value: string, country: { iso: string; euMember: boolean }): Promise<VatCheck> {
  const vat = normaliseVat(value);
  if (vat === "" || vatNumberProblem(vat, country)) return "invalid";
  if (!vatRequired(country)) return "valid";
  try {
    return (await serviceFor(vat)?.()) ?? "serviceError";
  } catch (error) {
    log().warn({ err: error }, "the VAT service did not answer");
    return "serviceError";
  }
}

/**
 * What is known about a stored VAT number: the service confirmed it, the service did not answer, no service is configured for it, it was
 * never looked up (for example after an import), or no check is due in the invoiced country.
 */
export type VatState = "confirmed" | "unanswered" | "no-service" | "unasked" | "not-due";

function stateOf(vat: string, isChecked: boolean | null, country: { iso: string; euMember: boolean } | null): VatState {
  if (isChecked) return "confirmed";
  if (country && !vatRequired(country)) return "not-due";
  if (!hasVatService(vat)) return "no-service";
  return isChecked === null ? "unasked" : "unanswered";
}

/** Returns a stored VAT number with what is known about it for the invoiced country, or null when none is stored. */
export const storedVat = (
  { vatNumber, vatNumberChecked }: { vatNumber: string | null; vatNumberChecked: boolean | null },
  country: { iso: string; euMember: boolean } | null,
): { number: string; state: VatState } | null =>
  vatNumber === null ? null : { number: vatNumber, state: stateOf(vatNumber, vatNumberChecked, country) };
