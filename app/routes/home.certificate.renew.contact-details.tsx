import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { ContactPage } from "~/components/purchase/contact-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadContactStep, submitContactStep } from "~/http/contact-step.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadContactStep({ request, user, wizard: "renew" });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitContactStep({ request, user, wizard: "renew" });
}

export default function ContactDetails() {
  return <ContactPage wizard="renew" />;
}

export const meta = stepMeta("renew", "contact-details");
