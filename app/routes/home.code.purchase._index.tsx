import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "place-orders");
  return redirect(paths.codePurchase("contact-details"));
}
