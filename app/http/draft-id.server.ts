import { redirect } from "@remix-run/node";
import { type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { redirectWithToast } from "./flash.server";

/** Returns the id of the draft in the page's address, or null when there is none or it is not a valid id. */
export function draftIdOf(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("draft") ?? "";
  return /^[\w-]{22}$/.test(id) ? id : null;
}

/** Returns whether the address says that its order is resumed (`rarePaths.resumedOrder`). */
export const isResumed = (request: Request): boolean => new URL(request.url).searchParams.has("resumed");

const ENDED =
  "There is no such open order. An order that is not completed is kept for 7 days after its last change. Please begin again.";

/**
 * Redirects to the start of a wizard. The page says why when the address names a draft that this user does not have or no longer has.
 * `begin` returns the address of the start; with `isNew` it starts a new draft.
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
