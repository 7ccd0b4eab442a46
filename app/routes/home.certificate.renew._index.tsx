import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

/** A renewal starts with the choice of a certificate (B §2). */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Applicant");
  return redirect(paths.certificates);
}
