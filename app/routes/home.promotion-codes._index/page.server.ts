import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { promotionCodeList } from "~/domain/orders/promotion-codes/promotion-code-list";
import { listCodesForAdmin } from "~/domain/orders/promotion-codes/promotion-codes.service.server";
import {
  requireWithdrawable,
  withdrawPromotionCode,
} from "~/domain/orders/promotion-codes/promotion-withdrawal.service.server";
import { promotionCodeChoiceValidator as validator } from "~/domain/orders/promotion-codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM } from "./form";

const paramsIn = (request: Request) => promotionCodeList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-promotion-codes");
  return json({ ...(await listCodesForAdmin(paramsIn(request))), mayChange: may(user, "change-promotion-codes") });
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "change-promotion-codes");
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const { code } = form.data;
  try {
    if (submitted.get("confirmed") !== "yes") {
      await requireWithdrawable(code);
      return json({ asked: form.data });
    }
    await withdrawPromotionCode(code, actor);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const text = `The promotion code ${code} has been withdrawn.`;
  return redirectWithToast(request, promotionCodeList.href(paramsIn(request)), { kind: "ok", text });
}
