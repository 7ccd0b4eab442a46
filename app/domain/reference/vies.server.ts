import { z } from "zod";
import { askForJson, noVerdict, type VatCheck } from "./vat-answer.server";

// VIES also answers with HTTP 200 when it fails: { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] }.
const answerSchema = z.object({
  valid: z.boolean().optional(),
  actionSucceed: z.boolean().optional(),
  errorWrappers: z.array(z.object({ error: z.string().optional() })).optional(),
});

/** The only failure that concerns the number and not the service: no number of that country can look like this. */
const NO_NUMBER = "INVALID_INPUT";

/**
 * Looks up a number with VIES (swagger_publicVAT, `check-vat-number`). Throws when VIES cannot be reached, takes longer than 5 seconds, or
 * does not answer with JSON.
 *
 * @param url The base address of the REST service.
 * @param vat The number with its prefix (EL for Greece, XI for Northern Ireland).
 */
export async function askVies(url: string, vat: string): Promise<VatCheck> {
  const { status, body } = await askForJson(`${url}/check-vat-number`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ countryCode: vat.slice(0, 2), vatNumber: vat.slice(2) }),
  });
  const { valid, actionSucceed, errorWrappers = [] } = answerSchema.parse(body);
  const failure = errorWrappers[0]?.error;
  if (failure === NO_NUMBER) return "invalid";
  if (status !== 200 || actionSucceed === false || failure || valid === undefined)
    return noVerdict("VIES", status, failure);
  return valid ? "valid" : "invalid";
}
