import { type LoaderFunctionArgs } from "@remix-run/node";
import { importTemplate } from "~/domain/accounts/import/prepared-import.service.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";

/** Returns a CSV file with the columns of an import, to be filled in. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "change-users");
  return fileResponse(importTemplate());
}
