import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { TRAIL_FORM, TrailForm, trailSummary } from "~/components/audit/trail-form";
import { TrailNotes } from "~/components/audit/trail-notes";
import { TrailState } from "~/components/audit/trail-state";
import { TrailTable } from "~/components/audit/trail-table";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { NoRecords } from "~/components/lists/no-records";
import { Pagination } from "~/components/lists/pagination";
import { RowsForm } from "~/components/lists/rows-form";
import { pageTitle } from "~/components/shell/page-title";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { may } from "~/domain/accounts/rights.policy";
import { TRAIL_FIELDS, trailList } from "~/domain/audit/trail-list";
import { loadTrail } from "~/domain/audit/trail.service.server";
import { companyReference } from "~/domain/companies/company-reference";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { requireUser } from "~/http/guard.server";
import { evidencePaths } from "~/lib/evidence-paths";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-audit-trail");
  const trail = await loadTrail(trailList.read(new URL(request.url).searchParams));
  const shownCompany = await findShownCompany(user, trail.params.companyId);
  const company = shownCompany && companyReference(shownCompany.id);
  const packs = may(user, "see-evidence") ? evidencePaths.page(company ? { company } : {}) : null;
  return json({ ...trail, shownCompany, packs }, { status: Object.keys(trail.errors).length > 0 ? 422 : 200 });
}

export default function AuditTrail() {
  const { rows, total, hasMore, cut, pages, params, errors, shownCompany, verified, events, packs } =
    useLoaderData<typeof loader>();
  const unsearched = { size: params.size, sort: params.sort, companyId: params.companyId };
  const kept = trailList.query(unsearched);
  const typed = TRAIL_FIELDS.map((name) => params[name]).filter(Boolean);
  return (
    <div className="stack-l">
      <ErrorSummary formId={TRAIL_FORM} errors={trailSummary(errors)} />
      <PageHeader
        title="Audit trail"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={
          packs && (
            <Link className="btn" to={packs}>
              Evidence packs
            </Link>
          )
        }
      >
        <p>Every change of accounts, rights, orders, certificates, codes and settings, with who made it.</p>
      </PageHeader>
      <TrailState verified={verified} />
      {shownCompany && <ShownCompanyNote company={shownCompany} all={trailList.href(params, ALL_COMPANIES)} />}
      <TrailForm params={params} errors={errors} events={events} keep={kept} />
      <TrailNotes
        total={total}
        hasMore={hasMore}
        cut={cut}
        isLatestFirst={params.sort.direction === "desc"}
        at={(period) => trailList.href({ ...params, ...period })}
      />
      <div className="row">
        <RowsForm size={params.size} keep={trailList.query(params, { page: 1, size: 10 })} />
        {total > 0 && (
          <DownloadLink className="btn" href={trailList.addTo(staffPaths.auditTrailFile, params, { page: 1 })}>
            Export to CSV
          </DownloadLink>
        )}
      </div>
      <TrailTable
        rows={rows}
        total={total}
        params={params}
        empty={<NoRecords search={typed} all={typed.length > 0 ? trailList.href(unsearched) : null} />}
        at={(change) => trailList.href(params, change)}
      />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => trailList.href(params, { page })}
        label="Audit trail pages"
      />
    </div>
  );
}

export const meta = pageTitle("Audit trail");
