import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FindingStateFilter, FindingTable } from "~/components/certificate-audit/finding-table";
import { Pagination } from "~/components/lists/pagination";
import { RowsForm } from "~/components/lists/rows-form";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { findingList } from "~/domain/certificate-audit/list";
import { loadFindings } from "~/domain/certificate-audit/list.service.server";
import { requireUser } from "~/http/guard.server";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-audit-findings");
  return json(await loadFindings(user, findingList.read(new URL(request.url).searchParams)));
}

export default function CertificateAudit() {
  const { rows, total, pages, params, state, maySeeCertificates, maySeeJobs } = useLoaderData<typeof loader>();
  const { last, running } = state;
  return (
    <div className="stack-l">
      <PageHeader
        title="Certificate audit"
        back={
          maySeeJobs
            ? { to: staffPaths.jobs, label: "Back to the jobs" }
            : { to: staffPaths.overview, label: "Back to the overview" }
        }
      >
        <p>
          Every night the portal reads every certificate in force, every CRL, every OCSP responder and every CA again,
          and compares them with the database and with today&apos;s rules. A finding ends by itself when the next audit
          no longer sees it.
        </p>
        <p>
          {last === null ? (
            "No audit has finished yet."
          ) : (
            <>
              The last audit, of <Time value={last.at} withTime />, read {last.checked} certificates.
            </>
          )}
          {running !== null && (
            <>
              {" "}
              An audit has been running since <Time value={running.since} withTime /> and has read {running.checked}{" "}
              certificates.
            </>
          )}
        </p>
      </PageHeader>
      <div className="row">
        <FindingStateFilter params={params} />
        <RowsForm size={params.size} keep={findingList.query(params, { page: 1, size: 10 })} />
      </div>
      <FindingTable rows={rows} total={total} params={params} maySeeCertificates={maySeeCertificates} />
      <Pagination
        page={params.page}
        pages={pages}
        href={(page) => findingList.href(params, { page })}
        label="Finding pages"
      />
    </div>
  );
}

export const meta = pageTitle("Certificate audit");
