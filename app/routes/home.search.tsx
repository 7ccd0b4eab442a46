import { json, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { SearchAll } from "~/components/search/search-all";
import { SearchGroups } from "~/components/search/search-groups";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { searchEverything } from "~/domain/search/search.service.server";
import { requireUser } from "~/http/guard.server";
import styles from "~/styles/search.css";

export const links = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const search = await searchEverything(user, new URL(request.url).searchParams.get("q") ?? "");
  if (search?.error === null && search.exact !== null) throw redirect(search.exact, 303);
  return json({ search }, { status: search?.error ? 422 : 200 });
}

const FIELD = "search-all";

export default function SearchPage() {
  const { search } = useLoaderData<typeof loader>();
  const error = search?.error ?? null;
  return (
    <div className="stack-l">
      <ErrorSummary errors={error === null ? [] : [{ message: error, href: `#${FIELD}` }]} />
      <PageHeader title={titleOf(search)} />
      <SearchAll id={FIELD} text={search?.text ?? ""} error={error} />
      {search?.error === null && <SearchGroups text={search.text} leftOut={search.leftOut} groups={search.groups} />}
    </div>
  );
}

/** Returns the heading, with the number of results when there are any. */
function titleOf(search: ReturnType<typeof useLoaderData<typeof loader>>["search"]): React.ReactNode {
  if (search?.error !== null) return "Search";
  const total = search.groups.reduce((sum, group) => sum + group.total, 0);
  const more = search.groups.some(({ hasMore }) => hasMore) ? "More than " : "";
  const results = total === 0 ? "Nothing found" : `${more}${total} ${total === 1 ? "result" : "results"}`;
  return (
    <>
      {results} for “<bdi>{search.text}</bdi>”
    </>
  );
}

export const meta = pageTitle("Search");
