import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSubmit } from "@remix-run/react";
import { LinkButton } from "~/components/buttons";
import { CsrfField } from "~/components/csrf-field";
import { ErrorSummary } from "~/components/error-summary";
import { SalesOrderSearch, filterId } from "~/components/orders/sales-order-search";
import { SalesOrderTable } from "~/components/orders/sales-order-table";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { Pagination } from "~/components/pagination";
import { RowActions } from "~/components/row-actions";
import { RowsChoice } from "~/components/rows-choice";
import { readSalesOrderList, salesOrderList, salesOrderPlace } from "~/domain/orders/list/params";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { FILTER_LABELS } from "~/domain/orders/list/texts";
import { chooseSalesOrders } from "~/http/sales-order-choice.server";
import { legacySalesOrders } from "~/domain/frame/legacy-pages.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

const FORM = "sales-orders";
const TABLE = "sales-orders-table";

const placeIn = (request: Request) => readSalesOrderList(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  const found = await findSalesOrders(placeIn(request));
  const status = Object.keys(found.errors).length > 0 ? 422 : 200;
  return json({ ...found, legacyPage: legacySalesOrders() }, { status });
}

export async function action({ request }: ActionFunctionArgs) {
  await requireUser(request, "Admin");
  const choice = await chooseSalesOrders(await readForm(request), placeIn(request));
  return "problem" in choice ? json(choice, { status: 422 }) : redirect(choice.to, 303);
}

export default function SaleOrders() {
  const { countries, params, errors, legacyPage } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const problems = Object.entries(errors).map(([name, message]) => ({
    message: `${FILTER_LABELS[name as keyof typeof errors]}: ${message}`,
    href: `#${filterId(name as keyof typeof errors)}`,
  }));
  if (refusal) problems.unshift({ message: refusal.problem, href: `#${TABLE}` });
  const kept = salesOrderPlace({ ...params, page: 1, selected: null });
  const order = [...kept].filter(([name]) => name === "size" || name === "sort");
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
      <SalesOrderSearch params={params} errors={errors} countries={countries} keep={Object.fromEntries(order)} />
      <Results />
    </div>
  );
}

function Results() {
  const { params, results } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const submit = useSubmit();
  if (!results) return null;
  const { rows, total, hasMore, pages } = results;
  const selected = refusal?.chosen.map(String) ?? (params.selected === null ? [] : [String(params.selected)]);
  return (
    <>
      <Form method="get" className="toolbar" preventScrollReset>
        {[...salesOrderPlace({ ...params, page: 1, size: 10, selected: null })].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <RowsChoice size={params.size} onChange={(form) => submit(form, { replace: true, preventScrollReset: true })} />
      </Form>
      {/* Sent by the browser itself also with scripts: an answer can be a file. */}
      <form method="post" id={FORM} className="stack-l">
        <button type="submit" name="intent" value="view" className="vh" tabIndex={-1} aria-hidden="true" />
        <CsrfField />
        <SalesOrderTable id={TABLE} {...{ rows, total, hasMore, params, selected }} />
        <Pagination
          page={params.page}
          pages={pages}
          hasMore={hasMore}
          href={(page) => salesOrderList(params, { page, selected: null })}
          label="Sales orders pages"
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
    </>
  );
}

export const meta = pageTitle("Sales Orders");
