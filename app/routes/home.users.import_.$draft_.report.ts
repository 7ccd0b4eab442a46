import { type LoaderFunctionArgs } from "@remix-run/node";
import { exportReport } from "~/domain/accounts/import/prepared-import.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";

/** Returns what becomes, or has become, of each line of a file of accounts, as a CSV file. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  return fileResponse(await exportReport(admin, params.draft ?? ""));
}
