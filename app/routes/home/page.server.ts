import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { missingFactorText } from "~/domain/accounts/factors/factors.service.server";
import { isLinkOpen, unverifiedTexts } from "~/domain/accounts/verification.service.server";
import { requireUserFor } from "~/http/guard.server";

/** The pages themselves require the details of the company, except those about the user's own data. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { id, emailVerified, factorDueAt, impersonator } = await requireUserFor(request, "missingDetails");
  const unverified = emailVerified ? null : unverifiedTexts(await isLinkOpen(id));
  return json({ unverified, missingFactor: impersonator ? null : missingFactorText(factorDueAt) });
}
