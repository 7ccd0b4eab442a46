import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { AvailableCodeTable } from "~/components/codes/available-table";
import { CodeOrderTable } from "~/components/codes/order-table";
import { RegisteredCodes } from "~/components/codes/registered-codes";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FilterLinks } from "~/components/lists/filter-links";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { codeList, type CodeListParams } from "~/domain/codes/list/code-list";
import { demandCodeIntent, listAvailableFor, listCodesFor, listOrdersFor } from "~/domain/codes/list/service.server";
import { codeChoiceValidator } from "~/domain/codes/list/validators";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "codes";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const params = codeList.read(new URL(request.url).searchParams);
  const { show } = params;
  const [codes, orders, available] = await Promise.all([
    show === "orders" ? null : listCodesFor(user, params),
    show === "codes" ? null : listOrdersFor(user, show === "orders"),
    show === "codes" ? null : listAvailableFor(user),
  ]);
  const { isAdmin, isApplicant } = user;
  return json({ codes, orders, available, params: { ...params, page: codes?.page ?? 1 }, isAdmin, isApplicant });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await codeChoiceValidator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const { id, intent } = form.data;
  try {
    await demandCodeIntent(user, id, intent);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const params = codeList.read(new URL(request.url).searchParams);
  const from = codeList.href(params, { selected: id });
  return redirect(paths.codeDetails({ ...(intent === "view" ? { code: id } : { parent: id }), from }), 303);
}

export default function Codes() {
  const { codes, orders, available, params, isAdmin, isApplicant } = useLoaderData<typeof loader>();
  const refusal = useActionData<Partial<ValidationErrorResponseData>>();
  const refusedId = (refusal?.repopulateFields as { id?: unknown } | undefined)?.id;
  const chosen = typeof refusedId === "string" ? refusedId : params.selected;
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={{ id: "" }} />
      <PageHeader
        title="Entity Registration"
        actions={
          isApplicant && (
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
      <Sections params={params} />
      {orders && orders.rows.length > 0 && <CodeOrderTable {...orders} forStaff={isAdmin} />}
      {orders && orders.total > orders.rows.length && (
        <p>
          <Link to={isAdmin ? paths.saleOrders : codeList.href(params, { show: "orders", selected: null })}>
            All {orders.total} orders
          </Link>
        </p>
      )}
      {available && available.length > 0 && (
        <AvailableCodeTable
          rows={available}
          registerPath={(type) => paths.codeDetails({ type, from: codeList.href(params) })}
        />
      )}
      {params.show === "orders" && orders?.rows.length === 0 && available?.length === 0 && <p>No records found</p>}
      {codes ? (
        <RegisteredCodes
          formId={FORM}
          {...codes}
          params={params}
          selected={chosen === null ? null : String(chosen)}
          forStaff={isAdmin}
          withSubEntities={isApplicant}
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
