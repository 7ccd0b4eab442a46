import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { NOTE_COLUMNS } from "~/components/companies/company-notes";
import { DataTable } from "~/components/lists/data-table";
import { Pagination } from "~/components/lists/pagination";
import { rangeText } from "~/components/lists/table-range";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { companyNoteList } from "~/domain/companies/staff/company-list";
import { loadCompanyNotes } from "~/domain/companies/staff/company-notes.service.server";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireUser(request, "see-customers");
  const list = companyNoteList.read(new URL(request.url).searchParams);
  return json(await loadCompanyNotes(readId(params.id), list));
}

export default function CompanyNotes() {
  const { company, rows, total, pages, params } = useLoaderData<typeof loader>();
  const at = (change: Partial<typeof params>) => companyNoteList.addTo(paths.companyNotes(company.id), params, change);
  return (
    <div className="stack-l">
      <PageHeader
        title={
          <>
            Notes about <bdi>{company.name}</bdi>
          </>
        }
        back={{ to: paths.companyPage(company.id), label: "Back to the company" }}
      />
      <DataTable
        caption="Notes of staff"
        summary={total > 0 ? rangeText({ ...params, total }) : undefined}
        columns={NOTE_COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        sort={{ ...params.sort, href: (_, direction) => at({ sort: { key: "written", direction }, page: 1 }) }}
        empty="No notes"
      />
      <Pagination page={params.page} pages={pages} href={(page) => at({ page })} label="Notes pages" />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => (data ? `Notes about ${data.company.name}` : "Notes"));
