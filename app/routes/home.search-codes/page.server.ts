import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { requireVisibleCode, maySearchCodes, searchCodesFor } from "~/domain/codes/search.service.server";
import { foundCodeValidator as validator } from "~/domain/codes/validators";
import { readForm } from "~/http/forms.server";
import { refusePage, requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

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
    await requireVisibleCode(user, id);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const from = codeSearchList.href(searchIn(request), { selected: id });
  return redirect(paths.codeDetails({ code: id, from }), 303);
}
