import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { TRAIL_FORM, TrailForm, trailSummary } from "~/components/audit/trail-form";
import { TrailNotes } from "~/components/audit/trail-notes";
import { TrailTable } from "~/components/audit/trail-table";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FilterLinks } from "~/components/lists/filter-links";
import { NoRecords } from "~/components/lists/no-records";
import { Pagination } from "~/components/lists/pagination";
import { RowsForm } from "~/components/lists/rows-form";
import { pageTitle } from "~/components/shell/page-title";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { USER_TRAIL_FIELDS, USER_TRAIL_PARTS, userTrailList } from "~/domain/audit/trail-list";
import { loadUserTrail } from "~/domain/audit/trail.service.server";
import { requireUser } from "~/http/guard.server";
import { accountPaths } from "~/lib/account-paths";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireUser(request, "see-users");
  const wanted = userTrailList.read(new URL(request.url).searchParams);
  const trail = await loadUserTrail(readId(params.id), wanted, viewer);
  return json(trail, { status: Object.keys(trail.errors).length > 0 ? 422 : 200 });
}

const PARTS = { about: "about the account", by: "by the person" };

export default function UserTrail() {
  const { user, rows, total, hasMore, cut, pages, params, errors, events, links } = useLoaderData<typeof loader>();
  const path = accountPaths.userTrail(user.id);
  const at = (change: Partial<typeof params>) => userTrailList.addTo(path, params, change);
  const unsearched = { size: params.size, sort: params.sort, part: params.part };
  const typed = USER_TRAIL_FIELDS.map((name) => params[name]).filter(Boolean);
  const parts = [...USER_TRAIL_PARTS, null].map((part) => ({
    label: part === null ? "all" : PARTS[part],
    to: at({ part, page: 1 }),
    isCurrent: params.part === part,
  }));
  return (
    <div className="stack-l">
      <ErrorSummary formId={TRAIL_FORM} errors={trailSummary(errors)} />
      <PageHeader
        title={
          <>
            Audit trail of <bdi>{user.name}</bdi>
          </>
        }
        back={{ to: paths.user(user.id), label: "Back to the account" }}
      >
        <p>Every change of the account, and every change that its person made.</p>
      </PageHeader>
      <FilterLinks label="Entries about the account or by its person" caption="Entries:" choices={parts} />
      <TrailForm
        fields={USER_TRAIL_FIELDS}
        params={params}
        errors={errors}
        events={events}
        keep={userTrailList.query(unsearched)}
      />
      <TrailNotes
        total={total}
        hasMore={hasMore}
        cut={cut}
        isLatestFirst={params.sort.direction === "desc"}
        at={(period) => at({ ...period, page: 1 })}
      />
      <div className="row">
        <RowsForm size={params.size} keep={userTrailList.query(params, { page: 1, size: 10 })} />
        {total > 0 && (
          <DownloadLink
            className="btn"
            href={userTrailList.addTo(accountPaths.userTrailFile(user.id), params, { page: 1 })}
          >
            Export to CSV
          </DownloadLink>
        )}
      </div>
      <TrailTable
        rows={rows}
        total={total}
        params={params}
        empty={<NoRecords search={typed} all={typed.length > 0 ? userTrailList.addTo(path, unsearched) : null} />}
        at={at}
        links={links}
      />
      <Pagination page={params.page} pages={pages} href={(page) => at({ page })} label="Audit trail pages" />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Audit trail of ${data.user.name}` : "Audit trail of an account",
);
