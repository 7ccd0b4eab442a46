import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { TextField } from "~/components/forms/text-field";
import { NewCodesPage } from "~/components/promotion-codes/new-codes-page";
import { pageTitle } from "~/components/shell/page-title";
import { BATCH_LIMIT, PROMOTION_CODE_LABELS, PREFIX_LIMIT } from "~/domain/orders/promotion-codes/limits";
import { promotionCodeList } from "~/domain/orders/promotion-codes/promotion-code-list";
import { createPromotionCodes, newBatchId } from "~/domain/orders/promotion-codes/promotion-creation.service.server";
import { promotionCodesValidator as validator } from "~/domain/orders/promotion-codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid } from "~/http/responses.server";

const FORM = "promotion-codes";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "change-promotion-codes");
  return json({ batch: newBatchId() });
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "change-promotion-codes");
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  await createPromotionCodes(form.data, actor);
  const text = "The promotion codes have been created and can be downloaded.";
  return redirectWithToast(request, promotionCodeList.href({ batch: form.data.batch }), { kind: "ok", text });
}

export default function NewPromotionCodes() {
  const { batch } = useLoaderData<typeof loader>();
  return (
    <NewCodesPage
      id={FORM}
      title="New promotion codes in bulk"
      intro="Makes many codes that nobody can guess, each for one order, and gives them out as a CSV file."
      validator={validator}
      batch={batch}
      fields={["count", "prefix"]}
      busyText="Creating…"
    >
      <TextField
        name="count"
        label={PROMOTION_CODE_LABELS.count}
        inputMode="numeric"
        autoComplete="off"
        hint={`1 to ${BATCH_LIMIT}.`}
      />
      <TextField
        name="prefix"
        label={PROMOTION_CODE_LABELS.prefix}
        optional
        mono
        maxLength={PREFIX_LIMIT}
        autoComplete="off"
        hint={`At most ${PREFIX_LIMIT} letters and digits with which every code begins.`}
      />
    </NewCodesPage>
  );
}

export const meta = pageTitle("New promotion codes in bulk");
