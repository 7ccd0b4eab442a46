import { type LoaderFunctionArgs } from "@remix-run/node";
import { getInvoiceFileFor } from "~/domain/orders/invoices/invoice-file.service.server";
import { leadElsewhere } from "~/http/elsewhere.server";
import { fileResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { readId } from "~/lib/ids";

/** Returns the PDF of an invoice or credit note, for the owner of its order and for administrators. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  await leadElsewhere(request, user, `invoice.${id}`);
  return fileResponse(await getInvoiceFileFor(user, id));
}
