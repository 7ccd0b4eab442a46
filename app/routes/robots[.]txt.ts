import { type LoaderFunctionArgs } from "@remix-run/node";
import { robots } from "~/domain/repository/crawling.service.server";
import { cachedText } from "~/http/conditional.server";

export const loader = ({ request }: LoaderFunctionArgs) => cachedText(request, robots(), "text/plain", 3600);
