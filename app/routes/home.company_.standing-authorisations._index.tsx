import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { DataTable } from "~/components/lists/data-table";
import { type Column } from "~/components/lists/table-columns";
import { pageTitle } from "~/components/shell/page-title";
import { STANDING_COLUMNS } from "~/components/standing/standing-parts";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { listOwnStanding, type StandingView } from "~/domain/certificates/standing/views.service.server";
import { mayAsMember, roleNamesFor } from "~/domain/companies/roles.policy";
import { requireUser } from "~/http/guard.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const mayAsk = mayAsMember(user, "manage-company") && user.impersonator === null;
  return json({ company: user.company, rows: await listOwnStanding(user), mayAsk });
}

const NUMBER: Column<StandingView> = {
  key: "number",
  label: "Number",
  rowHeader: true,
  cell: ({ id }) => <Link to={accountPaths.standingAuthorisation(id)}>{id}</Link>,
};

/** The standing authorisations of the company in which the user works. */
export default function StandingAuthorisations() {
  const { company, rows, mayAsk } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader
        title="Standing authorisations"
        back={{ to: paths.company, label: "Your company" }}
        actions={mayAsk && <LinkButton to={accountPaths.newStandingAuthorisation}>Ask for one</LinkButton>}
      >
        <p>
          Certificates that are ordered within a standing authorisation are issued without a check by our staff. Each
          has its order, invoice and messages like any other.
        </p>
      </PageHeader>
      <DataTable
        caption={`Standing authorisations of ${company}`}
        columns={[NUMBER, ...STANDING_COLUMNS]}
        rows={rows}
        rowKey={({ id }) => String(id)}
        empty="No standing authorisations"
      />
      {!mayAsk && (
        <p className="hint">Members with the role {roleNamesFor("manage-company")} ask for them and end them.</p>
      )}
    </div>
  );
}

export const meta = pageTitle("Standing authorisations");
