import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { publishedInSearch } from "~/domain/codes/certificates/entity-page.service.server";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { requireVisibleCode, searchCodesFor } from "~/domain/codes/search.service.server";
import { foundCodeValidator as validator } from "~/domain/codes/validators";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { requireSearcher } from "~/http/searcher.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

const searchIn = (request: Request) => codeSearchList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireSearcher(request);
  const found = await searchCodesFor(user, searchIn(request));
  const ids = (found.results?.rows ?? []).map(({ id }) => id);
  const published = await publishedInSearch(ids, codeSearchList.href(found.params));
  return json({ ...found, published }, { status: Object.keys(found.errors).length > 0 ? 422 : 200 });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireSearcher(request);
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const { id } = form.data;
  try {
    await requireVisibleCode(user, id);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const from = codeSearchList.href(searchIn(request), { selected: id });
  return redirect(paths.codeDetails({ code: id, from }), 303);
}
