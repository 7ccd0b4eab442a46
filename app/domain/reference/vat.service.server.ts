import { z } from "zod";
import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getEnv } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { normaliseVat, vatNumberProblem } from "./vat.schema";

export type VatCheck = "valid" | "invalid" | "serviceError";

const TIMEOUT = 5000;

// VIES answers its own failures with HTTP 200: { actionSucceed: false, errorWrappers: [{ error }] }.
const viesAnswer = z.object({
  actionSucceed: z.boolean().optional(),
  valid: z.boolean().optional(),
  userError: z.string().optional(),
});

async function askVies(url: string, vat: string): Promise<VatCheck> {
  const response = await fetch(`${url}/check-vat-number`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ countryCode: vat.slice(0, 2), vatNumber: vat.slice(2) }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const answer = viesAnswer.parse(await response.json());
  if (!response.ok || answer.actionSucceed === false || answer.valid === undefined) return "serviceError";
  return answer.valid ? "valid" : "invalid";
}

async function askHmrc(url: string, token: string | undefined, vat: string): Promise<VatCheck> {
  const response = await fetch(`${url}/organisations/vat/check-vat-number/lookup/${encodeURIComponent(vat.slice(2))}`, {
    headers: { Accept: "application/vnd.hmrc.2.0+json", ...(token && { Authorization: `Bearer ${token}` }) },
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (response.status === 404) return "invalid";
  return response.ok ? "valid" : "serviceError";
}

/**
 * Checks a VAT number: the pattern, then the service of its country (VIES for the EU, HMRC for GB).
 * Out: `serviceError` when no service is configured, or it fails or takes longer than 5 s; never throws for that.
 * Not to be called inside a database transaction.
 */
export async function checkVatNumber(value: string, country: { iso: string; euMember: boolean }): Promise<VatCheck> {
  const vat = normaliseVat(value);
  if (vat === "" || vatNumberProblem(vat, country)) return "invalid";
  if (!vatRequired(country)) return "valid";
  const { vatServiceUrl, hmrcUrl, hmrcToken } = getEnv();
  try {
    if (vat.startsWith("GB")) return hmrcUrl ? await askHmrc(hmrcUrl, hmrcToken, vat) : "serviceError";
    return vatServiceUrl ? await askVies(vatServiceUrl, vat) : "serviceError";
  } catch (error) {
    log().warn({ err: error }, "the VAT service did not answer");
    return "serviceError";
  }
}
