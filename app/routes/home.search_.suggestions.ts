import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { suggestResults } from "~/domain/search/search.service.server";
import { requireUser } from "~/http/guard.server";

/** Returns the first results of a search, for the list below the field in the header. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return json({ suggestions: await suggestResults(user, new URL(request.url).searchParams.get("q") ?? "") });
}
