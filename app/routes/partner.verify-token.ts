import { createHash, timingSafeEqual } from "node:crypto";
import { json, type ActionFunctionArgs } from "@remix-run/node";
import { redeemPartnerToken } from "~/domain/frame/partner-login.service.server";
import { readBody } from "~/http/forms.server";
import { addressOf, countTry } from "~/http/rate-limit.server";
import { getEnv } from "~/lib/env.server";

const LONGEST_BODY = 4096;

const plain = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });

const digest = (text: string) => createHash("sha256").update(text).digest();

const bringsSecret = (request: Request, secret: string) =>
  timingSafeEqual(digest(request.headers.get("Authorization") ?? ""), digest(`Bearer ${secret}`));

/** The partner service asks who a remote login's token belongs to; it is used up by that (docs/configuration.md). */
export async function action({ request }: ActionFunctionArgs) {
  const { partnerSecret } = getEnv();
  if (!partnerSecret) return plain(404, "Tokens cannot be verified: PARTNER_SECRET is not set.");
  if (!bringsSecret(request, partnerSecret)) {
    await countTry("partner-address", addressOf(request));
    return plain(401, "The secret is missing or wrong.", { "WWW-Authenticate": "Bearer" });
  }
  const token = new URLSearchParams((await readBody(request, LONGEST_BODY)).toString()).get("token");
  const login = token ? await redeemPartnerToken(token) : null;
  const headers = { "Cache-Control": "no-store" };
  return login ? json({ success: true, ...login }, { headers }) : json({ success: false }, { status: 400, headers });
}

export const loader = () => plain(405, "Send the token with POST.", { Allow: "POST" });
