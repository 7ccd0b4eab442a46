import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { missingFactorText } from "~/domain/accounts/factors/factors.service.server";
import { isLinkOpen, unverifiedTexts } from "~/domain/accounts/verification.service.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const { id, emailVerified, factorDueAt, impersonator } = await requireUser(request);
  const unverified = emailVerified ? null : unverifiedTexts(await isLinkOpen(id));
  return json({ unverified, missingFactor: impersonator ? null : missingFactorText(factorDueAt) });
}
