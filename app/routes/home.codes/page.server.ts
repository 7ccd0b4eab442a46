import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { codeList } from "~/domain/codes/list/code-list";
import { requireCodeIntent, listAvailableFor, listCodesFor, listOrdersFor } from "~/domain/codes/list/service.server";
import { codeChoiceValidator } from "~/domain/codes/validators";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { elsewhereOf } from "~/http/elsewhere.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const params = codeList.read(new URL(request.url).searchParams);
  const { show } = params;
  const [codes, orders, available] = await Promise.all([
    show === "orders" ? null : listCodesFor(user, params),
    show === "codes" ? null : listOrdersFor(user, { all: show === "orders", chosen: params.companyId }),
    show === "codes" ? null : listAvailableFor(user),
  ]);
  return json({
    codes,
    orders,
    available,
    params: { ...params, page: codes?.page ?? 1 },
    elsewhere: await elsewhereOf(request, user),
    shownCompany: await findShownCompany(user, params.companyId),
    seesAllCodes: may(user, "see-customers"),
    seesAllOrders: may(user, "see-sales-orders"),
    mayOrder: mayAsMember(user, "place-orders"),
  });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await codeChoiceValidator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const { id, intent } = form.data;
  try {
    await requireCodeIntent(user, id, intent);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const params = codeList.read(new URL(request.url).searchParams);
  const from = codeList.href(params, { selected: id });
  return redirect(paths.codeDetails({ ...(intent === "view" ? { code: id } : { parent: id }), from }), 303);
}
