import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { WizardFrame } from "~/components/purchase/wizard-frame";
import { whyNotOrder } from "~/domain/orders/order-limit.server";
import { requireStep } from "./wizard.server";

export async function loader(args: LoaderFunctionArgs) {
  const { wizard, user, handsOver } = await requireStep(args);
  return json({ wizard, barrier: whyNotOrder(user), handsOver });
}

export default function CertificateWizard() {
  return <WizardFrame {...useLoaderData<typeof loader>()} />;
}
