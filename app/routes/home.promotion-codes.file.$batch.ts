import { type LoaderFunctionArgs } from "@remix-run/node";
import { findPromotionCodeFile } from "~/domain/orders/promotion-codes/promotion-code-file.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { notFound } from "~/lib/errors";

/** Returns the promotion codes of one batch as a CSV file. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-promotion-codes");
  await requireStepUp(request, user, "file");
  const file = await findPromotionCodeFile(params.batch ?? "");
  if (!file) throw notFound();
  return fileResponse(file);
}
