import { useActionData, useLoaderData } from "@remix-run/react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { CODE_SEARCH_FORM, CodeSearchForm } from "~/components/codes/code-search-form";
import { CodeSearchTable } from "~/components/codes/code-search-table";
import { ErrorSummary } from "~/components/forms/error-summary";
import { namedMessage } from "~/components/forms/field-label";
import { PortalForm } from "~/components/forms/form";
import { fieldId } from "~/components/forms/form-id";
import { Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { RowsForm } from "~/components/lists/rows-form";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { foundCodeValidator as validator } from "~/domain/codes/validators";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function SearchCodes() {
  const { countries, params, errors, results } = useLoaderData<typeof loader>();
  const summary = Object.entries(errors).map(([name, message]) =>
    name === "form"
      ? message
      : { message: namedMessage(LABELS[name] ?? name, message), href: `#${fieldId(CODE_SEARCH_FORM, name)}` },
  );
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={{ id: "" }} errors={summary} />
      <PageHeader title="Code search" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Search the register of identification codes by code, company, city or country, or by several of them.</p>
      </PageHeader>
      <CodeSearchForm params={params} errors={errors} countries={countries} keep={codeSearchList.order(params)} />
      {results && <Results />}
    </div>
  );
}

const LABELS: Record<string, string> = { code: "Code", company: "Company", city: "City", country: "Country" };

function Results() {
  const { params, results, published } = useLoaderData<typeof loader>();
  const refusal = useActionData<Partial<ValidationErrorResponseData>>();
  if (!results) return null;
  const { rows, total, hasMore, pages } = results;
  const refusedId = (refusal?.repopulateFields as { id?: unknown } | undefined)?.id;
  const chosen = typeof refusedId === "string" ? refusedId : params.selected;
  const kept = codeSearchList.query(params, { page: 1, size: 10, selected: null });
  return (
    <>
      {hasMore && (
        <Note title={`More than ${total} codes were found.`}>
          <p>Only {total} of them are listed. Enter more of the code, the company or the city to find the others.</p>
        </Note>
      )}
      <RowsForm size={params.size} keep={kept} />
      <PortalForm id={FORM} validator={validator} className="stack-l" defaultIntent="view">
        {rows.some(({ barriers }) => "view" in barriers) && (
          <p className="hint">Details are shown of your own codes.</p>
        )}
        <CodeSearchTable
          rows={rows}
          published={published}
          total={total}
          hasMore={hasMore}
          params={params}
          selected={chosen === null ? null : String(chosen)}
        />
        <Pagination
          page={params.page}
          pages={pages}
          href={(page) => codeSearchList.href(params, { page, selected: null })}
          label="Codes pages"
        />
        <RowActions
          formId={FORM}
          name="id"
          actions={[{ intent: "view", label: "View Details" }]}
          reasons={Object.fromEntries(rows.map(({ id, barriers }) => [String(id), barriers as Record<string, string>]))}
          back={{ to: paths.dashboard, label: "Back" }}
        />
      </PortalForm>
    </>
  );
}

export const meta = pageTitle("Code search");
