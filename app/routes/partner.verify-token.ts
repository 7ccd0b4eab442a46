import { json, type ActionFunctionArgs } from "@remix-run/node";
import { redeemPartnerToken } from "~/domain/frame/partner-login.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { bringsSecret, plainAnswer, secretMissing } from "~/http/bearer.server";
import { readBody } from "~/http/forms.server";
import { addressOf } from "~/http/rate-limit.server";
import { getEnv } from "~/lib/env.server";

const LONGEST_BODY = 4096;

/** Tells the partner service to whom the token of a remote login belongs. The token can be used only once (docs/configuration.md). */
export async function action({ request }: ActionFunctionArgs) {
  const { partnerSecret } = getEnv();
  if (!partnerSecret) return plainAnswer(404, "Tokens cannot be verified: PARTNER_SECRET is not set.");
  if (!bringsSecret(request, partnerSecret)) {
    await consumeTry("partner-address", addressOf(request));
    return secretMissing(request, "The secret is missing or wrong.");
  }
  const token = new URLSearchParams((await readBody(request, LONGEST_BODY)).toString()).get("token");
  const login = token ? await redeemPartnerToken(token) : null;
  const headers = { "Cache-Control": "no-store" };
  return login ? json({ success: true, ...login }, { headers }) : json({ success: false }, { status: 400, headers });
}

export const loader = () => plainAnswer(405, "Send the token with POST.", { Allow: "POST" });
