import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { TextField } from "~/components/forms/text-field";
import { NewCodesPage } from "~/components/promotion-codes/new-codes-page";
import { pageTitle } from "~/components/shell/page-title";
import { PROMOTION_CODE_LABELS, CODE_LENGTH } from "~/domain/orders/promotion-codes/limits";
import { promotionCodeList } from "~/domain/orders/promotion-codes/promotion-code-list";
import { createPromotionCode, newBatchId } from "~/domain/orders/promotion-codes/promotion-creation.service.server";
import { promotionCodeValidator as validator } from "~/domain/orders/promotion-codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";

const FORM = "promotion-code";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "change-promotion-codes");
  return json({ batch: newBatchId() });
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "change-promotion-codes");
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await createPromotionCode(form.data, actor);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const text = "The promotion code has been created.";
  return redirectWithToast(request, promotionCodeList.href({ batch: form.data.batch }), { kind: "ok", text });
}

export default function NewPromotionCode() {
  const { batch } = useLoaderData<typeof loader>();
  return (
    <NewCodesPage id={FORM} title="New promotion code" validator={validator} batch={batch} fields={["code"]}>
      <TextField
        name="code"
        label={PROMOTION_CODE_LABELS.code}
        optional
        mono
        maxLength={CODE_LENGTH}
        autoComplete="off"
        hint="9 or 10 letters and digits of your own. Leave it empty for a code that nobody can guess."
      />
    </NewCodesPage>
  );
}

export const meta = pageTitle("New promotion code");
