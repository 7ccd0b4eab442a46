import { type LoaderFunctionArgs } from "@remix-run/node";
import { sharedStatus } from "~/domain/status/status.service.server";
import { cachedText } from "~/http/conditional.server";

export const loader = async ({ request }: LoaderFunctionArgs) =>
  cachedText(request, `${JSON.stringify(await sharedStatus())}\n`, "application/json", 30);
