import { Link, useActionData, useLoaderData, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { fieldId } from "~/components/forms/form-id";
import { useChosenRows } from "~/components/lists/chosen-rows";
import { KeepingLink } from "~/components/lists/keeping-link";
import { Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { RowsChoice } from "~/components/lists/rows-choice";
import { SALES_ORDER_SEARCH, SalesOrderSearch } from "~/components/orders/sales-order-search";
import { SalesOrderTable } from "~/components/orders/sales-order-table";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { salesOrderList, type SalesOrderListParams } from "~/domain/orders/list/sales-order-list";
import { FILTER_LABELS, LIST_TEXTS, MOST_CHOSEN } from "~/domain/orders/list/texts";
import { chosenIds, PAGE_SIZES } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { type action, type loader } from "./page.server";

export { action, loader } from "./page.server";

const FORM = "sales-orders";
const TABLE = "sales-orders-table";

export default function SalesOrders() {
  const { countries, params, errors, shownCompany, legacyPage, results } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const { size, sort, companyId, invoiced, overpaid } = params;
  const kept = salesOrderList.query({ size, sort, companyId, invoiced, overpaid });
  const problems = Object.entries(errors).map(([name, message]) => ({
    message: `${FILTER_LABELS[name as keyof typeof errors]}: ${message}`,
    href: `#${fieldId(SALES_ORDER_SEARCH, name)}`,
  }));
  if (refusal) problems.unshift({ message: refusal.problem, href: `#${TABLE}` });
  return (
    <div className="stack-l">
      <ErrorSummary errors={problems} />
      <PageHeader
        title="Sales Orders"
        back={{ to: paths.dashboard, label: "Back" }}
        actions={legacyPage && <LinkButton to={legacyPage}>Former Sales Orders Page</LinkButton>}
      >
        <p>Orders of codes and certificates. A company is found by the beginnings of its words.</p>
      </PageHeader>
      {shownCompany && (
        <ShownCompanyNote
          company={shownCompany}
          all={salesOrderList.href(params, { ...ALL_COMPANIES, selected: [] })}
        />
      )}
      {invoiced !== null && (
        <p>
          Only those with an invoice or credit note of {invoiced.slice(5)}/{invoiced.slice(0, 4)}.{" "}
          <Link to={salesOrderList.href(params, { invoiced: null, page: 1, selected: [] })}>Show all months</Link>
        </p>
      )}
      {overpaid !== null && (
        <p>
          Only those on which more was paid than they cost.{" "}
          <Link to={salesOrderList.href(params, { overpaid: null, page: 1, selected: [] })}>Show all payments</Link>
        </p>
      )}
      <SalesOrderSearch params={params} errors={errors} countries={countries} keep={kept} />
      {results && <Results {...results} />}
    </div>
  );
}

/** Returns the parameters with the currently ticked orders. The address has them too, for a reload and the browser's Back. */
function useTicked(params: SalesOrderListParams): SalesOrderListParams {
  const ids = useChosenRows(FORM, "id");
  const here = ids === null ? params : { ...params, selected: chosenIds(ids) };
  const address = salesOrderList.href(here);
  useEffect(() => {
    const known = salesOrderList.href(salesOrderList.read(new URLSearchParams(window.location.search)));
    if (ids !== null && address !== known) window.history.replaceState(window.history.state, "", address);
  });
  return here;
}

type Found = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["results"]>;

function Results({ rows, total, hasMore, pages }: Found) {
  const { params } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const navigate = useNavigate();
  const selected = refusal?.chosen ?? params.selected;
  const here = useTicked({ ...params, selected });
  const shown = new Set(rows.map(({ id }) => id));
  const resize = (form: HTMLFormElement | null) => {
    const wanted = form && new FormData(form).get("size");
    const size = PAGE_SIZES.find((rows) => String(rows) === wanted);
    if (size) navigate(salesOrderList.href(here, { page: 1, size }), { replace: true, preventScrollReset: true });
  };
  return (
    // The browser itself submits this form, also with scripts, because the answer can be a file.
    <form method="post" id={FORM} className="stack-l">
      <button type="submit" name="intent" value="view" className="vh" tabIndex={-1} aria-hidden="true" />
      <CsrfField />
      {selected.map((id) => !shown.has(id) && <input key={id} type="hidden" name="id" value={id} />)}
      <div className="toolbar">
        <Ticked params={here} />
        <RowsChoice size={params.size} intent="resize" onChange={resize} />
      </div>
      <SalesOrderTable id={TABLE} rows={rows} total={total} hasMore={hasMore} selected={selected} params={here} />
      <Pagination
        page={params.page}
        pages={pages}
        hasMore={hasMore}
        href={(page) => salesOrderList.href(here, { page })}
        label="Sales orders pages"
        link={KeepingLink}
      />
      <RowActions
        formId={FORM}
        name="id"
        actions={[
          { intent: "view", label: "View Details", needs: "one" },
          { intent: "export", label: "Export" },
          { intent: "export-all", label: "Export all that match", needs: "none" },
        ]}
        back={{ to: paths.dashboard, label: "Back" }}
      />
    </form>
  );
}

/** The number of ticked orders on all pages. */
function Ticked({ params }: { params: SalesOrderListParams }) {
  const count = params.selected.length;
  return (
    <div>
      <span role="status">
        {count} selected{count > MOST_CHOSEN && `. ${LIST_TEXTS.tooMany}`}
      </span>
      {count > 0 && (
        <Link to={salesOrderList.href(params, { selected: [] })} reloadDocument>
          Clear selection
        </Link>
      )}
    </div>
  );
}

export const meta = pageTitle("Sales Orders");
