import { z } from "zod";
import { askForJson, noVerdict, type VatCheck } from "./vat-answer.server";

const answerSchema = z.object({
  code: z.string().optional(),
  target: z.object({ vatNumber: z.string() }).optional(),
});

/** HMRC's way to say that it knows no such number, or that none can look like this; a 404 of the gateway has another code. */
const noNumber = (status: number, code: string | undefined) =>
  (status === 404 && code === "NOT_FOUND") || (status === 400 && code === "INVALID_REQUEST");

/**
 * Asks HMRC's 'Check a UK VAT number' API, version 2. In: the API's base, the application's bearer token, the number with its GB.
 * Throws when HMRC is not reached, takes longer than 5 s, or answers no JSON.
 */
export async function askHmrc(url: string, token: string | undefined, vat: string): Promise<VatCheck> {
  const number = vat.slice(2);
  const { status, body } = await askForJson(
    `${url}/organisations/vat/check-vat-number/lookup/${encodeURIComponent(number)}`,
    { headers: { Accept: "application/vnd.hmrc.2.0+json", ...(token && { Authorization: `Bearer ${token}` }) } },
  );
  const { code, target } = answerSchema.parse(body);
  if (noNumber(status, code)) return "invalid";
  if (status === 200 && target?.vatNumber === number) return "valid";
  return noVerdict("HMRC", status, code);
}
