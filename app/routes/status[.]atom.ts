import { type LoaderFunctionArgs } from "@remix-run/node";
import { statusFeed } from "~/domain/status/feed.server";
import { sharedStatus } from "~/domain/status/status.service.server";
import { cachedText } from "~/http/conditional.server";

export const loader = async ({ request }: LoaderFunctionArgs) =>
  cachedText(request, statusFeed(await sharedStatus()), "application/atom+xml", 30);
