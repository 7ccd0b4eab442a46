import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { lookUpPromotion } from "~/domain/orders/promotion.service.server";
import { requireUser } from "~/http/guard.server";

/** Answers the order step while a promotion code is typed. A code of the wrong length is not looked up. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  return json(await lookUpPromotion(user.id, new URL(request.url).searchParams.get("code") ?? ""));
}
