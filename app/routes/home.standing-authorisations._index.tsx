import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { STANDING_COLUMNS } from "~/components/standing/standing-parts";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { listUnconfirmedStanding } from "~/domain/certificates/standing/standing-grants.service.server";
import { listAllStanding, type StandingView } from "~/domain/certificates/standing/views.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-queue");
  return json({ rows: await listAllStanding(), unconfirmed: await listUnconfirmedStanding() });
}

const FIRST: readonly Column<StandingView>[] = [
  {
    key: "number",
    label: "Number",
    rowHeader: true,
    cell: ({ id }) => <Link to={staffPaths.standingAuthorisation(id)}>{id}</Link>,
  },
  { key: "company", label: "Company", cell: ({ company }) => <bdi>{company}</bdi> },
];

/** The standing authorisations of all companies, those that wait first. */
export default function AllStandingAuthorisations() {
  const { rows, unconfirmed } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Standing authorisations" back={{ to: paths.certificateQueue, label: "Certificate queue" }}>
        <p>Orders within a standing authorisation are issued without a decision about each of them.</p>
      </PageHeader>
      {unconfirmed.length > 0 && (
        <Note tone="warn" title="Certificates wait for a confirmation to the signer.">
          {"Not confirmed to the signer: "}
          {unconfirmed.map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <Link to={staffPaths.standingAuthorisation(id)}>standing authorisation {id}</Link>
            </span>
          ))}
          .
        </Note>
      )}
      <DataTable
        caption="Standing authorisations of all companies"
        columns={[...FIRST, ...STANDING_COLUMNS]}
        rows={rows}
        rowKey={({ id }) => String(id)}
        empty="No standing authorisations"
      />
    </div>
  );
}

export const meta = pageTitle("Standing authorisations");
