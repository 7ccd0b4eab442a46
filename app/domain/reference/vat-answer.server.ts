import { log } from "~/lib/log.server";

export type VatCheck = "valid" | "invalid" | "serviceError";

/** The maximum wait for the whole answer of a VAT service, in milliseconds. */
export const VAT_TIMEOUT = 5000;

/**
 * Sends a request to a VAT service. Returns the status and the parsed JSON body. Throws when the service cannot be reached, takes longer
 * than VAT_TIMEOUT or the given signal allows, redirects to another address, or does not answer with JSON.
 */
export async function askForJson(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(VAT_TIMEOUT), ...init });
  return { status: response.status, body: await response.json() };
}

/** Logs why a service gave no result, with the service's own code. The VAT number is not logged. */
export function noVerdict(service: "VIES" | "HMRC", status: number, code: string | undefined): VatCheck {
  log().warn({ service, status, code }, "the VAT service gave no verdict");
  return "serviceError";
}
