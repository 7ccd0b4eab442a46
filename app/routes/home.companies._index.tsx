import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CompaniesTable } from "~/components/companies/companies-table";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { listCompaniesForStaff } from "~/domain/companies/staff/companies-list.service.server";
import { companyList } from "~/domain/companies/staff/company-list";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-companies");
  return json(await listCompaniesForStaff(companyList.read(new URL(request.url).searchParams)));
}

export default function Companies() {
  const { rows, total, hasMore, pages, params } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Companies" back={{ to: paths.dashboard, label: "Back" }}>
        <p>
          All customers of the portal, without companies that only staff use. Companies without details, certificates,
          codes and orders, and those that were merged into another one, are listed only when you search for them.
          Follow a name to see the members of a company and what it owns.
        </p>
      </PageHeader>
      <ListToolbar
        search={params.search}
        searchHint="Name, number, registration, tax or VAT number"
        size={params.size}
        keep={companyList.query(params, { page: 1, size: 10, search: "" })}
      />
      <CompaniesTable rows={rows} total={total} hasMore={hasMore} params={params} />
      <Pagination
        page={params.page}
        pages={pages}
        hasMore={hasMore}
        href={(page) => companyList.href(params, { page })}
        label="Companies pages"
      />
    </div>
  );
}

export const meta = pageTitle("Companies");
