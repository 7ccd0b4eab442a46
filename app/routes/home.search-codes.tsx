import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
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
import { type SessionUser } from "~/domain/accounts/session-user";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { foundCodeValidator as validator } from "~/domain/codes/search-validator";
import { demandVisibleCode, maySearchCodes, searchCodesFor } from "~/domain/codes/search.service.server";
import { readForm } from "~/http/forms.server";
import { refusePage, requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "found-codes";

/** Returns a user who has a code or the right Admin. Redirects everybody else to the dashboard, as without any other right (SRC-02). */
async function requireSearcher(request: Request): Promise<SessionUser> {
  const user = await requireUser(request);
  if (!(await maySearchCodes(user))) throw await refusePage(request, "staff and owners of codes");
  return user;
}

const searchIn = (request: Request) => codeSearchList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireSearcher(request);
  const found = await searchCodesFor(user, searchIn(request));
  return json(found, { status: Object.keys(found.errors).length > 0 ? 422 : 200 });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSearcher(request);
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const { id } = form.data;
  try {
    await demandVisibleCode(user, id);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const from = codeSearchList.href(searchIn(request), { selected: id });
  return redirect(paths.codeDetails({ code: id, from }), 303);
}

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
      <PageHeader title="Code Search" back={{ to: paths.dashboard, label: "Back" }}>
        <p>Search the register of identification codes by code, company, city or country, or by several of them.</p>
      </PageHeader>
      <CodeSearchForm params={params} errors={errors} countries={countries} keep={codeSearchList.order(params)} />
      {results && <Results />}
    </div>
  );
}

const LABELS: Record<string, string> = { code: "Code", company: "Company", city: "City", country: "Country" };

function Results() {
  const { params, results } = useLoaderData<typeof loader>();
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
          <p>Only {total} of them are listed. Give more of the code, the company or the city to find the others.</p>
        </Note>
      )}
      <RowsForm size={params.size} keep={kept} />
      <PortalForm id={FORM} validator={validator} className="stack-l" defaultIntent="view">
        {rows.some(({ barriers }) => "view" in barriers) && (
          <p className="hint">Details are shown of your own codes.</p>
        )}
        <CodeSearchTable {...{ rows, total, hasMore, params }} selected={chosen === null ? null : String(chosen)} />
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

export const meta = pageTitle("Code Search");
