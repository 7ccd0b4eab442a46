import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { WizardFrame } from "~/components/purchase/wizard-frame";
import { requireStep } from "./wizard.server";

export async function loader(args: LoaderFunctionArgs) {
  const { wizard } = await requireStep(args);
  return json({ wizard });
}

export default function CertificateWizard() {
  return <WizardFrame wizard={useLoaderData<typeof loader>().wizard} />;
}
