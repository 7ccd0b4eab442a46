import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { AvailableCodeTable } from "~/components/codes/available-table";
import { CodeOrderTable } from "~/components/codes/order-table";
import { RegisteredCodes } from "~/components/codes/registered-codes";
import { ElsewhereNote } from "~/components/companies/elsewhere-note";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FilterLinks } from "~/components/lists/filter-links";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { codeList, type CodeListParams } from "~/domain/codes/list/code-list";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function Codes() {
  const { codes, orders, available, params, elsewhere, shownCompany, seesAllCodes, seesAllOrders, mayOrder } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<Partial<ValidationErrorResponseData>>();
  const refusedId = (refusal?.repopulateFields as { id?: unknown } | undefined)?.id;
  const chosen = typeof refusedId === "string" ? refusedId : params.selected;
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={{ id: "" }} />
      <PageHeader
        title="Entity Registration"
        actions={
          mayOrder && (
            <LinkButton to={paths.codePurchase("contact-details")} variant="primary">
              Purchase New ID Code
            </LinkButton>
          )
        }
      >
        <p>
          A Full code allows up to 1000 sub-entities, a Basic code up to 100. Codes with prefix X are for OFTP use only.
        </p>
      </PageHeader>
      {shownCompany && <ShownCompanyNote company={shownCompany} all={codeList.href(params, ALL_COMPANIES)} />}
      {elsewhere && <ElsewhereNote {...elsewhere} />}
      <Sections params={params} />
      {orders && orders.rows.length > 0 && <CodeOrderTable {...orders} forStaff={seesAllOrders} />}
      {orders && orders.total > orders.rows.length && (
        <p>
          <Link
            to={
              seesAllOrders
                ? salesOrderList.href({ companyId: params.companyId })
                : codeList.href(params, { show: "orders", selected: null })
            }
          >
            All {orders.hasMore ? "" : `${orders.total} `}orders
          </Link>
        </p>
      )}
      {available && available.length > 0 && (
        <AvailableCodeTable
          rows={available}
          registerPath={mayOrder ? (type) => paths.codeDetails({ type, from: codeList.href(params) }) : undefined}
        />
      )}
      {params.show === "orders" && orders?.rows.length === 0 && available?.length === 0 && <p>No records found</p>}
      {codes ? (
        <RegisteredCodes
          formId={FORM}
          {...codes}
          params={params}
          selected={chosen === null ? null : String(chosen)}
          forStaff={seesAllCodes}
          withSubEntities={mayOrder}
        />
      ) : (
        <p>
          <LinkButton to={paths.dashboard} variant="quiet">
            Back
          </LinkButton>
        </p>
      )}
    </div>
  );
}

/** Links to the page's two sections (COD-01). */
function Sections({ params }: { params: CodeListParams }) {
  const choice = (label: string, show: CodeListParams["show"]) => ({
    label,
    to: codeList.href(params, { show, selected: null }),
    isCurrent: params.show === show,
  });
  return (
    <FilterLinks
      label="Sections"
      caption="Show:"
      choices={[choice("Everything", null), choice("Orders", "orders"), choice("Registered codes", "codes")]}
    />
  );
}

export const meta = pageTitle("Entity Registration");
