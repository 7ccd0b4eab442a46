import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/lib/paths";
import { requireStep } from "./home.certificate.$wizard/wizard.server";

/** A purchase starts with its first step, a renewal with the choice of a certificate (PUR-01, REN-01). */
export async function loader(args: LoaderFunctionArgs) {
  const { wizard } = await requireStep(args);
  return redirect(wizard === "renew" ? paths.certificates : paths.certificatePurchase("contact-details"));
}

/** Never shown. Because of it, an unknown wizard is answered with a page, like every unknown address. */
export default function WizardStart() {
  return null;
}
