import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { WizardFrame } from "~/components/purchase/wizard-frame";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { whyNotOrder } from "~/domain/orders/order-limit.server";
import { requireStep } from "./wizard.server";

export async function loader(args: LoaderFunctionArgs) {
  const { wizard, user } = await requireStep(args);
  return json({ wizard, barrier: whyNotOrder(user), handsOver: !mayAsMember(user, "place-orders") });
}

export default function CertificateWizard() {
  return <WizardFrame {...useLoaderData<typeof loader>()} />;
}
