import { z } from "zod";
import { type HmrcApplication, hmrcAccessToken } from "./hmrc-token.server";
import { askForJson, noVerdict, VAT_TIMEOUT, type VatCheck } from "./vat-answer.server";

/** Where HMRC is asked, and as whom: as an application, or with a token that somebody else renews. */
export interface HmrcAccess {
  /** The API's base. */
  url: string;
  application?: HmrcApplication | undefined;
  token?: string | undefined;
}

const answerSchema = z.object({
  code: z.string().optional(),
  target: z.object({ vatNumber: z.string() }).optional(),
});

/** HMRC's way to say that it knows no such number, or that none can look like this; a 404 of the gateway has another code. */
const noNumber = (status: number, code: string | undefined) =>
  (status === 404 && code === "NOT_FOUND") || (status === 400 && code === "INVALID_REQUEST");

/** What the work comes to, unless the signal is quicker: the token may be one that another request waits for longer. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    work.then(resolve, reject);
  });

/**
 * Asks HMRC's 'Check a UK VAT number' API, version 2. In: the number with its GB. A token that HMRC accepts no more is renewed once.
 * Throws when HMRC is not reached, takes longer than 5 s in all, gives no token, or answers no JSON.
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
