import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/buttons";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { TermsFields } from "~/components/promotion-codes/terms-fields";
import { TextField } from "~/components/text-field";
import { CODE_LABELS, CODE_LENGTH } from "~/domain/orders/promotion-codes/promotion-code.limits";
import { promotionCodeValidator as validator } from "~/domain/orders/promotion-codes/promotion-codes.lazy-validators";
import { batchList } from "~/domain/orders/promotion-codes/promotion-codes.params";
import { createPromotionCode, newBatchId } from "~/domain/orders/promotion-codes/promotion-creation.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "promotion-code";
const FIELDS = ["code", "value", "months", "validUntil"] as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  return json({ batch: newBatchId() });
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "Admin");
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await createPromotionCode(form.data, actor);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const text = "The promotion code has been created.";
  return redirectWithToast(request, batchList(form.data.batch), { kind: "ok", text });
}

export default function NewPromotionCode() {
  const { batch } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} order={FIELDS} labels={CODE_LABELS} />
      <PageHeader
        title="New Promotion Code"
        back={{ to: paths.promotionCodes, label: "Back to the promotion codes" }}
      />
      <PortalForm id={FORM} validator={validator} defaultValues={{ batch }}>
        <TextField
          name="code"
          label={CODE_LABELS.code}
          optional
          mono
          maxLength={CODE_LENGTH}
          autoComplete="off"
          hint="9 or 10 letters and digits of your own. Leave it empty for a code that nobody can guess."
        />
        <TermsFields />
        <ButtonRow>
          <SubmitButton>Create</SubmitButton>
          <LinkButton to={paths.promotionCodes}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("New Promotion Code");
