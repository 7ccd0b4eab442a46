import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { TRAIL_FORM, TRAIL_LABELS, TrailForm } from "~/components/audit/trail-form";
import { TrailState } from "~/components/audit/trail-state";
import { TrailTable } from "~/components/audit/trail-table";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { namedMessage } from "~/components/forms/field-label";
import { fieldId } from "~/components/forms/form-id";
import { Pagination } from "~/components/lists/pagination";
import { RowsForm } from "~/components/lists/rows-form";
import { pageTitle } from "~/components/shell/page-title";
import { DownloadLink } from "~/components/ui/download-link";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { trailList } from "~/domain/audit/trail-list";
import { loadTrail } from "~/domain/audit/trail.service.server";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-audit-trail");
  const trail = await loadTrail(trailList.read(new URL(request.url).searchParams));
  const shownCompany = await findShownCompany(user, trail.params.companyId);
  return json({ ...trail, shownCompany }, { status: Object.keys(trail.errors).length > 0 ? 422 : 200 });
}

export default function AuditTrail() {
  const { rows, total, hasMore, cut, pages, params, errors, shownCompany, verified, events } =
    useLoaderData<typeof loader>();
  const kept = trailList.query({ size: params.size, sort: params.sort, companyId: params.companyId });
  const summary = (["person", "from", "to"] as const).flatMap((name) => {
    const message = errors[name];
    return message
      ? [{ message: namedMessage(TRAIL_LABELS[name], message), href: `#${fieldId(TRAIL_FORM, name)}` }]
      : [];
  });
  const isLatestFirst = params.sort.direction === "desc";
  return (
    <div className="stack-l">
      <ErrorSummary formId={TRAIL_FORM} errors={summary} />
      <PageHeader title="Audit Trail" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Every change of accounts, rights, orders, certificates, codes and settings, with who made it.</p>
      </PageHeader>
      <TrailState verified={verified} />
      {shownCompany && <ShownCompanyNote company={shownCompany} all={trailList.href(params, ALL_COMPANIES)} />}
      <TrailForm params={params} errors={errors} events={events} keep={kept} />
      {hasMore && (
        <Note title={`More than ${total} entries were found.`}>
          <p>Only {total} of them are listed. Narrow the search or shorten the period to find the others.</p>
        </Note>
      )}
      {cut && (
        <Note title="Not every entry was searched.">
          <p>
            Only the {isLatestFirst ? "latest" : "oldest"} {cut.searched.toLocaleString("en-GB")} entries of this period
            were searched.{" "}
            {cut.others ? (
              <Link to={trailList.href({ ...params, ...cut.others })}>
                Search the {isLatestFirst ? "earlier" : "later"} ones
              </Link>
            ) : (
              "The others are of the same day: search for something else as well."
            )}
          </p>
        </Note>
      )}
      <div className="row">
        <RowsForm size={params.size} keep={trailList.query(params, { page: 1, size: 10 })} />
        {total > 0 && (
          <DownloadLink className="btn" href={trailList.addTo(staffPaths.auditTrailFile, params, { page: 1 })}>
            Export to CSV
          </DownloadLink>
        )}
      </div>
      <TrailTable rows={rows} total={total} params={params} />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => trailList.href(params, { page })}
        label="Audit trail pages"
      />
    </div>
  );
}

export const meta = pageTitle("Audit Trail");
