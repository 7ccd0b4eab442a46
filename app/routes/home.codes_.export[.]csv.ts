import { type LoaderFunctionArgs } from "@remix-run/node";
import { may } from "~/domain/accounts/rights.policy";
import { codeList } from "~/domain/codes/list/code-list";
import { exportCodes } from "~/domain/codes/list/export.service.server";
import { csvResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";

/** Returns the codes that the list shows as a CSV file. Staff, who see those of all customers, must prove who they are. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  if (may(user, "see-customers")) await requireStepUp(request, user, "file");
  return csvResponse(await exportCodes(user, codeList.read(new URL(request.url).searchParams)), "codes.csv");
}
