import { z } from "zod";
import { askForJson, noVerdict, type VatCheck } from "./vat-answer.server";

// VIES answers its own failures with HTTP 200 too: { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] }.
const answerSchema = z.object({
  valid: z.boolean().optional(),
  actionSucceed: z.boolean().optional(),
  errorWrappers: z.array(z.object({ error: z.string().optional() })).optional(),
});

/** The one failure that is about the number and not about the service: no number of that country can look like this. */
const NO_NUMBER = "INVALID_INPUT";

/**
 * Asks VIES (swagger_publicVAT, `check-vat-number`). In: the REST service's base, the number with its prefix (EL for Greece, XI).
 * Throws when VIES is not reached, takes longer than 5 s, or answers no JSON.
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
