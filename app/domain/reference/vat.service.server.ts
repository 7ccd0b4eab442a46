import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getEnv } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { askHmrc } from "./hmrc.server";
import { type VatCheck } from "./vat-answer.server";
import { normaliseVat, vatNumberProblem } from "./vat.schema";
import { askVies } from "./vies.server";

export { type VatCheck } from "./vat-answer.server";

/** The service that knows this number: HMRC for GB, VIES for the EU and Northern Ireland; null when it is not configured. */
function serviceFor(vat: string): (() => Promise<VatCheck>) | null {
  const { vatServiceUrl, hmrc } = getEnv();
  if (vat.startsWith("GB")) return hmrc ? () => askHmrc(hmrc, vat) : null;
  return vatServiceUrl ? () => askVies(vatServiceUrl, vat) : null;
}

/** Whether there is a service to ask about this number: where there is none, nobody expects it to be checked. */
export const hasVatService = (value: string): boolean => serviceFor(normaliseVat(value)) !== null;

/**
 * Checks a VAT number: the pattern, then the service of its country.
 * Out: `serviceError` when no service is configured, or it fails or takes longer than 5 s; never throws for that.
 * Not to be called inside a database transaction.
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
 * What is known of a stored VAT number: the service confirmed it; the service did not answer; no service is configured for it; nobody has
 * asked yet, as after an import; or no check is due in the country that is invoiced.
 */
export type VatState = "confirmed" | "unanswered" | "no-service" | "unasked" | "not-due";

function stateOf(vat: string, isChecked: boolean | null, country: { iso: string; euMember: boolean } | null): VatState {
  if (isChecked) return "confirmed";
  if (country && !vatRequired(country)) return "not-due";
  if (!hasVatService(vat)) return "no-service";
  return isChecked === null ? "unasked" : "unanswered";
}

/** Returns a stored VAT number with what is known of it, for the country that is invoiced, or null when none is stored. */
export const storedVat = (
  { vatNumber, vatNumberChecked }: { vatNumber: string | null; vatNumberChecked: boolean | null },
  country: { iso: string; euMember: boolean } | null,
): { number: string; state: VatState } | null =>
  vatNumber === null ? null : { number: vatNumber, state: stateOf(vatNumber, vatNumberChecked, country) };
