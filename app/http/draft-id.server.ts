import { redirect } from "@remix-run/node";
import { type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { redirectWithToast } from "./flash.server";

/** The draft's id in the address of a page; null when there is none or it is no id. */
export function draftIdOf(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("draft") ?? "";
  return /^[\w-]{22}$/.test(id) ? id : null;
}

const ENDED =
  "There is no such open order. An order that is not completed is kept for 7 days after its last change. Please begin again.";

/**
 * Redirects to where a wizard begins, and says why when the address names a draft that this user does not have (any more). `begin` returns
 * that address; `isNew` asks it to start a draft.
 */
export async function toStart(
  request: Request,
  step: PurchaseStep,
  begin: (isNew: boolean) => Promise<string>,
): Promise<Response> {
  const isEnded = draftIdOf(request) !== null;
  const url = await begin(isEnded || step === "contact-details");
  return isEnded ? redirectWithToast(request, url, { kind: "warn", text: ENDED }) : redirect(url);
}
