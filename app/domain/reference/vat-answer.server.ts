import { log } from "~/lib/log.server";

export type VatCheck = "valid" | "invalid" | "serviceError";

/** Longest wait for a VAT service, in milliseconds; it covers the whole answer. */
export const VAT_TIMEOUT = 5000;

/** Asks a VAT service, within that time or the signal's. Out: status and the JSON of the body. Throws when it is not reached, too slow, or answers something else. */
export async function askForJson(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(VAT_TIMEOUT), ...init });
  return { status: response.status, body: await response.json() };
}

/** Notes why a service gave no verdict, under the service's own code; the number itself is not logged. */
export function noVerdict(service: "VIES" | "HMRC", status: number, code: string | undefined): VatCheck {
  log().warn({ service, status, code }, "the VAT service gave no verdict");
  return "serviceError";
}
