import { type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CodeContactPage } from "~/components/codes/purchase/contact-page";
import { stepMeta } from "~/components/purchase/wizard-texts";
import { loadContact, submitContact } from "~/http/code-purchase.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return loadContact({ request, user });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  return submitContact({ request, user });
}

export default function ContactDetails() {
  return <CodeContactPage />;
}

export const meta = stepMeta("codes", "contact-details");
