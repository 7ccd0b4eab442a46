import { type LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation, useSearchParams } from "@remix-run/react";
import { WizardSteps } from "~/components/wizard-steps";
import { requireUser } from "~/http/guard.server";
import { paths, type WizardStep } from "~/lib/paths";

const STEPS: { step: WizardStep; label: string }[] = [
  { step: "contact-details", label: "Contact details" },
  { step: "order", label: "Order" },
  { step: "invoice-address", label: "Invoice address" },
  { step: "order-complete", label: "Order complete" },
];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Applicant");
  return null;
}

export default function Purchase() {
  const { pathname } = useLocation();
  const draft = useSearchParams()[0].get("draft") ?? undefined;
  const current = STEPS.findIndex(({ step }) => pathname.endsWith(`/${step}`));
  const steps = STEPS.map(({ step, label }) => ({ label, to: paths.certificatePurchase(step, draft) }));
  return (
    <div className="stack-l">
      <WizardSteps steps={steps} current={current} locked={current === STEPS.length - 1} />
      <Outlet />
    </div>
  );
}
