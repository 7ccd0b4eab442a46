import { type LoaderFunctionArgs } from "@remix-run/node";
import { sitemap } from "~/domain/repository/crawling.service.server";
import { cachedText } from "~/http/conditional.server";

export const loader = async ({ request }: LoaderFunctionArgs) =>
  cachedText(request, await sitemap(), "application/xml", 600);
