import { type LoaderFunctionArgs } from "@remix-run/node";
import { WizardFrame } from "~/components/purchase/wizard-frame";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Applicant");
  return null;
}

export default function Purchase() {
  return <WizardFrame wizard="codes" />;
}
