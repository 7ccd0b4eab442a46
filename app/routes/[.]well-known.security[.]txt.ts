import { type LoaderFunctionArgs } from "@remix-run/node";
import { securityText } from "~/domain/repository/crawling.service.server";
import { cachedText } from "~/http/conditional.server";

export const loader = ({ request }: LoaderFunctionArgs) => cachedText(request, securityText(), "text/plain", 3600);
