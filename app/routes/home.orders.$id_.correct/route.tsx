import { useActionData, useLoaderData } from "@remix-run/react";
import { CorrectionForm } from "~/components/corrections/correction-form";
import { CorrectionOverviewCards } from "~/components/corrections/correction-overview";
import { CorrectionQuestion, type AskedAboutCorrection } from "~/components/corrections/correction-question";
import { pageTitle } from "~/components/shell/page-title";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

/** Corrects what was typed wrongly in an order: first the choice of what, then its form, then the question. */
export default function CorrectOrder() {
  const { id, form, overview } = useLoaderData<typeof loader>();
  const answer = useActionData<AskedAboutCorrection>();
  if (overview) return <CorrectionOverviewCards id={id} overview={overview} />;
  return (
    <CorrectionQuestion answer={answer} orderNumber={form.orderNumber}>
      <CorrectionForm key={form.part} id={id} form={form} />
    </CorrectionQuestion>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data?.form ? `Correct order ${data.form.orderNumber}: ${data.form.title}` : "Correct an order",
);
