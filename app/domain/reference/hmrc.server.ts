import { z } from "zod";
import { type HmrcApplication, hmrcAccessToken } from "./hmrc-token.server";
import { askForJson, before, noVerdict, VAT_TIMEOUT, type VatCheck } from "./vat-answer.server";

/** How to access HMRC: as an application, or with a token that somebody else renews. */
export interface HmrcAccess {
  /** The base address of the API. */
  url: string;
  application?: HmrcApplication | undefined;
  token?: string | undefined;
}

const answerSchema = z.object({
  code: z.string().optional(),
  target: z.object({ vatNumber: z.string() }).optional(),
});

/** Returns whether HMRC says that there is no such number, or that none can look like this. A 404 of the gateway has another code. */
const noNumber = (status: number, code: string | undefined) =>
  (status === 404 && code === "NOT_FOUND") || (status === 400 && code === "INVALID_REQUEST");

/**
 * Looks up a number with HMRC's 'Check a UK VAT number' API, version 2. A token that HMRC no longer accepts is renewed once. Throws when
 * HMRC cannot be reached, takes longer than 5 seconds in all, issues no token, or does not answer with JSON.
 *
 * @param vat The number with its prefix GB.
 */
export async function askHmrc({ url, application, token }: HmrcAccess, vat: string): Promise<VatCheck> {
  const number = vat.slice(2);
  const signal = AbortSignal.timeout(VAT_TIMEOUT);
  const lookUp = (bearer: string | undefined) =>
    askForJson(`${url}/organisations/vat/check-vat-number/lookup/${encodeURIComponent(number)}`, {
      headers: { Accept: "application/vnd.hmrc.2.0+json", ...(bearer && { Authorization: `Bearer ${bearer}` }) },
      signal,
    });
  const renewed = (refused?: string) => application && before(signal, hmrcAccessToken(url, application, refused));

  const bearer = (await renewed()) ?? token;
  let answer = await lookUp(bearer);
  if (answer.status === 401 && application) answer = await lookUp(await renewed(bearer));
  const { code, target } = answerSchema.parse(answer.body);
  if (noNumber(answer.status, code)) return "invalid";
  if (answer.status === 200 && target?.vatNumber === number) return "valid";
  return noVerdict("HMRC", answer.status, code);
}
