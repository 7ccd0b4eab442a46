import { log } from "~/lib/log.server";

export type VatCheck = "valid" | "invalid" | "serviceError";

/** The maximum wait for the whole answer of a VAT service, in milliseconds. */
export const VAT_TIMEOUT = 5000;

/**
 * Settles like the promise, but rejects as soon as the signal aborts: the promise may be work for another caller that waits longer, and Node's
 * `fetch` can forget the signal once the answer has begun.
 */
export const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    work.then(resolve, reject);
  });

/**
 * Sends a request to a VAT service. Returns the status and the parsed JSON body. Throws when the service cannot be reached, takes longer
 * than VAT_TIMEOUT or the given signal allows, redirects to another address, or does not answer with JSON.
 */
export function askForJson(
  url: string,
  { signal, ...init }: RequestInit & { signal?: AbortSignal },
): Promise<{ status: number; body: unknown }> {
  const end = signal ?? AbortSignal.timeout(VAT_TIMEOUT);
  const ask = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(url, { redirect: "error", signal: end, ...init });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  return before(end, ask());
}

/** Logs why a service gave no result, with the service's own code. The VAT number is not logged. */
export function noVerdict(service: "VIES" | "HMRC", status: number, code: string | undefined): VatCheck {
  log().warn({ service, status, code }, "the VAT service gave no verdict");
  return "serviceError";
}
