import { codeList, type CodeListParams } from "~/domain/codes/list/code-list";
import { type CodeListItem } from "~/domain/codes/list/service.server";
import { codeChoiceValidator } from "~/domain/codes/validators";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { PortalForm } from "../forms/form";
import { fieldId } from "../forms/form-id";
import { ListToolbar } from "../lists/list-toolbar";
import { Pagination } from "../lists/pagination";
import { RowActions } from "../lists/row-actions";
import { DownloadLink } from "../ui/download-link";
import { CodesTable } from "./code-table";

interface Props {
  formId: string;
  rows: readonly CodeListItem[];
  total: number;
  hasMore: boolean;
  pages: number;
  params: CodeListParams;
  selected: string | null;
  /** Shows the codes of all customers, for administrators. */
  forStaff: boolean;
  /** Shows who registered. */
  withPeople: boolean;
  /** Shows the actions for sub-entities, which applicants register. */
  withSubEntities: boolean;
}

/** The search, the registered codes, and the actions for the chosen one (COD-01). */
export function RegisteredCodes({ formId, rows, pages, params, withSubEntities, ...table }: Props) {
  const kept = codeList.query(params, { page: 1, size: 10, search: "", selected: null });
  return (
    <>
      <ListToolbar search={params.search} size={params.size} keep={kept} />
      <PortalForm id={formId} validator={codeChoiceValidator} className="stack-l" defaultIntent="view">
        <CodesTable id={fieldId(formId, "id")} rows={rows} params={params} {...table} />
        <Pagination
          page={params.page}
          pages={pages}
          hasMore={table.hasMore}
          href={(page) => codeList.href(params, { page, selected: null })}
          label="Codes pages"
        />
        {rows.length > 0 && (
          <p className="no-print">
            <DownloadLink
              href={codeList.addTo(rarePaths.codesFile, params, { page: 1, size: 10, show: null, selected: null })}
            >
              List as a CSV file
            </DownloadLink>
          </p>
        )}
        <RowActions
          formId={formId}
          name="id"
          actions={[
            { intent: "view", label: "View Details" },
            ...(withSubEntities ? [{ intent: "sub-entity", label: "Register Sub-Entity" }] : []),
          ]}
          reasons={Object.fromEntries(rows.map((row) => [String(row.id), row.barriers as Record<string, string>]))}
          back={{ to: paths.dashboard, label: "Back" }}
        />
      </PortalForm>
    </>
  );
}
