import { type Validator } from "remix-validated-form";
import { PROMOTION_CODE_LABELS } from "~/domain/orders/promotion-codes/limits";
import { staffPaths } from "~/lib/staff-paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";
import { TermsFields } from "./terms-fields";

interface Props<Form extends { batch: string }> {
  id: string;
  title: string;
  intro?: string;
  validator: Validator<Form>;
  /** The batch under which the codes can be found later. */
  batch: string;
  /** The names of the page's own fields. */
  fields: readonly (keyof typeof PROMOTION_CODE_LABELS)[];
  busyText?: string;
  /** The page's own fields. */
  children: React.ReactNode;
}

/** The common parts of the pages that create one promotion code or many. */
export function NewCodesPage<Form extends { batch: string }>(props: Props<Form>) {
  const { id, title, intro, validator, batch, fields, busyText, children } = props;
  return (
    <div className="stack-l">
      <ErrorSummary formId={id} order={[...fields, "value", "months", "validUntil"]} labels={PROMOTION_CODE_LABELS} />
      <PageHeader title={title} back={{ to: staffPaths.promotionCodes, label: "Back to the promotion codes" }}>
        {intro && <p>{intro}</p>}
      </PageHeader>
      <PortalForm id={id} validator={validator} defaultValues={{ batch }}>
        {children}
        <TermsFields />
        <ButtonRow>
          <SubmitButton busyText={busyText}>Create</SubmitButton>
          <LinkButton to={staffPaths.promotionCodes}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}
